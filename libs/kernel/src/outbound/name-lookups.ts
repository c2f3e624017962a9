import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { FairLimit } from '../limits/fair-limit.js';

export interface LookupTimes {
  /** Longest time of a look-up in milliseconds, and longest wait for its turn. */
  readonly deadlineMs: number;
  /** Once one family of addresses is known, the other one has so long. Some servers never answer when asked for IPv6. */
  readonly graceMs: number;
}

const usualTimes: LookupTimes = { deadlineMs: 5000, graceMs: 300 };

/**
 * Looks up names that tenants choose. Node's own `dns.lookup` (getaddrinfo) blocks one of the four threads that files, passwords and pictures also
 * need, for as long as a name server is slow. This asks the name servers without a thread (c-ares), within a deadline, and so many names at once,
 * in all and for each tenant. It does not read /etc/hosts and knows no search domains: `systemAddressesOf` does.
 */
export class NameLookups {
  private readonly limit: FairLimit;
  private readonly systemLimit: FairLimit;
  private readonly underWay = new Set<Resolver>();
  private stopped = false;

  /** @param servers addresses of name servers, with or without a port; none: those of the system */
  constructor(
    private readonly servers: readonly string[],
    private readonly times: LookupTimes = usualTimes,
  ) {
    const queue = { waiting: 100, waitMs: times.deadlineMs, refuse: () => lookupError('EAI_AGAIN', 'its turn') };
    this.limit = new FairLimit({ total: 64, each: 8, ...queue });
    // Two of the four threads at most.
    this.systemLimit = new FairLimit({ total: 2, each: 1, ...queue });
  }

  /**
   * The addresses of a name, those of IPv4 first, from DNS.
   * @param family 4 or 6; 0: both
   * @throws Error with `code` ENOTFOUND (there are none) or EAI_AGAIN (no answer in time)
   */
  addressesOf(name: string, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    // RFC 6761: never asked of a name server.
    if (/(^|\.)localhost\.?$/i.test(name)) return Promise.resolve(loopback.filter((one) => !family || one.family === family)); // prettier-ignore
    return this.limit.run(() => this.ask(name, family));
  }

  /** The same as the system sees it: with /etc/hosts and search domains. For names that the operator chose. */
  systemAddressesOf(name: string, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    const found = this.systemLimit.run(
      () =>
        new Promise<LookupAddress[]>((resolve, reject) => {
          lookup(name, { family, all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
        }),
    );
    // The thread cannot be called back: it keeps its place, and the caller goes.
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(lookupError('EAI_AGAIN', name)), this.times.deadlineMs);
      found.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** Ends what is under way; whoever waits gets EAI_AGAIN. */
  stop(): void {
    this.stopped = true;
    for (const resolver of this.underWay) resolver.cancel();
  }

  private async ask(name: string, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    const { deadlineMs, graceMs } = this.times;
    if (this.stopped) throw lookupError('EAI_AGAIN', name);
    // One for each look-up: it reads the system's settings anew, and can be cancelled alone.
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

/** There is no such name, no address, or it is not a name at all. */
function isUnknown(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function lookupError(code: 'ENOTFOUND' | 'EAI_AGAIN', what: string): Error {
  return Object.assign(new Error(`${code}: the look-up of ${what} failed`), { code });
}
