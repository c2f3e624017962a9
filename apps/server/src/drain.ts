import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';

/** Stopping without dropping anybody: no new connections, running requests finish, kept-alive connections are told to close. */
@Injectable()
export class Drain {
  stopping = false;

  /** Answers asked while stopping close their connection, so that a client reconnects to a process that stays. */
  readonly middleware: RequestHandler = (_request, response, next) => {
    if (this.stopping) response.setHeader('Connection', 'close');
    next();
  };

  /** Resolves when every request is answered, or after `graceMs`, when what is left is cut. */
  async close(server: Server, graceMs: number): Promise<void> {
    this.stopping = true;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.closeIdleConnections();
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
