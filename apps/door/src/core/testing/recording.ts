import { readFileSync } from 'node:fs';

/** One request of the app and the server's answer, as they were in a version of the protocol. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly authorization: string | null;
  /** The body as the app sent it; null: none. */
  readonly body: string | null;
  readonly status: number;
  readonly answer: unknown;
}

/** What the test did in between: `sell` a ticket that the list lacks, `wipe` the phone. */
export type Step = Exchange | { readonly does: 'sell' | 'wipe' };

/** An entry of the journal; `line`: as it is sent, null: nothing is. */
export interface StoredEntry {
  readonly n: number;
  readonly settled: boolean;
  readonly content: { readonly line: string | null };
}

/** An evening of one phone, recorded with the app and the server of one version. */
export interface Protocol {
  /** When it was recorded, in milliseconds since 1970. */
  readonly now: number;
  readonly event: string;
  readonly gate: string;
  readonly teamCode: string;
  /** Codes of tickets: 0 to 2 of their own, 3 to 5 a group, 6 sold after the list. */
  readonly codes: readonly string[];
  readonly steps: readonly Step[];
  /** What the app decided without a network, in this order. */
  readonly decided: ReadonlyArray<{ readonly code: number; readonly verdict: string; readonly reason: string | null }>;
  /** The content of the phone's database without a network, decrypted. */
  readonly stored: {
    readonly stores: readonly string[];
    readonly data: Readonly<Record<string, unknown>>;
    readonly journal: Readonly<Record<string, unknown>>;
    readonly deltas: readonly unknown[];
    readonly entries: readonly StoredEntry[];
    readonly intents: Readonly<Record<string, unknown>>;
    readonly tail: unknown;
  };
}

/** @param version of the protocol */
export function readProtocol(version: number): Protocol {
  return JSON.parse(readFileSync(`test/support/door/protocol-${version}.json`, 'utf8')) as Protocol;
}
