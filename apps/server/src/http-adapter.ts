import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Settings } from '#kernel';

type Limits = Pick<Settings, 'headersTimeoutMs' | 'requestTimeoutMs'>;

/** Express over an HTTP server with our limits; some of them can only be given when the server is made. */
export class HttpAdapter extends ExpressAdapter {
  constructor(private readonly limits: Limits) {
    super();
  }

  override initHttpServer(): void {
    const { headersTimeoutMs, requestTimeoutMs } = this.limits;
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
  }
}
