import ipaddr from 'ipaddr.js';
import { currentRequest } from './request-context.js';

/** What a provider gives one customer, bits of IPv6. */
const customerBits = 56;
/** What a provider gives an organisation, bits of IPv6: as many networks of customers as an IPv4 network of 24 bits has addresses. */
const siteBits = 48;
/** How many times the allowance of one customer a site has. */
export const customersOfSite = 8;

/** A network that a client is counted by. */
export interface CountedNetwork {
  readonly name: string;
  /** How many times the allowance of one client it has. */
  readonly times: number;
}

/**
 * The network by which a client is counted everywhere: an IPv6 network of 56 bits, because one customer chooses among all addresses in it,
 * and an IPv4 address.
 * @param ipv4Bits 24: the network around it: 24 bits of IPv4, 48 bits of IPv6
 */
export function networkOfClient(ip: string | undefined, ipv4Bits: 24 | 32 = 32): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  return networkOf(address, address.kind() === 'ipv4' ? ipv4Bits : ipv4Bits === 24 ? siteBits : customerBits);
}

/**
 * The networks by which load of a client is counted: its own (see `networkOfClient`), and for IPv6 also the 48 bits around it, because
 * whoever has such a network has 256 of the others.
 */
export function networksOfClient(ip: string | undefined): readonly CountedNetwork[] {
  if (!ip || !ipaddr.isValid(ip)) return [{ name: 'unknown', times: 1 }];
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return [{ name: networkOf(address, 32), times: 1 }];
  return [
    { name: networkOf(address, customerBits), times: 1 },
    { name: networkOf(address, siteBits), times: customersOfSite },
  ];
}

/** The networks by which things that a client holds are counted. */
export interface ClientNetworks {
  /** As `networkOfClient` names it. */
  readonly own: string;
  /** The 48 bits of IPv6 around it, which have `customersOfSite` times its allowance; null for IPv4. */
  readonly site: string | null;
}

/**
 * The networks by which tickets and places in queues are counted. Many phones of one provider share a site, so it gets more than one
 * client; whoever has a whole site gets 256 networks, so it is counted, too.
 */
export function clientNetworks(ip: string | undefined): ClientNetworks {
  const [own, site] = networksOfClient(ip);
  return { own: (own as CountedNetwork).name, site: site?.name ?? null };
}

/**
 * The largest network by which a client is counted: 48 bits of IPv6, an IPv4 address. For what one client may ask for (links by mail,
 * entries, memberships): whoever has such a network shall not get 256 times as much.
 */
export function siteOfClient(ip: string | undefined): string {
  return (networksOfClient(ip).at(-1) as CountedNetwork).name;
}

/** The network (see `siteOfClient`) of the client of the current request; undefined in jobs and commands. */
export function currentNetwork(): string | undefined {
  const request = currentRequest();
  return request && siteOfClient(request.ip);
}

/** Whether an address belongs to this machine or to a private network. */
export function isNearAddress(ip: string): boolean {
  return ipaddr.isValid(ip) && ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(ip).range());
}

/** Whether the client of the current request runs on this machine. False for what comes through a proxy, wherever that runs. */
export function isOwnMachine(): boolean {
  return currentRequest()?.isOwnMachine ?? false;
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  return `${Buffer.from(address.toByteArray().slice(0, bits / 8)).toString('hex')}/${bits}`;
}
