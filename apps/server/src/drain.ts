import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ServerStop } from '#http';
import type { RequestHandler, Response } from 'express';

/** Time for which connections that seem idle are still read and answered, because a busy process may not have read their requests yet. */
const lastCallMs = 200;

/** Graceful stop: no new connections, running requests finish, keep-alive connections are closed after their answer. */
@Injectable()
export class Drain {
  /** True from the stop signal on: `/ready` answers 503. */
  leaving = false;
  /** True when no new connections are accepted. */
  stopping = false;
  private readonly running = new Set<Response>();

  constructor(private readonly stop: ServerStop) {}

  /** Answers sent while stopping close their connection, so that the client reconnects to another process. */
  readonly middleware: RequestHandler = (_request, response, next) => {
    if (this.stopping) closeWith(response);
    this.running.add(response);
    response.once('close', () => this.running.delete(response));
    next();
  };

  /** Waits `delayMs` so that load balancers see `/ready` fail, while requests are still accepted and answered. */
  async leave(delayMs: number): Promise<void> {
    this.leaving = true;
    if (delayMs > 0) await pass(delayMs);
  }

  /** Resolves when every request is answered, or after `graceMs`, when remaining connections are closed. */
  async close(server: Server, graceMs: number): Promise<void> {
    this.stopping = true;
    // Otherwise the next request could arrive on a connection that is closed as idle at the same moment.
    for (const response of this.running) closeWith(response);
    this.stop.begin();
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // Calls only the part of the HTTP server's `close` that ends listening; the other part would close idle connections at once.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => resolve());
    });
    await pass(Math.min(lastCallMs, graceMs));
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
    server.closeIdleConnections();
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
  }
}

function closeWith(response: Response): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
