import type { Server, ServerResponse } from 'node:http';
import { limits } from '../limits.js';

export interface SlowReaderOptions {
  /** Milliseconds without any progress of an answer, after which its connection is closed. */
  readonly stallMs: number;
  /** Bytes a second that a client takes of an answer on average, after `stallMs`. */
  readonly slowest?: number;
}

interface Sending {
  readonly since: number;
  /** Bytes that were written to the connection before this answer. */
  readonly before: number;
}

/**
 * Closes connections of clients that do not read their answers, or read them a few bytes at a time: an answer stays in memory until it is
 * read. Handlers may take any time: an answer is measured from its first byte on.
 */
export function cutSlowReaders(server: Server, { stallMs, slowest = limits.slowReaders.number }: SlowReaderOptions): void {
  const open = new Set<ServerResponse>();
  const sending = new Map<ServerResponse, Sending>();
  server.on('request', ({ socket }, response) => {
    if (socket.destroyed) return;
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      sending.delete(response);
    });
  });
  const look = (): void => {
    const now = performance.now();
    for (const response of open) {
      const { socket } = response;
      if (!socket || !response.headersSent || response.writableFinished) continue;
      const known = sending.get(response);
      if (!known) {
        sending.set(response, { since: now, before: socket.bytesWritten });
        // Node resets this when the answer is sent.
        socket.setTimeout(stallMs);
        continue;
      }
      const allowedMs = stallMs + ((socket.bytesWritten - known.before + response.writableLength) / slowest) * 1000;
      if (now - known.since > allowedMs) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.ceil(Math.min(1000, stallMs / 4)));
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
