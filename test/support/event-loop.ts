import { request as httpRequest } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export interface SentBytes {
  /** Default: POST. */
  readonly method?: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Delayed {
  readonly status: number;
  /** Longest time during which the event loop was blocked, in milliseconds. */
  readonly delay: number;
}

/**
 * Sends a request and measures how long it blocks the event loop of this process, which also runs the server. Other programs on the machine
 * only lengthen the delay, so it takes the shortest of up to `attempts` measurements.
 * @param enough milliseconds; stops at the first delay below it
 */
export async function blockedBy(sent: SentBytes, enough: number, attempts = 4): Promise<Delayed> {
  let best: Delayed | undefined;
  for (let attempt = 0; attempt < attempts && (!best || best.delay > enough); attempt += 1) {
    const measured = await measure(sent);
    if (!best || measured.delay < best.delay) best = measured;
  }
  return best!;
}

async function measure(sent: SentBytes): Promise<Delayed> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await delay(5);
  histogram.reset();
  const status = await send(sent);
  // Includes work that the server does after its response.
  await delay(5);
  histogram.disable();
  return { status, delay: histogram.max / 1e6 };
}

function send({ method = 'POST', port, path, headers, body = Buffer.alloc(0) }: SentBytes): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, 'Content-Length': body.length } },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
