import { request as httpRequest } from 'node:http';
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
  /** Longest turn of the event loop, in milliseconds of this process: not while other programs have the processor. */
  readonly delay: number;
}

/**
 * Sends a request and measures how long it blocks the event loop of this process, which also runs the server. Other work only lengthens
 * the delay, so it takes the shortest of up to `attempts` measurements.
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
  const turns = new Turns();
  const status = await send(sent);
  // Includes work that the server does after its response.
  await delay(5);
  return { status, delay: turns.end() };
}

/** Measures the turns of the event loop, one after the other. */
class Turns {
  private longest = 0;
  private ended = false;
  private wall = performance.now();
  private busy = process.cpuUsage();

  constructor() {
    this.next();
  }

  /** @returns the longest turn in milliseconds */
  end(): number {
    this.ended = true;
    return this.longest;
  }

  private next(): void {
    setImmediate(() => {
      const [wall, busy] = [performance.now(), process.cpuUsage()];
      const spent = (busy.user - this.busy.user + busy.system - this.busy.system) / 1000;
      // Other programs lengthen the time of the clock, and other threads of this process its processor time.
      this.longest = Math.max(this.longest, Math.min(wall - this.wall, spent));
      [this.wall, this.busy] = [wall, busy];
      if (!this.ended) this.next();
    });
  }
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
