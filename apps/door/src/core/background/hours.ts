import type { Door } from '../door/door.js';

/**
 * Locks a phone that hears nothing of the server, or opens it again: by what the server said last and by its opening hours, on its
 * corrected clock. So a start without a network does not open a locked phone.
 */
export function followHours(door: Door): void {
  const { credentials, clock, store, watch } = door;
  if (!credentials || watch.kind === 'live') return;
  const { locked = false, opensAt = null, closesAt = null } = credentials;
  const closedAt = endOfHours(clock, closesAt);
  const isEarly = opensAt !== null && clock.now() < opensAt;
  // Without an opening time, staff open it.
  const isShut = closedAt !== null || (locked && (isEarly || opensAt === null));
  const { phase } = store.state;
  if (isShut && (phase === 'open' || phase === 'choosing')) store.set({ phase: 'locked', opensAt: isEarly ? opensAt : null, closedAt });
  else if (phase === 'locked' && locked && !isShut) unlock(door);
}

/** Ends the lock of a phone. */
export function unlock({ store, pack }: Door): void {
  store.set({ phase: pack ? 'open' : 'choosing', opensAt: null, closedAt: null });
}

/** When the opening hours ended; null: they did not, or there are none. */
export function endOfHours(clock: Door['clock'], closesAt: number | null): number | null {
  return closesAt !== null && clock.now() > closesAt ? closesAt : null;
}
