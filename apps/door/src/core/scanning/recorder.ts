import type { Door } from '../door/door.js';
import type { EntryFacts, Place } from '../journal/entry.js';
import { ForkError, type Draft } from '../journal/journal.js';
import { namedBy, type LineFacts } from '../journal/line.js';
import { OwnMoves } from '../journal/own-moves.js';
import type { Direction } from '../types.js';
import type { Attempted } from './attempts.js';

/** Writes what happened into the journal. When a method settles, it is on disk. */
export class Recorder {
  /** Is called after lines for the server were written. */
  onLine: () => void = () => {};

  constructor(private readonly door: Door) {}

  /** What the list decided, or a person after it. @param asked the server was asked under the same id, and has not answered */
  async listed(attempt: Attempted, moved: boolean, asked: boolean): Promise<void> {
    const line: LineFacts = {
      ...this.basis(attempt.scanId, asked),
      ...namedBy(attempt.code, attempt.genuineness),
      eventId: attempt.eventId,
      gateId: attempt.gateId,
      direction: attempt.direction,
      verdict: moved ? 'admitted' : 'refused',
      ...(attempt.tickets !== null && moved && { tickets: attempt.tickets }),
    };
    await this.append([{ facts: factsOf(attempt, moved), line }], attempt.scanId);
    this.onLine();
  }

  /** What the server decided: the line stays on this phone. @param extra others of the reservation who came in */
  async decided(attempt: Attempted, extra: number | null): Promise<void> {
    const facts = factsOf(attempt, true);
    await this.append([{ facts: extra === null ? facts : { ...facts, extra }, line: null }], attempt.scanId);
  }

  /**
   * Appends drafts.
   * @throws ForkError when another tab wrote: the journal is read again, and the attempt has to be judged again
   */
  async append(drafts: readonly Draft[], intent?: string): Promise<void> {
    const { door } = this;
    // Most scans without a network have none, and are on disk sooner without deleting it.
    const isKept = intent !== undefined && door.intents.get(intent) !== undefined;
    // Before it is deleted on disk, so that nobody writes it again.
    const remember = isKept ? door.intents.ended(intent) : undefined;
    try {
      const options = { stamp: door.requests, ...(isKept && { intent }) };
      for (const entry of await door.journal.append(drafts, options)) door.own.add(entry);
    } catch (error) {
      remember?.();
      if (!(error instanceof ForkError)) throw error;
      await door.journal.load();
      door.own = new OwnMoves(door.journal.entries);
      throw error;
    } finally {
      door.refresh();
    }
  }

  /** What lines share. @param asked the server was asked under the same id, and has not answered */
  basis(scanId: string, asked: boolean): Pick<LineFacts, 'scanId' | 'mode' | 'position' | 'deviceTime' | 'clockOffsetMs' | 'clockErrorMs'> {
    const { clock, pack } = this.door;
    return {
      scanId,
      mode: asked ? 'online' : 'offline',
      position: pack?.position ?? null,
      deviceTime: clock.deviceTime(),
      clockOffsetMs: clock.offset,
      clockErrorMs: clock.errorMs,
    };
  }
}

type Subject = Pick<Attempted, 'scanId' | 'eventId' | 'ticket' | 'gateId' | 'direction' | 'tickets' | 'before' | 'unlisted' | 'at'> &
  Partial<Pick<Attempted, 'byHand'>>;

/** What the journal keeps of an attempt. */
export function factsOf(attempt: Subject, moved: boolean): EntryFacts {
  const { scanId, eventId, ticket, gateId, direction, tickets, before, unlisted, at, byHand = false } = attempt;
  // Under the code of somebody who is inside already, only others come in.
  const own = tickets === null || before !== 1;
  const extra = moved && tickets !== null ? tickets - (own ? 1 : 0) : 0;
  const facts = { kind: 'scan', scanId, eventId, ticket, gateId, direction, extra, unlisted, at, undoes: null } as const;
  return {
    ...facts,
    moved: moved && own,
    before: moved && own && !(byHand && direction === 'exit') ? placeBefore(direction, before) : before,
  };
}

/** Where a ticket was that moved: the server knows of movements that the list lacks. */
function placeBefore(direction: Direction, listed: Place): Place {
  if (direction === 'exit') return 1;
  return listed === 1 ? 0 : listed;
}
