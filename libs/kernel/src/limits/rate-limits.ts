import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Counter } from 'prom-client';
import { problem } from '../problems/kernel.problems.js';
import { LOGGER, type Logger } from '../observe/logger.js';
import { metrics } from '../observe/metrics.js';
import type { Problem } from '../problems/problem.js';
import type { RateLimitSettings } from '../settings/rate-limit-settings.js';
import { currentTenantId } from '../context/scope.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { TokenBuckets } from './token-buckets.js';

export type RateLimitName = Exclude<keyof RateLimitSettings, 'tenant'>;

/** Limits of callers without a key: counted by the network they come from. */
export type NetworkLimitName = Extract<
  RateLimitName,
  'pages' | 'pictures' | 'signIn' | 'pairing' | 'unknownKeys' | 'tenantForm'
>;

/** What is known of a client without a key. */
export interface Client {
  /** Express decides by `TRUSTED_PROXIES` whose `X-Forwarded-For` counts. */
  readonly ip?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** Buckets of each of the two kinds; one takes about 150 bytes. */
export const maximumBuckets = 50_000;
const warnEveryMs = 60_000;

const limitedTotal = new Counter({
  name: 'guichet_rate_limited_total',
  help: 'Requests answered 429 by a rate limit, by its name.',
  labelNames: ['limit'],
  registers: [metrics],
});

/**
 * Rate limits of this process: token buckets by client network, key, device and tenant, in memory of a fixed size. Several processes count each for
 * itself, so that no scan waits for a counter elsewhere. Every count also takes from its tenant's bucket of the same name.
 */
@Injectable()
export class RateLimits {
  /** Apart, so that a flood from many networks does not make the buckets of keys and devices full again. */
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
    const wait = this.take(this.networks, name, networkOfClient(client.ip));
    if (wait === 0) return;
    this.warnOfProxy(client);
    throw limited(wait);
  }

  /** Puts back what `countNetwork` took: the caller turned out to be somebody who is counted otherwise. */
  giveBack(name: NetworkLimitName, { ip }: Client): void {
    const limit = this.settings[name];
    if (limit !== 'off') this.networks.giveBack(`${name}:${networkOfClient(ip)}`, limit);
  }

  /**
   * @param id of the key, device or browser; ids of different tenants never meet
   * @throws Problem 429 `rate.limited`
   */
  countKnown(name: RateLimitName, id: string): void {
    const wait = this.take(this.known, name, id);
    if (wait > 0) throw limited(wait);
  }

  /** Counts somebody in another bucket than `countNetwork` does. @returns seconds to wait; 0: none */
  waitOf(name: NetworkLimitName, { network, id }: { network: string | undefined; id?: string | undefined }): number {
    const wait =
      id === undefined
        ? this.take(this.networks, name, networkOfClient(network))
        : this.take(this.known, name, `${currentTenantId()}:${id}`);
    return secondsOf(wait);
  }

  /** Buckets in memory. */
  get size(): number {
    return this.networks.size + this.known.size;
  }

  private take(buckets: TokenBuckets, name: RateLimitName, subject: string): number {
    const { [name]: own, tenant } = this.settings;
    // A limit that is off is off for the tenant, too.
    if (own === 'off') return 0;
    let wait = buckets.take(`${name}:${subject}`, own);
    if (wait === 0 && tenant !== 'off') wait = this.known.take(`${name} of ${currentTenantId()}`, tenant);
    if (wait > 0) limitedTotal.inc({ limit: name });
    return wait;
  }

  /** Behind a proxy that is not trusted everybody has the proxy's address, and one bucket. */
  private warnOfProxy({ headers, ip }: Client): void {
    if (headers['x-forwarded-for'] === undefined || performance.now() - this.warnedAt < warnEveryMs) return;
    this.warnedAt = performance.now();
    this.logger.warn({ ip }, 'rate limit reached by an address that sends X-Forwarded-For: if it is a proxy, list it in TRUSTED_PROXIES'); // prettier-ignore
  }
}

/** What one client has: an IPv4 address, or an IPv6 network of 64 bits. */
export function networkOfClient(ip: string | undefined): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${Buffer.from(address.toByteArray().slice(0, 8)).toString('hex')}::/64`;
}

function secondsOf(wait: number): number {
  return Math.ceil(wait / 1000);
}

function limited(wait: number): Problem {
  const seconds = secondsOf(wait);
  return problem('rate.limited', { parameters: { seconds }, headers: { 'Retry-After': String(seconds) } });
}
