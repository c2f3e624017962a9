import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Responses that wait until earlier requests of the same connection are answered. */
const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Makes every response emit `close` when its connection closes. Node emits it only for the response that is being sent; those of queued
 * pipelined requests would never emit it, and their resources would never be released.
 */
export function closeQueuedResponses(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (response.socket || socket.destroyed) return;
    const waiting = queued.get(socket) ?? watch(socket);
    waiting.add(response);
    // From now on Node emits `close` itself.
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
