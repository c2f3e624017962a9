import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Kept, Problem, RateLimits, type Client, type RateLimitName } from '#kernel';
import type { RequestHandler } from 'express';
import type { AccessRule } from './access-rule.js';
import type { Principal } from '../keys/api-keys.service.js';
import { limits } from '../../limits.js';
import { currentTenant } from '../../database/context/tenant-context.js';

/** A request whose key is counted. */
type KeyRequest = Client & { readonly method: string };

/** The id by which a key is counted. */
interface CountedKey {
  readonly kind: Principal['kind'];
  readonly id: string;
}

/** Bodies up to this size in bytes take less time to read than a key to look up. */
const smallBody = 16 * 1024;

/** The key in an `Authorization` header; undefined when it has no key. */
export function keyOf(header: string): string | undefined {
  return /^api-key +([^\s]+) *$/i.exec(header)?.[1];
}

/** Which rate limit a request counts for: that of its key or device when it has an accepted one, else that of its network. */
@Injectable()
export class RequestLimitsService {
  /**
   * Keys that were accepted lately: their requests do not count for the network, so that devices behind one address do not share a bucket.
   */
  private readonly accepted = new Kept<CountedKey>(limits.countedKeys.kept);

  constructor(private readonly rates: RateLimits) {}

  /**
   * Counts a request with a large body and a key that was not accepted lately for its network, before the body is read. The key itself is
   * looked up after that.
   */
  readonly beforeBody: RequestHandler = (request, _response, next) => {
    const { authorization, 'content-length': length } = request.headers;
    const isSmall = request.headers['transfer-encoding'] === undefined && Number(length ?? 0) <= smallBody;
    if (isSmall || authorization === undefined || !request.tenant) return next();
    const key = keyOf(authorization);
    if (key === undefined || !this.accepted.has(digestOf(request.tenant.id, key))) this.rates.countNetwork('unknownKeys', request);
    next();
  };

  /** A request without a key. @throws Problem 429 `rate.limited` */
  countVisitor(rule: AccessRule, client: Client): void {
    const limit = rule.who === 'public' ? (rule.limit ?? 'pages') : rule.who === 'guest' ? 'pages' : 'unknownKeys';
    if (limit !== 'none') this.rates.countNetwork(limit, client);
  }

  /** A request with an `Authorization` that is no key: counts like a guess. @throws Problem 429 `rate.limited` */
  countNoKey(client: Client): void {
    this.rates.countNetwork('unknownKeys', client);
  }

  /**
   * Looks up a key. One that was not accepted lately counts for the network before the look-up, and the token is returned when it is
   * accepted, so that guessing is limited also for simultaneous requests. One that was accepted and is beyond its own limit is refused
   * without a look-up.
   * @param key as it was sent
   * @throws Problem 429 `rate.limited`, and what `look` throws
   */
  async countKey(key: string, rule: AccessRule, request: KeyRequest, look: () => Promise<Principal>): Promise<Principal> {
    const digest = digestOf(currentTenant().id, key);
    const known = this.accepted.get(digest);
    if (known) this.rates.refuseEmpty(limitOf(known, rule, request.method), known.id);
    else this.rates.countNetwork('unknownKeys', request);
    try {
      const principal = await look();
      if (!known) {
        this.rates.giveBack('unknownKeys', request);
        this.accepted.set(digest, countedKey(principal));
      }
      return principal;
    } catch (error) {
      const refused = error instanceof Problem && (error.status === 401 || error.status === 403);
      // A database that is away says nothing about the key.
      if (refused) this.accepted.delete(digest);
      else if (!known) this.rates.giveBack('unknownKeys', request);
      throw error;
    }
  }

  /** A request with an accepted key. @throws Problem 429 `rate.limited` */
  countPrincipal(principal: Principal, rule: AccessRule, method: string): void {
    const key = countedKey(principal);
    this.rates.countKnown(limitOf(key, rule, method), key.id);
  }
}

function digestOf(tenantId: string, key: string): string {
  return `${tenantId}:${hash('sha256', key, 'base64')}`;
}

function countedKey(principal: Principal): CountedKey {
  return { kind: principal.kind, id: principal.kind === 'device' ? principal.deviceId : principal.keyId };
}

function limitOf({ kind }: CountedKey, rule: AccessRule, method: string): RateLimitName {
  if (kind === 'device') return 'scans';
  if (method === 'GET' || method === 'HEAD') return 'keyReads';
  const books = 'scope' in rule && (rule.scope === 'reservation' || rule.scope === 'membership');
  return books ? 'bookings' : 'keyWrites';
}
