import type { Role } from '../types.js';

/** What the server gave this phone when it was paired. Stored encrypted. */
export interface Credentials {
  readonly apiKey: string;
  /** Names this phone to the server, also among phones that are paired as the same device one after the other. */
  readonly holder: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly tenantName: string;
  /** Time zone of the venue; null: the server has not said it yet. */
  readonly timeZone: string | null;
  readonly role: Role;
  /** The event and the gate that staff chose for the device; null: people choose on the phone. */
  readonly event: string | null;
  readonly gate: string | null;
  /** It may not scan, by the last answer of the server. */
  readonly locked?: boolean;
  /** When its opening hours begin, in milliseconds since 1970; null or absent: it has none, or staff locked it. */
  readonly opensAt?: number | null;
  /** When its opening hours end; null or absent: never. */
  readonly closesAt?: number | null;
  /** How often staff moved the device; absent until the first contact. */
  readonly moves?: number;
  /** SHA-256 of the code that paired the phone, base64url. Missing: it was paired by an earlier version of the app. */
  readonly code?: string;
}

/** What the app needs from its surroundings. Tests replace these. */
export interface Surroundings {
  /** Name of the database in the browser. */
  readonly database: string;
  /** Origin of the server; empty: that of the page. */
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  readonly appVersion: string | null;
  /** Code of the language in use, in which the server answers. */
  readonly language: () => string;
  /** The battery, where the browser tells it. */
  readonly battery: () => { readonly level: number | null; readonly charging: boolean | null };
  /**
   * Whether the browser promised to keep what the app stores; null: it does not tell.
   * @param ask asks it to promise, which some browsers do only during a tap
   */
  readonly persistent: (ask: boolean) => Promise<boolean | null>;
  /** Milliseconds after which a person decides, because the phone's storage hangs. */
  readonly longestScan: number;
  readonly wall: () => number;
  readonly running: () => number;
}
