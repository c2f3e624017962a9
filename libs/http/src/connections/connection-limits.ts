import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { metrics, networksOfClient, problemBody, serverBusy, type Problem } from '#kernel';
import { Counter } from 'prom-client';
import { limits } from '../limits.js';

export interface ConnectionLimitOptions {
  /** Maximum open connections, without the reserve for health checks. */
  readonly total: number;
  /** Maximum open connections of one client network; an IPv6 network of 48 bits has several times as many. */
  readonly ofNetwork: number;
  /** Whether an address is a proxy whose connections are those of many clients. */
  readonly isProxy: (address: string) => boolean;
  /** Whether an address is on this machine or its private network, like most programs that check its health. */
  readonly isNear: (address: string) => boolean;
  readonly logger: { warn(facts: object, message: string): void };
}

/**
 * Connections beyond the limits on which only health checks are answered, and those of one client network. Clients on this machine or its
 * private network, and proxies, have as many of their own: distant clients, however many, do not take the places of the operator's checks.
 */
export const healthReserve = { total: limits.healthReserve.number, ofNetwork: limits.healthReserveOfNetwork.number } as const;

/**
 * Requests of one connection that are not answered yet. Browsers and proxies send one after the other. Node reads all requests of a piece
 * of 64 kB (some 1,500) before it does anything else, and each of them would lengthen the time for which the event loop is blocked.
 */
export const mostUnanswered = limits.unanswered.number;

const healthPath = /^\/(live|ready|metrics)\/?(\?|$)/i;

const reportEveryMs = 10_000;

/** Which limit a connection exceeds. */
type Reason = 'total' | 'network';

/** Why a connection is closed. */
type Refusal = Reason | 'unanswered';

const refusedTotal = new Counter({
  name: 'guichet_connections_refused_total',
  help:
    'Connections that were closed, or answered 503, because of MAX_CONNECTIONS (total) or MAX_CONNECTIONS_PER_NETWORK (network), or that ' +
    'sent too many requests without waiting for answers (unanswered).',
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
  private readonly nearReserve = new Counts();
  /** Requests that are not answered yet, by connection. */
  private readonly unanswered = new WeakMap<Socket, number>();
  /** Connections of the reserve, with the limit that they exceed. */
  private readonly reserved = new WeakMap<Socket, Reason>();
  private refused = 0;
  private reportedAt = -Infinity;

  constructor(private readonly options: ConnectionLimitOptions) {}

  /** Number of open connections. */
  get size(): number {
    return this.open.total + this.reserve.total + this.nearReserve.total;
  }

  /** Call it once, before the server listens. */
  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => this.accept(socket));
  }

  /**
   * Whether the server's handler answers a request. Everything but health checks is answered here when the connection belongs to the
   * reserve. A connection with too many unanswered requests is closed.
   */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    // Later requests of the piece in which a connection was closed are still parsed.
    if (request.socket.destroyed || !this.countUnanswered(request.socket, response)) return false;
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
    else if (this.fitsReserve(socket, networks)) this.keepShort(socket, reason);
    else {
      this.report(reason, socket.remoteAddress);
      socket.destroy();
    }
  }

  /** Counts a request until it is answered. @returns false: there are too many, and the connection is closed */
  private countUnanswered(socket: Socket, response: ServerResponse): boolean {
    const count = (this.unanswered.get(socket) ?? 0) + 1;
    if (count > mostUnanswered) {
      this.report('unanswered', socket.remoteAddress);
      socket.destroy();
      return false;
    }
    this.unanswered.set(socket, count);
    response.once('close', () => this.unanswered.set(socket, (this.unanswered.get(socket) ?? 1) - 1));
    return true;
  }

  /** Counts a connection in the reserve of its kind, when it has room. */
  private fitsReserve(socket: Socket, networks: Networks): boolean {
    const { remoteAddress = '' } = socket;
    const { isNear, isProxy } = this.options;
    const reserve = isNear(remoteAddress) || isProxy(remoteAddress) ? this.nearReserve : this.reserve;
    if (reserve.total >= healthReserve.total || !reserve.fits(networks, healthReserve.ofNetwork)) return false;
    reserve.hold(socket, networks);
    return true;
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
      setTimeout(() => socket.destroy(), limits.reserveAnswer.ms),
      // Whoever sends nothing leaves the place to the next one.
      setTimeout(() => socket.bytesRead === 0 && socket.destroy(), limits.reserveFirstByte.ms),
    ];
    socket.once('close', () => timers.forEach(clearTimeout));
  }

  private report(limit: Refusal, ip: string | undefined): void {
    refusedTotal.inc({ limit });
    this.refused += 1;
    const now = performance.now();
    if (now - this.reportedAt < reportEveryMs) return;
    const { refused } = this;
    this.reportedAt = now;
    this.refused = 0;
    if (limit === 'total') this.options.logger.warn({ refused }, 'connections refused: MAX_CONNECTIONS are open');
    else if (limit === 'unanswered')
      this.options.logger.warn({ refused, ip }, `connections closed: a client sent more than ${mostUnanswered} requests without waiting`);
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
