import type { Direction } from '../types.js';
import type { Entry, Place } from './entry.js';

/** What this device did with a ticket last, and the list may not show yet. */
export interface OwnMove {
  readonly place: Place;
  readonly at: number;
  /** Null after an undo. */
  readonly direction: Direction | null;
  readonly scanId: string;
  readonly settled: boolean;
  /** Where this device was; undefined: an earlier version of the app did not write it. */
  readonly gateId: string | null | undefined;
}

/** What this device did, by ticket: read from its journal. */
export class OwnMoves {
  private readonly byTicket = new Map<string, Entry[]>();
  private readonly undone = new Set<string>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: Entry): void {
    const { ticket, undoes } = entry.facts;
    if (undoes !== null) this.undone.add(undoes);
    if (ticket === null) return;
    const known = this.byTicket.get(ticket);
    if (known) known.push(entry);
    else this.byTicket.set(ticket, [entry]);
  }

  remove(entries: readonly Entry[]): void {
    const gone = new Set(entries);
    for (const { facts } of entries) {
      if (facts.ticket === null) continue;
      const left = this.byTicket.get(facts.ticket)?.filter((entry) => !gone.has(entry)) ?? [];
      if (left.length > 0) this.byTicket.set(facts.ticket, left);
      else this.byTicket.delete(facts.ticket);
    }
  }

  isUndone(scanId: string): boolean {
    return this.undone.has(scanId);
  }

  /** Tickets that this device moved, with the entries of each in their order. */
  get tickets(): ReadonlyMap<string, readonly Entry[]> {
    return this.byTicket;
  }

  /** @param ticket hash as text @returns undefined: this device did nothing with it that the list lacks */
  of(ticket: string): OwnMove | undefined {
    const entries = this.byTicket.get(ticket);
    if (!entries) return undefined;
    const last = entries.findLast(({ facts }) => facts.kind === 'scan' && facts.moved && !this.undone.has(facts.scanId));
    if (last) {
      const { direction, at, scanId, gateId } = last.facts;
      return { place: direction === 'entry' ? 1 : 2, at, direction, scanId, settled: last.settled, gateId };
    }
    const undo = entries.findLast(({ facts }) => facts.kind === 'undo');
    if (!undo) return undefined;
    const { before, at, scanId, gateId } = undo.facts;
    return { place: before, at, direction: null, scanId, settled: undo.settled, gateId };
  }

  /** Entries with which others of the reservation of this ticket came in under its code, and which the list does not show yet. */
  withOthers(ticket: string): Entry[] {
    return (this.byTicket.get(ticket) ?? []).filter(({ facts }) => facts.extra > 0 && !this.undone.has(facts.scanId));
  }
}

/**
 * Entries that the list shows: answered before the request for it began. The entries of a ticket leave in their order, so that an undo
 * never loses what it takes back. Entries without a ticket of the list leave when they are answered.
 * @param request number of the request for the list
 */
export function shownByList(entries: readonly Entry[], request: number): Entry[] {
  const held = new Set<string>();
  return entries.filter(({ facts, settled, stamp }) => {
    const shown = settled && stamp < request && (facts.ticket === null || !held.has(facts.ticket));
    if (!shown && facts.ticket !== null) held.add(facts.ticket);
    return shown;
  });
}
