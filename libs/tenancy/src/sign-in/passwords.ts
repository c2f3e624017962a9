import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { UnavailableError } from '#kernel';
import pLimit from 'p-limit';

/** OWASP's first recommendation for argon2id (2025): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const minimumPasswordLength = 10;
export const maximumPasswordLength = 256;

/** A sign-in flood must not take both cores from scanning: at most two hashes at a time. */
const inTurn = pLimit(2);
/** At about 70 ms each, the last of these waits little more than a second; further ones are told to come back. */
export const maximumWaitingPasswords = 32;

/** @returns argon2id in PHC format */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, parameters));
}

let dummy: Promise<string> | undefined;

/** @throws UnavailableError when too many passwords wait to be checked */
export function refuseWhenBusy(): void {
  if (inTurn.pendingCount >= maximumWaitingPasswords) throw new UnavailableError('Too many sign-ins are under way.');
}

/**
 * Verifies a password; without a stored hash it takes as long and says no, so that time does not tell who exists.
 * @param signal aborted when nobody waits for the answer any more: the password is then not hashed
 * @throws UnavailableError when the signal was aborted
 */
export async function verifyPassword(stored: string | undefined, password: string, signal?: AbortSignal): Promise<boolean> {
  dummy ??= hashPassword(randomBytes(16).toString('base64'));
  const against = stored ?? (await dummy);
  const fits = await inTurn(() => {
    if (signal?.aborted) throw new UnavailableError('Nobody waits for this sign-in any more.');
    return verify(against, password).catch(() => false);
  });
  return fits && stored !== undefined;
}

/** A password to hand to a person once: five groups of four letters and digits that are not confused, 100 bits. */
export function inventPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789X';
  const letters = [...randomBytes(20)].map((byte) => alphabet[byte % 32]);
  return [0, 4, 8, 12, 16].map((start) => letters.slice(start, start + 4).join('')).join('-');
}
