import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { closeQueuedResponses, ConnectionLimits, cutSlowReaders, Redirection } from '#http';
import { gauge, isNearAddress, type Logger, type Settings } from '#kernel';
import type { Express, Response } from 'express';

type Limits = Pick<Settings, 'headersTimeoutMs' | 'requestTimeoutMs' | 'answerTimeoutMs' | 'maxConnections' | 'maxConnectionsPerNetwork'>;

/** Express on an HTTP server with our limits, some of which can only be set when the server is created. */
export class HttpAdapter extends ExpressAdapter {
  constructor(
    private readonly limits: Limits,
    private readonly log: Logger,
  ) {
    super();
  }

  /** Sends a handler's result: bytes unchanged, a `Redirection` as a redirect, all others like Nest. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (Buffer.isBuffer(body)) return response.send(body);
    if (body instanceof Redirection) return response.redirect(body.status, body.address);
    return super.reply(response, body, statusCode);
  }

  override initHttpServer(): void {
    const { headersTimeoutMs, requestTimeoutMs, answerTimeoutMs } = this.limits;
    const app = this.getInstance<Express>();
    const connections = new ConnectionLimits({
      total: this.limits.maxConnections,
      ofNetwork: this.limits.maxConnectionsPerNetwork,
      // Express knows them when the server listens.
      isProxy: (address) => (app.get('trust proxy fn') as (address: string, hop: number) => boolean)(address, 0),
      isNear: isNearAddress,
      logger: this.log,
    });
    this.httpServer = createServer(
      {
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        // By default Node checks for late connections every 30 s.
        connectionsCheckingInterval: Math.ceil(Math.min(1000, headersTimeoutMs / 4, requestTimeoutMs / 4)),
        keepAliveTimeout: 10_000,
        // Health checks of proxies have no Host header. `hostCheck` answers all other requests without one with a problem.
        requireHostHeader: false,
      },
      (request, response) => {
        if (connections.admits(request, response)) app(request, response);
      },
    );
    this.httpServer.maxHeadersCount = 100;
    connections.watch(this.httpServer);
    gauge('guichet_connections', 'Open connections of clients.', () => connections.size);
    closeQueuedResponses(this.httpServer);
    cutSlowReaders(this.httpServer, { stallMs: answerTimeoutMs });
  }
}
