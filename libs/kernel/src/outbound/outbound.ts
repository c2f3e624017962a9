import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { NameLookups } from './name-lookups.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** An outgoing request was stopped before it left: its target is not a public address. */
export class OutboundRefusedError extends Error {}

/**
 * The wall in front of every request that Guichet makes for somebody (webhooks, pictures to fetch). Names are resolved once, all their
 * addresses are judged as bytes, and the connection goes to what was judged; so neither a name that leads inside, nor one that changes
 * its mind between two look-ups, reaches a private network. `OUTBOUND_ALLOW` names exceptions.
 */
@Injectable()
export class Outbound implements OnApplicationShutdown {
  private readonly hosts: ReadonlySet<string>;
  private readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  private readonly names: NameLookups;

  constructor(@Inject(SETTINGS) { outboundAllow, outboundDns }: Pick<Settings, 'outboundAllow' | 'outboundDns'>) {
    this.names = new NameLookups(outboundDns);
    this.hosts = new Set(outboundAllow.filter((entry) => !entry.includes('/') && !ipaddr.isValid(entry)));
    this.networks = outboundAllow
      .filter((entry) => entry.includes('/') || ipaddr.isValid(entry))
      .map((entry) => (entry.includes('/') ? ipaddr.parseCIDR(entry) : singleAddress(entry)));
    // Kept connections were judged when they were opened. Node leaves `lookup` out for literal addresses: `judge` sees those.
    const options = {
      keepAlive: true,
      keepAliveMsecs: 10_000,
      maxFreeSockets: 256,
      timeout: 30_000,
      lookup: this.lookup,
    };
    this.http = new HttpAgent(options);
    this.https = new HttpsAgent(options);
  }

  /**
   * The agent for a request to this address.
   * @throws OutboundRefusedError when its host is a literal address that is not let through
   */
  agentFor(url: URL): HttpAgent | HttpsAgent {
    const host = hostOf(url);
    if (isIP(host) && !this.lets(host)) throw new OutboundRefusedError(`${host} is not a public address`);
    return url.protocol === 'https:' ? this.https : this.http;
  }

  /** Whether a host is one of the exceptions of `OUTBOUND_ALLOW`, by name or as a literal address. */
  isException(url: URL): boolean {
    const host = hostOf(url);
    return this.hosts.has(host) || (isIP(host) !== 0 && this.inAllowedNetwork(host));
  }

  /** Whether this literal address may be connected to. */
  lets(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    return this.inAllowedNetwork(address) || isPublic(ipaddr.process(address));
  }

  onApplicationShutdown(): void {
    this.names.stop();
    this.http.destroy();
    this.https.destroy();
  }

  private readonly lookup: LookupFunction = (hostname, options, callback) => {
    const family = options.family === 4 || options.family === 6 ? options.family : 0;
    // The operator chose it, and may have written it into the hosts file; all others are chosen by tenants.
    const named = this.hosts.has(hostname.toLowerCase());
    const work = named ? this.names.systemAddressesOf(hostname, family) : this.names.addressesOf(hostname, family);
    work.then(
      (found) => {
        const refused = named ? undefined : found.find(({ address }) => !this.lets(address));
        const [first] = found;
        if (refused || !first) {
          return callback(new OutboundRefusedError(`${hostname} leads to ${refused?.address ?? 'no address'}`), '', 0);
        }
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };

  private inAllowedNetwork(address: string): boolean {
    const parsed = ipaddr.process(address);
    return this.networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits] as [ipaddr.IPv4, number]),
    );
  }
}

/** The host of an address as Node will connect to it: lower case, without the brackets of IPv6, without a final dot. */
export function hostOf(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/**
 * Globally reachable unicast only. What ipaddr.js calls unicast leaves out private, loopback, link-local, carrier-grade, multicast and
 * reserved ranges, and the translations of IPv4 into IPv6 (NAT64, 6to4, Teredo), whose inner address could be any of them.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match([ipaddr.IPv6.parse('2000::'), 3]);
}

function singleAddress(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
