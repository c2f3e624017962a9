import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { NameLookups } from './name-lookups.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** An outgoing request was refused because its target is not a public address. */
export class OutboundRefusedError extends Error {}

/**
 * Protects every request that Guichet makes on behalf of users (webhooks, image downloads) against SSRF. A name is resolved once, all its
 * addresses are checked as bytes, and the connection goes to a checked address; so a name that points to a private network, or that
 * changes between two lookups, does not reach one. `OUTBOUND_ALLOW` lists exceptions.
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
    // Kept-alive connections were checked when they were opened. Node does not call `lookup` for literal addresses: `judge` checks those.
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
   * The agent for requests to this URL.
   * @throws OutboundRefusedError when its host is a literal address that is not allowed
   */
  agentFor(url: URL): HttpAgent | HttpsAgent {
    const host = hostOf(url);
    if (isIP(host) && !this.lets(host)) throw new OutboundRefusedError(`${host} is not a public address`);
    return url.protocol === 'https:' ? this.https : this.http;
  }

  /** Whether the host is listed in `OUTBOUND_ALLOW`, by name or as a literal address. */
  isException(url: URL): boolean {
    const host = hostOf(url);
    return this.hosts.has(host) || (isIP(host) !== 0 && this.inAllowedNetwork(host));
  }

  /** Whether connections to this literal address are allowed. */
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
    // Names in `OUTBOUND_ALLOW` are chosen by the operator and may be in the hosts file; all others are chosen by tenants.
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

/** The host of a URL as Node connects to it: lower case, without the brackets of IPv6, without a final dot. */
export function hostOf(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/**
 * Whether an address is globally reachable unicast. The range `unicast` of ipaddr.js excludes private, loopback, link-local,
 * carrier-grade NAT, multicast and reserved ranges, and the embeddings of IPv4 in IPv6 (NAT64, 6to4, Teredo), whose inner address could
 * be private.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match([ipaddr.IPv6.parse('2000::'), 3]);
}

function singleAddress(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
