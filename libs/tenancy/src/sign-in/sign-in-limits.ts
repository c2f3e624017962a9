import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** What failed sign-ins are counted under, and from which failure on it is locked. */
export interface SignInSubject {
  readonly hash: Buffer;
  readonly threshold: number;
}

/** Failures from one network, or from one known browser, before it waits. */
const failuresOfOne = 5;
/** Failures of an address from all unknown browsers together before they wait: a guesser with many networks is slowed down. */
const failuresOfAll = 100;

/**
 * Under what an attempt is counted. A browser in which this person signed in before counts by itself, so nobody else can lock it out. Any
 * other counts by address and client network, and slowly by address alone. Only hashes are kept, so the table tells nobody who tried.
 * @param client IP address of the caller
 * @param browser id of the known browser; undefined: unknown
 */
export function signInSubjects(email: string, client: string | undefined, browser: string | undefined): SignInSubject[] {
  if (browser !== undefined) return [{ hash: digest('browser', email, browser), threshold: failuresOfOne }];
  return [
    { hash: digest('network', email, networkOf(client)), threshold: failuresOfOne },
    { hash: digest('address', email), threshold: failuresOfAll },
  ];
}

/** Finds everything that is counted for an address. */
export function emailHash(email: string): Buffer {
  return digest('email', email);
}

/** The network that one customer of a provider has: /24 of IPv4, /56 of IPv6. */
export function networkOf(client: string | undefined): string {
  if (!client || !ipaddr.isValid(client)) return 'unknown';
  const address = ipaddr.process(client);
  const kept = address.kind() === 'ipv4' ? 3 : 7;
  return Buffer.from(address.toByteArray().slice(0, kept)).toString('hex');
}

function digest(...parts: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
