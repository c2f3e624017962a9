import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly port: number;
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly timeoutMs?: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/**
 * Sends one request without retries. A body that is not JSON becomes an empty object.
 * @throws without a complete response: an error with the `code`, or `timeout`
 */
export async function call({ port, host, method, path, headers, body, timeoutMs = 15_000 }: Call): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent,
    headers: {
      host,
      ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      ...headers,
    },
  });
  const late = setTimeout(() => sent.destroy(Object.assign(new Error('timeout'), { code: 'timeout' })), timeoutMs);
  try {
    sent.end(payload);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, body: parsed(await text(answer)) };
  } finally {
    clearTimeout(late);
  }
}

/** A short name for the failure of a request, for counting. */
export function kindOf(outcome: Answer | Error): string {
  if (outcome instanceof Error) return (outcome as NodeJS.ErrnoException).code ?? outcome.name;
  const { code } = outcome.body;
  return `${outcome.status}${typeof code === 'string' ? ` ${code}` : ''}`;
}

function parsed(written: string): Answer['body'] {
  try {
    return JSON.parse(written) as Answer['body'];
  } catch {
    return {};
  }
}
