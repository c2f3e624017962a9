import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimits, type Client, type RateLimitName } from '#kernel';
import { LRUCache } from 'lru-cache';
import type { AccessRule } from './access-rule.js';
import type { Principal } from '../keys/api-keys.service.js';
import { currentTenant } from '../context/tenant-context.js';

/** Which rate limit a request counts for: that of its key or device when it has an accepted one, else that of its network. */
@Injectable()
export class RequestLimitsService {
  /**
   * Keys that were accepted lately: their requests do not count for the network, so that devices behind one address do not share a bucket.
   */
  private readonly accepted = new LRUCache<string, true>({ max: 20_000, ttl: 10 * 60_000, updateAgeOnGet: true });

  constructor(private readonly limits: RateLimits) {}

  /** A request without a key. @throws Problem 429 `rate.limited` */
  countVisitor(rule: AccessRule, client: Client): void {
    const limit = rule.who === 'public' ? (rule.limit ?? 'pages') : rule.who === 'guest' ? 'pages' : 'unknownKeys';
    if (limit !== 'none') this.limits.countNetwork(limit, client);
  }

  /**
   * Has a key looked at. One that was not accepted lately counts for the network before anything is looked up, and does not when it is
   * accepted;
   * so guessing is bounded by the limit, whatever runs at once.
   * @param key as it was sent
   * @throws Problem 429 `rate.limited`, and what `look` throws
   */
  async countKey(key: string, client: Client, look: () => Promise<Principal>): Promise<Principal> {
    const digest = `${currentTenant().id}:${createHash('sha256').update(key).digest('base64')}`;
    const isNew = !this.accepted.has(digest);
    if (isNew) this.limits.countNetwork('unknownKeys', client);
    try {
      const principal = await look();
      if (isNew) this.limits.giveBack('unknownKeys', client);
      this.accepted.set(digest, true);
      return principal;
    } catch (error) {
      this.accepted.delete(digest);
      throw error;
    }
  }

  /** A request with an accepted key. @throws Problem 429 `rate.limited` */
  countPrincipal(principal: Principal, rule: AccessRule, method: string): void {
    if (principal.kind === 'device') this.limits.countKnown('scans', principal.deviceId);
    else this.limits.countKnown(limitOf(rule, method), principal.keyId);
  }
}

function limitOf(rule: AccessRule, method: string): RateLimitName {
  if (method === 'GET' || method === 'HEAD') return 'keyReads';
  const books = 'scope' in rule && (rule.scope === 'reservation' || rule.scope === 'membership');
  return books ? 'bookings' : 'keyWrites';
}
