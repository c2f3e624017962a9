/**
 * Sends requests without pause over several connections until its parent stops it, then reports the responses. Started by the neighbour
 * bench.
 */
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';

export interface FloodOrder {
  readonly port: number;
  readonly connections: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** File with the request body. */
  readonly bodyFile?: string;
}

const order = JSON.parse(process.argv[2] ?? '{}') as FloodOrder;
const body = order.bodyFile === undefined ? undefined : readFileSync(order.bodyFile);
const agent = new Agent({ keepAlive: true });
const answers: Record<string, number> = {};

function ask(): Promise<void> {
  const { port, method, path, headers } = order;
  return new Promise((resolve) => {
    const done = (answer: string): void => {
      answers[answer] = (answers[answer] ?? 0) + 1;
      resolve();
    };
    const length = body ? { 'content-length': body.length } : {};
    const sent = httpRequest({ port, host: '127.0.0.1', agent, method, path, headers: { ...headers, ...length } });
    sent.on('response', (response) => {
      response.resume().on('end', () => done(String(response.statusCode)));
      response.on('error', () => done('error'));
    });
    sent.on('error', () => done('error'));
    sent.end(body);
  });
}

async function askWithoutEnd(): Promise<never> {
  for (;;) await ask();
}

process.once('message', () => {
  process.send?.(answers, () => process.exit(0));
});
for (let count = 0; count < order.connections; count += 1) void askWithoutEnd();
