import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { limits } from '../bounds/limits.js';
import { FairLimit } from '../limits/fair-limit.js';

export interface LookupTimes {
  /** Time limit of a lookup, and of the wait for a free slot, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Time that the second address family has after the first one is known, in milliseconds. Some name servers never answer queries for
   * IPv6.
   */
  readonly graceMs: number;
}

const usualTimes: LookupTimes = { deadlineMs: limits.nameLookUps.turns.waitMs, graceMs: limits.secondFamily.ms };

/**
 * Resolves host names that tenants choose. Node's own `dns.lookup` (getaddrinfo) blocks one of the four threads that files, passwords and
 * images also need, for as long as a name server is slow. This class queries the name servers without a thread (c-ares), within a
 * deadline, with a limit of concurrent lookups in all and for each tenant. It does not read /etc/hosts and knows no search domains:
 * `systemAddressesOf` does.
 */
export class NameLookups {
  private readonly limit: FairLimit;
  private readonly systemLimit: FairLimit;
  private readonly underWay = new Set<Resolver>();
  private stopped = false;

  /** @param servers addresses of name servers, with or without a port; empty: those of the system */
  constructor(
    private readonly servers: readonly string[],
    private readonly times: LookupTimes = usualTimes,
  ) {
    const queue = { waitMs: times.deadlineMs, refuse: () => lookupError('EAI_AGAIN', 'its turn') };
    this.limit = new FairLimit({ ...limits.nameLookUps.turns, ...queue });
    // At most two of the four threads.
    this.systemLimit = new FairLimit({ ...limits.systemLookUps.turns, ...queue });
  }

  /**
   * Resolves a name by DNS, IPv4 addresses first.
   * @param family 4 or 6; 0: both
   * @throws Error with `code` ENOTFOUND (there are none) or EAI_AGAIN (no answer in time)
   */
  addressesOf(name: string, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    // RFC 6761: `localhost` is never sent to a name server.
    if (/(^|\.)localhost\.?$/i.test(name)) return Promise.resolve(loopback.filter((one) => !family || one.family === family));
    return this.limit.run(() => this.ask(name, family));
  }

  /** Resolves a name as the system does: with /etc/hosts and search domains. For names that the operator chose. */
  systemAddressesOf(name: string, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    const found = this.systemLimit.run(
      () =>
        new Promise<LookupAddress[]>((resolve, reject) => {
          lookup(name, { family, all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
        }),
    );
    // A getaddrinfo call cannot be cancelled: on time-out the caller continues and the call keeps its slot until it ends.
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(lookupError('EAI_AGAIN', name)), this.times.deadlineMs);
      found.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Cancels running lookups; callers that wait get EAI_AGAIN. */
  stop(): void {
    this.stopped = true;
    for (const resolver of this.underWay) resolver.cancel();
  }

  private async ask(name: string, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    const { deadlineMs, graceMs } = this.times;
    if (this.stopped) throw lookupError('EAI_AGAIN', name);
    // One resolver per lookup: it reads the current system settings and can be cancelled alone.
    const resolver = new Resolver({ timeout: Math.ceil(deadlineMs / 3), tries: 2 });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    this.underWay.add(resolver);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    let grace: NodeJS.Timeout | undefined;
    const of = async (asked: 4 | 6): Promise<LookupAddress[]> => {
      const addresses = await (asked === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      if (addresses.length > 0) grace ??= setTimeout(() => resolver.cancel(), graceMs);
      return addresses.map((address) => ({ address, family: asked }));
    };
    const answers = await Promise.allSettled((family === 0 ? ([4, 6] as const) : [family]).map(of));
    this.underWay.delete(resolver);
    clearTimeout(deadline);
    clearTimeout(grace);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const unknown = answers.every((answer) => answer.status === 'fulfilled' || isUnknown(answer.reason));
    throw lookupError(unknown ? 'ENOTFOUND' : 'EAI_AGAIN', name);
  }
}

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Whether there is no such name, no address, or the name is invalid. */
function isUnknown(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function lookupError(code: 'ENOTFOUND' | 'EAI_AGAIN', what: string): Error {
  return Object.assign(new Error(`${code}: the look-up of ${what} failed`), { code });
}
