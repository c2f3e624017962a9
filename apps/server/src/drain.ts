import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { RequestHandler, Response } from 'express';

/** What lies unread in the sockets of a busy process belongs to connections that look idle: so long it may still be read and answered. */
const lastCallMs = 200;

/** Stopping without dropping anybody: no new connections, running requests finish, kept-alive connections are told to close. */
@Injectable()
export class Drain {
  /** True from the moment the process is told to stop: `/ready` answers 503. */
  leaving = false;
  /** True when no new connections are accepted. */
  stopping = false;
  private readonly running = new Set<Response>();

  /** Answers given while stopping close their connection, so that a client reconnects to a process that stays. */
  readonly middleware: RequestHandler = (_request, response, next) => {
    if (this.stopping) closeWith(response);
    this.running.add(response);
    response.once('close', () => this.running.delete(response));
    next();
  };

  /** Lets load balancers notice for `delayMs` that this process leaves, while everything is still accepted and answered. */
  async leave(delayMs: number): Promise<void> {
    this.leaving = true;
    if (delayMs > 0) await pass(delayMs);
  }

  /** Resolves when every request is answered, or after `graceMs`, when what is left is cut. */
  async close(server: Server, graceMs: number): Promise<void> {
    this.stopping = true;
    // Else the next request would be on its way on a connection that is closed as idle in the same moment.
    for (const response of this.running) closeWith(response);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // Of the HTTP server's own way to close only the first half, which ends listening; the second would end idle connections at once.
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
