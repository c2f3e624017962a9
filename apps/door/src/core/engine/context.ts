import type { Role } from '../types.js';

/** What the server gave this phone when it was paired. Stored encrypted. */
export interface Credentials {
  readonly apiKey: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly tenantName: string;
  readonly role: Role;
  /** The event and the gate that staff chose for the device; null: people choose on the phone. */
  readonly event: string | null;
  readonly gate: string | null;
  /** How often staff moved the device; absent until the first contact. */
  readonly moves?: number;
}

/** What the app needs from its surroundings. Tests replace these. */
export interface Surroundings {
  /** Name of the database in the browser. */
  readonly database: string;
  /** Origin of the server; empty: that of the page. */
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  readonly appVersion: string | null;
  /** The battery, where the browser tells it. */
  readonly battery: () => { readonly level: number | null; readonly charging: boolean | null };
  readonly wall: () => number;
  readonly running: () => number;
}
