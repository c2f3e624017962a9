import { isoInZone } from '#kernel';
import type { LeaseNow } from '../leases/leases.service.js';
import type { OwnParts } from './pack-drawing.js';
import { ticketHash } from '../pack-data/pack-salt.service.js';

interface Entry {
  readonly device_name: string | null;
  readonly gate: string | null;
  /** UTC text. */
  readonly at: string;
  readonly error_ms: number;
}

/** As the ledger has it. */
type ConflictKind = 'double_entry' | 'wrong_event';

/** The row of `ownStatement`. */
export interface OwnRow extends Record<string, unknown> {
  readonly conflicts: readonly {
    readonly id: string;
    readonly ticket: string;
    readonly reference: string | null;
    readonly kind: ConflictKind;
    /** The event of the ticket. */
    readonly event: { readonly name: string | null; readonly start: string | null };
    readonly first: Entry;
    readonly later: Entry;
    readonly decision: string | null;
  }[];
}

/** What one device gets beside the list, as JSON. */
export function toOwnParts({ conflicts }: OwnRow, { lease, leftMs }: LeaseNow, deviceId: string, salt: Buffer, timeZone: string): OwnParts {
  const entry = (one: Entry): Entry => ({ ...one, at: isoInZone(one.at, timeZone) });
  const of = (wanted: ConflictKind): OwnRow['conflicts'] => conflicts.filter(({ kind }) => kind === wanted);
  const twice = of('double_entry').map(({ id, ticket, reference, first, later, decision }) => ({
    id,
    ticket_hash: ticketHash(salt, ticket).toString('base64url'),
    reference,
    first: entry(first),
    later: entry(later),
    decision,
  }));
  const misplaced = of('wrong_event').map(({ id, reference, event: { name, start }, first, decision }) => ({
    id,
    reference,
    event: { name, start: start && isoInZone(start, timeZone) },
    entry: entry(first),
    decision,
  }));
  // Two lists: versions of the app that know double entries only show no other ones.
  const lists = { conflicts: twice, wrong_events: misplaced };
  return { mine: JSON.stringify({ device: deviceId, ...lease }), ledger: JSON.stringify(lists), leftMs };
}
