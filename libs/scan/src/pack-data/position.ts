import { createHash } from 'node:crypto';

/** The most characters of a position. */
export const longestPosition = 60;

/** Positions older than this are gone: the numbers of transactions are compared modulo 2³². */
const oldestMinutes = 24 * 60;

/**
 * A position in the changes of an event: what a device with this list knows. `<table>-<transaction>-<minute>-<salt><mark>`; to devices an
 * opaque text. `GET /scan/status/` writes the first two parts only: such a position has no mark, so its delta is never empty.
 */
export interface Position {
  /** Number of the table of tickets: tells positions of before a restore or a move apart. */
  readonly table: string;
  /** Changes that the list lacks belong to transactions from this number on; decimal text. */
  readonly since: string;
  /** Minutes since 1970, by the database's clock. */
  readonly minute: number | null;
  /** Four characters that differ between two salts. */
  readonly salt: string | null;
  /**
   * Eight characters that stand for everything that may have changed and that the list has: transactions from `since` on that were
   * finished already, the event, its gates and prices, and the device's conflicts.
   */
  readonly mark: string | null;
}

const shape = /^(\d{1,10})-(\d{1,18})(?:-([0-9a-z]{1,7})-([\w-]{12}))?$/;

/** Reads a position that a device sent. @returns undefined: it is none */
export function readPosition(text: string): Position | undefined {
  const match = text.length <= longestPosition ? shape.exec(text) : null;
  if (!match) return undefined;
  const [, table = '', since = '', minute, marks] = match;
  return {
    table,
    since,
    minute: minute === undefined ? null : parseInt(minute, 36),
    salt: marks?.slice(0, 4) ?? null,
    mark: marks?.slice(4) ?? null,
  };
}

export function writePosition({
  table,
  since,
  minute,
  salt,
  mark,
}: { readonly [Part in keyof Position]: NonNullable<Position[Part]> }): string {
  return `${table}-${since}-${minute.toString(36)}-${salt}${mark}`;
}

/** Whether a position is of another salt, or too old. @param now of the database */
export function isGone({ minute, salt }: Position, expected: string, now: Date): boolean {
  if (salt !== null && salt !== expected) return true;
  return minute !== null && Math.abs(minuteOf(now) - minute) > oldestMinutes;
}

export function minuteOf(moment: Date): number {
  return Math.floor(moment.getTime() / 60_000);
}

/** Short text that differs when one of the parts does. */
export function shortMark(length: number, ...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url').slice(0, length);
}
