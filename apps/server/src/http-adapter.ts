import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { closeQueuedResponses, ConnectionLimits, cutSlowReaders, Redirection, Reply, settle } from '#http';
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

  /**
   * Sends a handler's result: a `Reply` with its status and headers, bytes unchanged, a `Redirection` as a redirect, objects as JSON, all
   * others like Nest.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof Reply) return settle(body, response).then((settled) => this.reply(response, settled, statusCode));
    if (Buffer.isBuffer(body)) return response.send(body);
    if (body instanceof Redirection) return response.redirect(body.status, body.address);
    if (statusCode !== undefined) response.status(statusCode);
    if (isPlainData(body) && sendsBody(response)) return sendJson(response, body);
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

function isPlainData(body: unknown): body is object {
  if (Array.isArray(body)) return true;
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}

/** Whether Express would send the body: it leaves it out of answers to HEAD, of 204, 205 and 304, and when the client has it already. */
function sendsBody({ req, statusCode }: Response): boolean {
  return req.method !== 'HEAD' && statusCode !== 204 && statusCode !== 205 && statusCode !== 304 && !req.fresh;
}

/** What `response.json` of Express does with this server's settings, in one write and without parsing the content type again. */
function sendJson(response: Response, body: object): Response {
  const text = JSON.stringify(body);
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  return response.end(text);
}
