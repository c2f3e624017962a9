import { Resolver } from 'node:dns';
import { availableParallelism } from 'node:os';
import { EnvError, makeValidator } from 'envalid';
import ipaddr from 'ipaddr.js';
import { wireAddress } from '../text/email-address.js';

export const onOff = makeValidator<boolean>((input) => {
  if (/^(on|true|1|yes)$/i.test(input)) return true;
  if (/^(off|false|0|no)$/i.test(input)) return false;
  throw new EnvError('write on or off');
});

export const hostName = makeValidator<string>((input) => {
  const host = input.toLowerCase();
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host)) throw new EnvError('write a host name such as example.org');
  return host;
});

export const addressList = makeValidator<string[]>((input) => {
  const entries = input.split(/[\s,]+/).filter(Boolean);
  for (const entry of entries) {
    const valid = entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry);
    if (!valid) throw new EnvError(`"${entry}" is neither an address nor a network such as 10.0.0.0/8`);
  }
  return entries;
});

/** Host names, addresses and networks that outgoing requests may reach although they are not public. */
export const outboundList = makeValidator<string[]>((input) => {
  const entries = input
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  for (const entry of entries) {
    const valid = entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(entry);
    if (!valid) throw new EnvError(`"${entry}" is neither a host name, an address nor a network such as 10.0.0.0/8`);
  }
  return entries;
});

/** Addresses of name servers, with or without a port. */
export const nameServers = makeValidator<string[]>((input) => {
  const servers = input.split(/[\s,]+/).filter(Boolean);
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new EnvError('write addresses of name servers such as 192.0.2.53 or [2001:db8::53]:5353');
  }
  return servers;
});

export const postgresUrl = makeValidator<string>((input) => {
  if (input === '' || (/^postgres(ql)?:\/\//.test(input) && URL.canParse(input))) return input;
  throw new EnvError('write postgresql://user:password@host:5432/database');
});

/** The base URL of an API, without a path. */
export const origin = makeValidator<string>((input) => {
  if (/^https?:\/\//.test(input) && URL.canParse(input)) {
    const { origin: whole, username, password, pathname, search, hash } = new URL(input);
    if (`${username}${password}${search}${hash}` === '' && pathname === '/') return whole;
  }
  throw new EnvError('write scheme, host and port alone, such as https://api.stripe.com');
});

/** Number of schemas that are kept ready. */
export const spareCount = makeValidator<number>((input) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < 0 || value > 50) throw new EnvError('write a whole number from 0 to 50');
  return value;
});

export const poolSize = makeValidator<number>((input) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < 1 || value > 200) throw new EnvError('write a whole number from 1 to 200');
  return value;
});

export const drawingThreads = makeValidator<number>((input) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < 1 || value > 16) throw new EnvError('write a whole number from 1 to 16');
  return value;
});

/** One core stays free for the event loop. Two threads draw more tickets than mail servers usually accept. */
export function usualDrawingThreads(): number {
  return Math.min(2, Math.max(1, availableParallelism() - 1));
}

export const longSecret = makeValidator<string>((input) => {
  if (input === '' || input.length >= 32) return input;
  throw new EnvError('use at least 32 characters');
});

/** 0 means any free port. */
export const listeningPort = makeValidator<number>((input) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new EnvError('write a port from 0 (any free one) to 65535');
  return value;
});

/** The URL of an SMTP server; error messages never repeat it, because it contains a password. */
export const smtpUrl = makeValidator<string>((input) => {
  if (input === '' || isSmtpUrl(input)) return input;
  throw new EnvError('write smtp://user:password@host:587 or smtps://user:password@host:465, special characters as %XX');
});

function isSmtpUrl(input: string): boolean {
  if (!/^smtps?:\/\/[^\s/]/.test(input) || !URL.canParse(input)) return false;
  const { hostname, username, password, pathname, search, hash } = new URL(input);
  try {
    decodeURIComponent(username + password + hostname);
  } catch {
    return false;
  }
  return hostname !== '' && (pathname === '' || pathname === '/') && search === '' && hash === '';
}

/** `address` or `Name <address>`. */
export const sender = makeValidator<string>((input) => {
  const [, , named, bare] = senderShape.exec(input) ?? [];
  if (input === '' || wireAddress(named ?? bare ?? '') !== undefined) return input;
  throw new EnvError('write an address such as tickets@example.org, or Name <tickets@example.org>');
});
const senderShape = /^(?:([^<>"\p{Cc}]*)<([^\s<>@,;"()]+@[^\s<>@,;"()]+)>|([^\s<>@,;"()]+@[^\s<>@,;"()]+))$/u;

/** The sender of mails. @param written as `sender` accepts it; empty: `no-reply@` the base domain */
export function senderOf(written: string, baseDomain: string): { readonly name: string; readonly address: string } {
  const [, name, named, bare] = senderShape.exec(written) ?? [];
  return { name: name?.trim() || 'Guichet', address: named ?? bare ?? `no-reply@${baseDomain}` };
}

/** Whole milliseconds up to ten minutes. */
export const milliseconds = (least: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (Number.isInteger(value) && value >= least && value <= 600_000) return value;
    throw new EnvError(`write whole milliseconds from ${least} to 600000`);
  });

export const minutes = makeValidator<number>((input) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < 1 || value > 525_600) throw new EnvError('write whole minutes from 1');
  return value;
});

/** A whole number from 1 to 1000. */
export const count = makeValidator<number>((input) => {
  const value = Number(input);
  if (!Number.isInteger(value) || value < 1 || value > 1000) throw new EnvError('write a whole number from 1 to 1000');
  return value;
});

/** A number of connections, at most a million. */
export const connections = (least: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isInteger(value) || value < least || value > 1_000_000) throw new EnvError(`write a whole number from ${least} to 1000000`);
    return value;
  });

/** Whole months, at most ten years; 0 means never. */
export const months = makeValidator<number>((text) => {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= 120)) throw new EnvError('write whole months from 1 to 120, or 0 for never');
  return count;
});

/** Whole days from `least`; 0 means for ever. */
export const days = (least: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (Number.isInteger(value) && (value === 0 || (value >= least && value <= 36_500))) return value;
    throw new EnvError(`write whole days from ${least}, or 0 to keep everything`);
  });
