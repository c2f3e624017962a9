import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../../people/roles/api-key-scopes.js';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 256 bits in base 62 are 43 characters, 32 bits of CRC are 6. */
const pattern = /^(gdev|gkey)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export interface ParsedKey {
  readonly kind: KeyKind;
  readonly id: string;
  readonly secret: string;
}

export interface MintedKey {
  readonly id: string;
  /** The whole key, to be shown once. */
  readonly key: string;
  readonly secretHash: Buffer;
}

/** Creates a key `<kind>_<id>_<secret><check>`: a public id, 256 random bits, and the CRC-32 of everything before it. */
export function mintKey(kind: KeyKind): MintedKey {
  const id = base62(randomBytes(9), 13).slice(-12);
  const secret = base62(randomBytes(32), 43);
  const start = `${kind}_${id}_${secret}`;
  return { id, key: start + checkOf(start), secretHash: hashSecret(secret) };
}

/** Parses a key; undefined when its format or its checksum is invalid. Needs no query. */
export function parseKey(key: string): ParsedKey | undefined {
  const match = key.length <= 128 ? pattern.exec(key) : null;
  if (!match) return undefined;
  const [, kind, id, secret, check] = match as unknown as [string, KeyKind, string, string, string];
  return checkOf(key.slice(0, -6)) === check ? { kind, id, secret } : undefined;
}

/** SHA-256, because a slow hash is unnecessary for 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time, also without a stored hash, so that the duration does not reveal whether a key id exists. */
export function secretFits(secret: string, storedHash: Buffer | undefined): boolean {
  const fits = timingSafeEqual(hashSecret(secret), storedHash ?? Buffer.alloc(32));
  return fits && storedHash !== undefined;
}

function checkOf(text: string): string {
  let rest = crc32(text);
  let check = '';
  for (let count = 0; count < 6; count += 1) {
    check = digits.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
