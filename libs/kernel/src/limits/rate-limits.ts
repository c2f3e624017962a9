import { Inject, Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { limits } from '../bounds/limits.js';
import { problem } from '../problems/kernel.problems.js';
import { LOGGER, type Logger } from '../observe/logger.js';
import { metrics } from '../observe/metrics.js';
import type { Problem } from '../problems/problem.js';
import type { RateLimit, RateLimitSettings } from '../settings/rate-limit-settings.js';
import { currentTenantId } from '../context/scope.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { networksOfClient } from '../context/client-networks.js';
import { TokenBuckets } from './token-buckets.js';

export type RateLimitName = Exclude<keyof RateLimitSettings, 'tenant'>;

/** Limits for callers without a key, counted by their network. */
export type NetworkLimitName = Extract<
  RateLimitName,
  'pages' | 'pictures' | 'signIn' | 'pairing' | 'unknownKeys' | 'tenantForm' | 'unknownHosts'
>;

/** The known properties of a client without a key. */
export interface Client {
  /** Express applies `X-Forwarded-For` only from `TRUSTED_PROXIES`. */
  readonly ip?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** Maximum buckets of each of the two kinds; one uses about 150 bytes. */
export const maximumBuckets = limits.buckets.kept.most;
const warnEveryMs = 60_000;

const limitedTotal = new Counter({
  name: 'guichet_rate_limited_total',
  help: 'Requests answered 429 by a rate limit, by its name.',
  labelNames: ['limit'],
  registers: [metrics],
});

/**
 * Rate limits of this process: token buckets by client network, key, device and tenant, in memory of a fixed size. Each process counts
 * separately, so that no scan waits for a shared counter. Every count also takes from its tenant's bucket of the same name.
 */
@Injectable()
export class RateLimits {
  /** A separate store, so that requests from many networks do not evict the buckets of keys and devices. */
  private readonly networks = new TokenBuckets(maximumBuckets);
  private readonly known = new TokenBuckets(maximumBuckets);
  private readonly settings: RateLimitSettings;
  private warnedAt = -Infinity;

  constructor(
    @Inject(SETTINGS) { rateLimits }: Pick<Settings, 'rateLimits'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.settings = rateLimits;
  }

  /** @throws Problem 429 `rate.limited` */
  countNetwork(name: NetworkLimitName, client: Client): void {
    const wait = this.take(name, (limit) => this.takeOfNetworks(name, client.ip, limit));
    if (wait === 0) return;
    this.warnOfProxy(client);
    throw limited(wait);
  }

  /** Puts back what `countNetwork` took, when the caller turns out to be counted by another key. */
  giveBack(name: NetworkLimitName, { ip }: Client): void {
    const limit = this.settings[name];
    if (limit === 'off') return;
    for (const { bucket, limit: ofNetwork } of bucketsOf(name, ip, limit)) this.networks.giveBack(bucket, ofNetwork);
  }

  /**
   * Counts a request of a key, device or browser.
   * @param id of the key, device or browser; unique over all tenants
   * @throws Problem 429 `rate.limited`
   */
  countKnown(name: RateLimitName, id: string): void {
    const wait = this.take(name, (limit) => this.known.take(`${name}:${id}`, limit));
    if (wait > 0) throw limited(wait);
  }

  /** Puts back what `countKnown` took, when the request turns out not to count. */
  giveBackKnown(name: RateLimitName, id: string): void {
    const { [name]: limit } = this.settings;
    if (limit !== 'off') this.known.giveBack(`${name}:${id}`, limit);
  }

  /**
   * Refuses a key or device whose bucket is empty, without counting: before anything is looked up for it.
   * @throws Problem 429 `rate.limited`
   */
  refuseEmpty(name: RateLimitName, id: string): void {
    const limit = this.settings[name];
    const wait = limit === 'off' ? 0 : this.known.waitOf(`${name}:${id}`, limit);
    if (wait === 0) return;
    limitedTotal.inc({ limit: name });
    throw limited(wait);
  }

  /** Takes a token from the bucket of `id` or of `network`, without throwing. @returns seconds to wait; 0: none */
  waitOf(name: NetworkLimitName, { network, id }: { network: string | undefined; id?: string | undefined }): number {
    const known = `${name}:${currentTenantId()}:${id}`;
    const wait = this.take(name, (limit) => (id === undefined ? this.takeOfNetworks(name, network, limit) : this.known.take(known, limit)));
    return secondsOf(wait);
  }

  /** Number of buckets in memory. */
  get size(): number {
    return this.networks.size + this.known.size;
  }

  /** @param takeOwn takes from the bucket of the caller; returns the milliseconds to wait. @returns the same, with the tenant's bucket */
  private take(name: RateLimitName, takeOwn: (limit: RateLimit) => number): number {
    const { [name]: own, tenant } = this.settings;
    // A limit that is off is also off for the tenant.
    if (own === 'off') return 0;
    let wait = takeOwn(own);
    const tenantId = currentTenantId();
    if (wait === 0 && tenant !== 'off' && tenantId !== undefined) wait = this.known.take(`${name} of ${tenantId}`, tenant);
    if (wait > 0) limitedTotal.inc({ limit: name });
    return wait;
  }

  /** Takes from all networks of a client, or from none when one has nothing left. */
  private takeOfNetworks(name: RateLimitName, ip: string | undefined, own: RateLimit): number {
    const buckets = bucketsOf(name, ip, own);
    const wait = Math.max(...buckets.map(({ bucket, limit }) => this.networks.waitOf(bucket, limit)));
    if (wait === 0) for (const { bucket, limit } of buckets) this.networks.take(bucket, limit);
    return wait;
  }

  /** Behind an untrusted proxy all clients share the proxy's address, and so one bucket. */
  private warnOfProxy({ headers, ip }: Client): void {
    if (headers['x-forwarded-for'] === undefined || performance.now() - this.warnedAt < warnEveryMs) return;
    this.warnedAt = performance.now();
    this.logger.warn({ ip }, 'rate limit reached by an address that sends X-Forwarded-For: if it is a proxy, list it in TRUSTED_PROXIES');
  }
}

function bucketsOf(
  name: RateLimitName,
  ip: string | undefined,
  { count, milliseconds }: RateLimit,
): { bucket: string; limit: RateLimit }[] {
  return networksOfClient(ip).map(({ name: network, times }) => ({
    bucket: `${name}:${network}`,
    limit: { count: count * times, milliseconds },
  }));
}

function secondsOf(wait: number): number {
  return Math.ceil(wait / 1000);
}

function limited(wait: number): Problem {
  const seconds = secondsOf(wait);
  return problem('rate.limited', { parameters: { seconds }, headers: { 'Retry-After': String(seconds) } });
}
