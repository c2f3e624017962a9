import { createHash } from 'node:crypto';
import { networkOfClient } from '#kernel';

/** A subject that failed sign-ins are counted for, and the number of failures that locks it. */
export interface SignInSubject {
  readonly hash: Buffer;
  readonly threshold: number;
}

/** Maximum number of failures per e-mail address from one network or one known browser. */
const failuresOfOne = 5;
/** Maximum number of wrong discount codes of a tenant from one network, behind which many may be. */
const codesOfNetwork = 10;
/** The same from one API key, behind which are all buyers of a shop. */
const codesOfKey = 100;
/** Minutes without a wrong discount code after which they are forgotten. */
export const codeGuessMinutes = 60;
/** Maximum number of failures per e-mail address from all unknown browsers together, to slow down attackers with many networks. */
const failuresOfAll = 100;

/**
 * Returns the subjects of an attempt. A known browser is counted separately, so that nobody else can lock it. Other attempts are counted
 * for the address with the client's network, and for the address alone with a higher threshold. Only hashes are stored, so that the table
 * does not reveal who tried to sign in.
 * @param client IP address of the caller
 * @param browser id of the known browser; undefined: unknown
 */
export function signInSubjects(email: string, client: string | undefined, browser: string | undefined): SignInSubject[] {
  if (browser !== undefined) return [{ hash: digest('browser', email, browser), threshold: failuresOfOne }];
  return [
    // An attacker often has several addresses of one IPv4 network.
    { hash: digest('network', email, networkOfClient(client, 24)), threshold: failuresOfOne },
    { hash: digest('address', email), threshold: failuresOfAll },
  ];
}

/** The subject of guesses by somebody who is known already: the present password of a session, the code after a password. */
export function ownGuesses(what: 'password' | 'code', userId: string): SignInSubject[] {
  return [{ hash: digest(what, userId), threshold: failuresOfOne }];
}

/** Who tries discount codes: a buyer by the IP address, or an API key by its id. */
export type CodeGuesser = { readonly client: string } | { readonly keyId: string };

/** The subject of a discount code that somebody tries. */
export function codeGuess(tenantId: string, guesser: CodeGuesser): SignInSubject {
  if ('keyId' in guesser) return { hash: digest('discount code of key', tenantId, guesser.keyId), threshold: codesOfKey };
  return { hash: digest('discount code', tenantId, networkOfClient(guesser.client, 24)), threshold: codesOfNetwork };
}

/** Finds the counters of `codeGuess`. */
export const codeOwner = (tenantId: string): Buffer => digest('discount codes', tenantId);

/** A code of the second factor that was used. */
export function usedCode(userId: string, step: number): Buffer {
  return digest('used code', userId, String(step));
}

/** Finds the counters of `ownGuesses`. A new password does not remove them. */
export function guessesOwner(userId: string): Buffer {
  return digest('guesses', userId);
}

/** Finds all counters of an e-mail address. */
export function emailHash(email: string): Buffer {
  return digest('email', email);
}

function digest(...parts: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
