import type { Genuineness } from '../codes/key-ring.js';
import type { TicketCode } from '../codes/parse-code.js';
import type { Place } from '../journal/entry.js';
import type { Direction, ScanResult } from '../types.js';

/** An attempt of this session: what `admit`, `admitGroup` and `undo` need. */
export interface Attempted {
  readonly scanId: string;
  readonly eventId: string;
  readonly code: TicketCode;
  /** SHA-256 of the code, base64url: what is stored of it. */
  readonly mark: string;
  readonly genuineness: Genuineness;
  /** Hash of the ticket as text. */
  readonly ticket: string | null;
  readonly gateId: string | null;
  readonly direction: Direction;
  /** Tickets that move together; null: the one of the code. */
  readonly tickets: number | null;
  readonly at: number;
  readonly before: Place;
  readonly unlisted: boolean;
  result: ScanResult;
  /** Somebody came in or went out. */
  moved: boolean;
  undone: boolean;
  /** A person let in or out after `ask`. */
  byHand: boolean;
  /** The attempt under which the server knows that somebody came in although it refused. */
  again: string | null;
}

/** The most attempts that are kept. */
const most = 500;

/** Attempts of this session by their ids; the oldest leave first. */
export class Attempts {
  private readonly all = new Map<string, Attempted>();

  add(attempt: Attempted): void {
    this.all.set(attempt.scanId, attempt);
    const [oldest] = this.all.keys();
    if (this.all.size > most && oldest !== undefined) this.all.delete(oldest);
  }

  get(scanId: string): Attempted | undefined {
    return this.all.get(scanId);
  }

  /** The attempt whose entry in the journal has this id. */
  ofEntry(scanId: string): Attempted | undefined {
    return this.all.get(scanId) ?? [...this.all.values()].find(({ again }) => again === scanId);
  }

  /** The last movement with this code that was not undone; null: there is none. */
  lastMove(code: string): { readonly at: number; readonly direction: Direction } | null {
    const moved = [...this.all.values()].findLast((one) => one.code.text === code && one.moved && !one.undone && one.tickets === null);
    return moved ? { at: moved.result.at, direction: moved.direction } : null;
  }

  clear(): void {
    this.all.clear();
  }
}
