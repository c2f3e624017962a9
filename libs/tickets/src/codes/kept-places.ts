import type { Tx } from '#tenancy';
import { lockEvents } from '../inventory/inventory.js';
import { freePlacesSql, sharingSql } from '../places/free-places.js';
import { refused, type NewCode } from './new-code.js';

type Keeping = Pick<NewCode, 'reserved' | 'eventIds' | 'disabled'>;

const eventsOf = (codes: readonly Keeping[]): string[] => [
  ...new Set(codes.flatMap(({ reserved = 0, eventIds = [] }) => (reserved > 0 ? eventIds : []))),
];

/**
 * Locks the events whose places codes keep: before the codes, as sales do.
 * @param codes as they were, and last as they become
 * @throws RefusedInput on `reserved` when the event of the last one shares its places with other dates
 */
export async function lockKept(tx: Tx, codes: readonly Keeping[]): Promise<void> {
  const eventIds = eventsOf(codes);
  if (eventIds.length === 0) return;
  await lockEvents(tx, eventIds);
  const kept = eventsOf(codes.slice(-1).filter(({ disabled }) => !disabled));
  const shared = await tx.query<unknown[]>(`select from event one where id = any($1) and exists (${sharingSql('one')})`, [kept]);
  if (shared.length > 0) throw refused('reserved', 'sharedPlaces');
}

/** @throws RefusedInput when codes that are written keep more places than are free at their event, which is locked */
export async function refuseTooManyKept(tx: Tx, codes: readonly Keeping[]): Promise<void> {
  const eventIds = eventsOf(codes);
  if (eventIds.length === 0) return;
  const [row] = await tx.query<unknown[]>(`select 1 from event where id = any($1) and ${freePlacesSql('event')} < 0 limit 1`, [eventIds]);
  if (row) throw refused('reserved', 'fewPlaces');
}
