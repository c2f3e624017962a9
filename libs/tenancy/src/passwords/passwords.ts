import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { WaitingClient } from '#kernel';
import { PasswordQueue, type InPasswordTurn, type PasswordCaller } from './password-queue.js';

/** OWASP's first recommendation for argon2id (2025): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const minimumPasswordLength = 10;
export const maximumPasswordLength = 256;

/** One queue per process, because the tenants share its threads. */
const queue = new PasswordQueue();

/**
 * Runs work that hashes a password; it has a place in the queue from the beginning.
 * @throws UnavailableError when too many passwords wait
 */
export function withPasswordPlace<Result>(caller: PasswordCaller, work: (inTurn: InPasswordTurn) => Promise<Result>): Promise<Result> {
  return queue.run(caller, work);
}

/** Hashes with argon2id. @returns PHC format. @throws UnavailableError when too many passwords wait */
export function hashPassword(password: string, caller: PasswordCaller): Promise<string> {
  return withPasswordPlace(caller, (inTurn) => inTurn(() => hash(password, parameters)));
}

let dummy: Promise<string> | undefined;

export interface PasswordCheck {
  /** Absent when the user does not exist. The check then takes the same time, so that the duration does not reveal which users exist. */
  readonly stored: string | undefined;
  readonly password: string;
  readonly inTurn: InPasswordTurn;
  /** If it closes before its turn, the password is not hashed. */
  readonly connection?: WaitingClient | undefined;
}

/** Verifies a password. @throws UnavailableError when the connection was closed */
export async function verifyPassword({ stored, password, inTurn, connection }: PasswordCheck): Promise<boolean> {
  const fits = await inTurn(async () => {
    dummy ??= hash(randomBytes(16).toString('base64'), parameters);
    return verify(stored ?? (await dummy), password).catch(() => false);
  }, connection);
  return fits && stored !== undefined;
}

/** Generates a password of 100 random bits: five groups of four characters, without characters that are easily confused. */
export function inventPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789X';
  const letters = [...randomBytes(20)].map((byte) => alphabet[byte % 32]);
  return [0, 4, 8, 12, 16].map((start) => letters.slice(start, start + 4).join('')).join('-');
}
