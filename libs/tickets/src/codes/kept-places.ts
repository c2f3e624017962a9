import type { Tx } from '#tenancy';
import { lockEvents } from '../inventory/inventory.js';
import { freePlacesSql } from '../places/free-places.js';
import { refused, type NewCode } from './new-code.js';

type Keeping = Pick<NewCode, 'reserved' | 'eventIds'>;

const eventsOf = (codes: readonly Keeping[]): string[] => [
  ...new Set(codes.flatMap(({ reserved = 0, eventIds = [] }) => (reserved > 0 ? eventIds : []))),
];

/** Locks the events whose places codes keep: before the codes, as sales do. */
export async function lockKept(tx: Tx, codes: readonly Keeping[]): Promise<void> {
  const eventIds = eventsOf(codes);
  if (eventIds.length > 0) await lockEvents(tx, eventIds);
}

/** @throws RefusedInput when codes that are written keep more places than are free at their event, which is locked */
export async function refuseTooManyKept(tx: Tx, codes: readonly Keeping[]): Promise<void> {
  const eventIds = eventsOf(codes);
  if (eventIds.length === 0) return;
  const [row] = await tx.query<unknown[]>(`select 1 from event where id = any($1) and ${freePlacesSql('event')} < 0 limit 1`, [eventIds]);
  if (row) throw refused('reserved', 'fewPlaces');
}
