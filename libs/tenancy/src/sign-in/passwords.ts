import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { WaitingClient } from '#kernel';
import { PasswordQueue, type InPasswordTurn, type PasswordCaller } from './password-queue.js';

/** OWASP's first recommendation for argon2id (2025): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const minimumPasswordLength = 10;
export const maximumPasswordLength = 256;

/** Of this process: its threads hash the passwords of all tenants. */
const queue = new PasswordQueue();

/**
 * Work that hashes a password, with a place in the queue from its beginning.
 * @throws UnavailableError when too many passwords wait
 */
export function withPasswordPlace<Result>(caller: PasswordCaller, work: (inTurn: InPasswordTurn) => Promise<Result>): Promise<Result> {
  return queue.run(caller, work);
}

/** @returns argon2id in PHC format. @throws UnavailableError when too many passwords wait */
export function hashPassword(password: string, caller: PasswordCaller): Promise<string> {
  return withPasswordPlace(caller, (inTurn) => inTurn(() => hash(password, parameters)));
}

let dummy: Promise<string> | undefined;

export interface PasswordCheck {
  /** Absent: nobody has this password. The check takes as long then, so that time does not tell who exists. */
  readonly stored: string | undefined;
  readonly password: string;
  readonly inTurn: InPasswordTurn;
  /** When it is gone before its turn, the password is not hashed. */
  readonly connection?: WaitingClient | undefined;
}

/** @throws UnavailableError when the connection is gone */
export async function verifyPassword({ stored, password, inTurn, connection }: PasswordCheck): Promise<boolean> {
  const fits = await inTurn(async () => {
    dummy ??= hash(randomBytes(16).toString('base64'), parameters);
    return verify(stored ?? (await dummy), password).catch(() => false);
  }, connection);
  return fits && stored !== undefined;
}

/** A password to hand to a person once: five groups of four letters and digits that are not confused, 100 bits. */
export function inventPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789X';
  const letters = [...randomBytes(20)].map((byte) => alphabet[byte % 32]);
  return [0, 4, 8, 12, 16].map((start) => letters.slice(start, start + 4).join('')).join('-');
}
