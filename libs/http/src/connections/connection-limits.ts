import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { metrics, networksOfClient, problemBody, serverBusy, type Problem } from '#kernel';
import { Counter } from 'prom-client';

export interface ConnectionLimitOptions {
  /** Maximum open connections, without the reserve for health checks. */
  readonly total: number;
  /** Maximum open connections of one client network; an IPv6 network of 48 bits has several times as many. */
  readonly ofNetwork: number;
  /** Whether an address is a proxy whose connections are those of many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly logger: { warn(facts: object, message: string): void };
}

/** Connections beyond the limits on which only health checks are answered, and those of one client network. */
export const healthReserve = { total: 32, ofNetwork: 8 } as const;

/** Milliseconds until the first byte on a connection of the reserve, and until the end of its answer: `/ready` may ask the database. */
const reserveMs = { firstByte: 1000, all: 6000 };

const healthPath = /^\/(live|ready|metrics)\/?(\?|$)/i;

const reportEveryMs = 10_000;

/** Which limit a connection exceeds. */
type Reason = 'total' | 'network';

const refusedTotal = new Counter({
  name: 'guichet_connections_refused_total',
  help: 'Connections that were closed, or answered 503, because of MAX_CONNECTIONS (total) or MAX_CONNECTIONS_PER_NETWORK (network).',
  labelNames: ['limit'],
  registers: [metrics],
});

/**
 * Limits the open connections of a server, in all and for each client network. Some connections beyond the limits are accepted for one
 * request each: health checks are answered, so that a full server is not taken for a dead one, and all else gets 503. Others are closed at
 * once.
 */
export class ConnectionLimits {
  private readonly open = new Counts();
  private readonly reserve = new Counts();
  /** Connections of the reserve, with the limit that they exceed. */
  private readonly reserved = new WeakMap<Socket, Reason>();
  private refused = 0;
  private reportedAt = -Infinity;

  constructor(private readonly options: ConnectionLimitOptions) {}

  /** Number of open connections. */
  get size(): number {
    return this.open.total + this.reserve.total;
  }

  /** Call it once, before the server listens. */
  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => this.accept(socket));
  }

  /**
   * Whether the server's handler answers a request. Everything but health checks is answered here when the connection belongs to the
   * reserve.
   */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const reason = this.reserved.get(request.socket);
    if (reason === undefined) return true;
    response.shouldKeepAlive = false;
    if (healthPath.test(request.url ?? '')) return true;
    this.report(reason, request.socket.remoteAddress);
    answerBusy(response);
    return false;
  }

  private accept(socket: Socket): void {
    const networks = networksOfClient(socket.remoteAddress);
    const reason = this.exceeded(socket, networks);
    if (reason === undefined) this.open.hold(socket, networks);
    else if (this.reserve.total < healthReserve.total && this.reserve.fits(networks, healthReserve.ofNetwork)) {
      this.reserve.hold(socket, networks);
      this.keepShort(socket, reason);
    } else {
      this.report(reason, socket.remoteAddress);
      socket.destroy();
    }
  }

  private exceeded({ remoteAddress }: Socket, networks: Networks): Reason | undefined {
    const { total, ofNetwork, isProxy } = this.options;
    if (this.open.total >= total) return 'total';
    if (this.open.fits(networks, ofNetwork) || (remoteAddress !== undefined && isProxy(remoteAddress))) return undefined;
    return 'network';
  }

  private keepShort(socket: Socket, reason: Reason): void {
    this.reserved.set(socket, reason);
    const timers = [
      setTimeout(() => socket.destroy(), reserveMs.all),
      // Whoever sends nothing leaves the place to the next one.
      setTimeout(() => socket.bytesRead === 0 && socket.destroy(), reserveMs.firstByte),
    ];
    socket.once('close', () => timers.forEach(clearTimeout));
  }

  private report(limit: Reason, ip: string | undefined): void {
    refusedTotal.inc({ limit });
    this.refused += 1;
    const now = performance.now();
    if (now - this.reportedAt < reportEveryMs) return;
    const { refused } = this;
    this.reportedAt = now;
    this.refused = 0;
    if (limit === 'total') this.options.logger.warn({ refused }, 'connections refused: MAX_CONNECTIONS are open');
    else {
      const advice = 'if it is a proxy, list it in TRUSTED_PROXIES';
      this.options.logger.warn({ refused, ip }, `connections refused: a client network has MAX_CONNECTIONS_PER_NETWORK; ${advice}`);
    }
  }
}

type Networks = ReturnType<typeof networksOfClient>;

/** Open connections, in all and by network. */
class Counts {
  total = 0;
  private readonly byNetwork = new Map<string, number>();

  /** Whether each network may have one more. @param most of a single client */
  fits(networks: Networks, most: number): boolean {
    return networks.every(({ name, times }) => (this.byNetwork.get(name) ?? 0) < most * times);
  }

  /** Counts a connection until it is closed. */
  hold(socket: Socket, networks: Networks): void {
    this.change(networks, 1);
    socket.once('close', () => this.change(networks, -1));
  }

  private change(networks: Networks, by: number): void {
    this.total += by;
    for (const { name } of networks) {
      const count = (this.byNetwork.get(name) ?? 0) + by;
      if (count === 0) this.byNetwork.delete(name);
      else this.byNetwork.set(name, count);
    }
  }
}

/** In English and without the application, because many may come. */
function answerBusy(response: ServerResponse): void {
  const requestId = randomUUID();
  const problem = serverBusy() as Problem;
  const headers = {
    ...problem.extras.headers,
    'Content-Type': 'application/problem+json',
    'Content-Language': 'en',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
  };
  response.writeHead(problem.status, headers).end(JSON.stringify(problemBody(problem, 'en', requestId)));
}
