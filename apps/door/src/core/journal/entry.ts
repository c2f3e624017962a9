import type { Direction } from '../types.js';

/** Where a ticket is: states of the list that movements change. */
export type Place = 0 | 1 | 2;

/** What the device remembers of an attempt until the list of the event shows it. No names. */
export interface EntryFacts {
  readonly kind: 'scan' | 'undo';
  readonly scanId: string;
  readonly eventId: string;
  /** Hash of the ticket; null: not known. */
  readonly ticket: string | null;
  readonly direction: Direction;
  /** Where this device was. Missing: entries of earlier versions of the app. */
  readonly gateId?: string | null;
  /** Somebody went in or out. */
  readonly moved: boolean;
  /** Where the ticket was before; of an undo: where it is again. */
  readonly before: Place;
  /** Others of the reservation who came in under this code. */
  readonly extra: number;
  /** The ticket was not in the list. */
  readonly unlisted: boolean;
  /** Milliseconds since 1970 on the server's clock. */
  readonly at: number;
  /** Of an undo: the attempt that it takes back. */
  readonly undoes: string | null;
}

/** An entry of the journal in memory. */
export interface Entry {
  readonly n: number;
  readonly facts: EntryFacts;
  /** The line for the server; null: the server decided this attempt itself. */
  readonly line: string | null;
  /** The server answered the line, or decided the attempt. */
  settled: boolean;
  /** Number of the last request for the list that began before it was settled. */
  stamp: number;
}
