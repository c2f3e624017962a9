import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/**
 * `fetch` with a `Host` header, which that of Node.js replaces: the names of tenants are not known to every machine that runs the tests.
 * @param address origin on loopback and path
 */
export async function fetchAs(host: string, address: string, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const headers = { ...(init.headers as Record<string, string>), Host: host };
  const sent = request(address, { method, agent, headers, ...(signal && { signal }) });
  sent.end(body ?? undefined);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const payload = await text(answer);
  const status = answer.statusCode ?? 500;
  return new Response(payload === '' ? null : payload, { status, headers: answer.headers as Record<string, string> });
}
