import { createHash } from 'node:crypto';
import { networkOfClient } from '#kernel';

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
    // A guesser often has several addresses of one IPv4 network.
    { hash: digest('network', email, networkOfClient(client, 24)), threshold: failuresOfOne },
    { hash: digest('address', email), threshold: failuresOfAll },
  ];
}

/** Finds everything that is counted for an address. */
export function emailHash(email: string): Buffer {
  return digest('email', email);
}

function digest(...parts: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
