import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Responses that wait until earlier requests of the same connection are answered. */
const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Makes every response emit `close` when its connection is closed. Node tells only the response that it is sending: those of pipelined
 * requests behind it would never emit `close`, and what is freed then would stay in use for ever.
 */
export function closeQueuedResponses(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (response.socket) return;
    const waiting = queued.get(socket) ?? watch(socket);
    waiting.add(response);
    // From here on Node tells the response.
    response.once('socket', () => waiting.delete(response));
  });
}

function watch(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>();
  queued.set(socket, waiting);
  socket.once('close', () => {
    for (const response of waiting) {
      response.destroyed = true;
      response.emit('close');
    }
    waiting.clear();
  });
  return waiting;
}
