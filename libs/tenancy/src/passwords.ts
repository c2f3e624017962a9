import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** OWASP's first recommendation for argon2id (2025): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const minimumPasswordLength = 10;
export const maximumPasswordLength = 256;

/** A sign-in flood must not take both cores from the door: at most two hashes at a time. */
const inTurn = pLimit(2);

/** @returns argon2id in PHC format */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, parameters));
}

let dummy: Promise<string> | undefined;

/** Verifies a password; without a stored hash it takes as long and says no, so that time does not tell who exists. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword(randomBytes(16).toString('base64'));
  const against = stored ?? (await dummy);
  const fits = await inTurn(() => verify(against, password).catch(() => false));
  return fits && stored !== undefined;
}

/** A password to hand to a person once: five groups of four letters and digits that are not confused, 100 bits. */
export function inventPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789X';
  const letters = [...randomBytes(20)].map((byte) => alphabet[byte % 32]);
  return [0, 4, 8, 12, 16].map((start) => letters.slice(start, start + 4).join('')).join('-');
}
