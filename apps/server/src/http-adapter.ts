import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { closeQueuedResponses, cutSlowReaders, Redirection } from '#http';
import type { Settings } from '#kernel';
import type { Response } from 'express';

type Limits = Pick<Settings, 'headersTimeoutMs' | 'requestTimeoutMs' | 'answerTimeoutMs' | 'maxConnections'>;

/** Express over an HTTP server with our limits; some of them can only be given when the server is made. */
export class HttpAdapter extends ExpressAdapter {
  constructor(private readonly limits: Limits) {
    super();
  }

  /** What handlers return: bytes go out as they are, and a redirection names another address; all else as Nest does it. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (Buffer.isBuffer(body)) return response.send(body);
    if (body instanceof Redirection) return response.redirect(body.status, body.address);
    return super.reply(response, body, statusCode);
  }

  override initHttpServer(): void {
    const { headersTimeoutMs, requestTimeoutMs, answerTimeoutMs, maxConnections } = this.limits;
    this.httpServer = createServer(
      {
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        // Node looks for late connections every 30 s by default.
        connectionsCheckingInterval: Math.ceil(Math.min(1000, headersTimeoutMs / 4, requestTimeoutMs / 4)),
        keepAliveTimeout: 10_000,
        // Health checks of proxies come without one. `hostCheck` refuses all other requests without a host, as a problem.
        requireHostHeader: false,
      },
      this.getInstance<Parameters<typeof createServer>[1]>(),
    );
    this.httpServer.maxHeadersCount = 100;
    this.httpServer.maxConnections = maxConnections;
    closeQueuedResponses(this.httpServer);
    cutSlowReaders(this.httpServer, { stallMs: answerTimeoutMs });
  }
}
