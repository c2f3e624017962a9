import { fromBase64url, utf8 } from '../codes/bytes.js';
import type { KeyRing, PublicJwk } from '../codes/key-ring.js';
import type { DoubleEntry, WrongEvent } from '../types.js';

/** The signed content of `GET /scan/pack/`. Arrays of bytes are base64url. */
export interface PackPayload {
  readonly schema: 2;
  readonly full: boolean;
  readonly event: {
    readonly uuid: string;
    readonly name: string;
    readonly place: string | null;
    readonly start: string;
    readonly end: string | null;
    readonly doors: string | null;
    readonly closes: string | null;
    readonly reentry: boolean;
    readonly note: string | null;
    readonly age: number | null;
  };
  readonly position: string;
  readonly server_time: string;
  /** IANA name of the venue's time zone. */
  readonly time_zone: string;
  readonly lease_end: string;
  readonly policy: 'record' | 'one_device';
  readonly salt: string;
  readonly keys: readonly PublicJwk[];
  readonly gates: ReadonlyArray<{ readonly uuid: string; readonly name: string; readonly types: readonly number[] | null }>;
  readonly types: ReadonlyArray<{
    readonly uuid: string;
    readonly price: string;
    readonly product: string;
    readonly note: string | null;
    /** Missing: once, or an earlier version of the server. */
    readonly entry?: 'daily' | 'exits';
  }>;
  readonly devices: ReadonlyArray<{ readonly uuid: string; readonly name: string }>;
  readonly mine: {
    readonly device: string;
    /** With `one_device`: what this device may let in without the server. */
    readonly types: readonly number[] | null;
    readonly end: string | null;
    /** Which devices have the other types. */
    readonly holders: ReadonlyArray<{ readonly type: number; readonly device_name: string | null; readonly gate: string | null }>;
  };
  /** How long `mine` lasts from the answer on; null: it holds nothing, or needs no time. */
  readonly lease_ms: number | null;
  /** Of a stored list: until when `mine` holds, in milliseconds since 1970 on the clock of this phone. */
  readonly held_until?: number | null;
  readonly counts: {
    readonly expected: number;
    readonly admitted: number;
    readonly inside: number;
    readonly gates: readonly number[];
    readonly elsewhere: number;
  };
  readonly conflicts: readonly DoubleEntry[];
  /** Tickets for other events that came in here. Missing: an earlier version of the server. */
  readonly wrong_events?: readonly WrongEvent[];
  readonly count: number;
  /** What the reservations of unpaid tickets cost, by hash. Missing: nothing, or an earlier version of the server. */
  readonly due?: Readonly<Record<string, string>>;
  /** Moments count from here: seconds since 1970. */
  readonly moments_since: number;
  readonly hashes: string;
  readonly type: string;
  readonly state: string;
  readonly gate: string;
  readonly device: string;
  readonly transfers: string;
  readonly moment: string;
  readonly group: string;
  readonly sealed?: ReadonlyArray<string | null>;
}

/** The body of `GET /scan/pack/`. */
export interface SignedPack {
  readonly payload: string;
  readonly kid: string;
  readonly signature: string;
}

/** The pack is not what the server of this tenant signed, or cannot be read. */
export class PackError extends Error {
  constructor(readonly code: 'forged' | 'unknown_key' | 'unreadable') {
    super(`The list of the event is ${code}.`);
  }
}

/**
 * Verifies and reads a pack.
 * @throws PackError `forged`, `unknown_key` (get the keys and try again), `unreadable`
 */
export async function openPack(signed: unknown, keys: KeyRing): Promise<PackPayload> {
  const { payload, kid, signature } = (signed ?? {}) as Partial<SignedPack>;
  if (typeof payload !== 'string' || typeof kid !== 'string' || typeof signature !== 'string') throw new PackError('unreadable');
  const genuineness = await keys.verify(kid, fromBase64url(signature) ?? new Uint8Array(), utf8(`guichet-pack.1\n${payload}`));
  if (genuineness !== 'genuine') throw new PackError(genuineness);
  return readPayload(payload);
}

/** Reads a payload whose origin is known. @throws PackError `unreadable` */
export function readPayload(text: string): PackPayload {
  let payload: PackPayload;
  try {
    payload = JSON.parse(text) as PackPayload;
  } catch {
    throw new PackError('unreadable');
  }
  if (payload?.schema !== 2 || typeof payload.hashes !== 'string' || typeof payload.salt !== 'string') throw new PackError('unreadable');
  return payload;
}
