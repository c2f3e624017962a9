import type { Door } from '../engine/door.js';

/**
 * Locks a phone that hears nothing of the server, or opens it again: by what the server said last and by its opening hours, on its
 * corrected clock. So a start without a network does not open a locked phone.
 */
export function followHours({ credentials, clock, store, watch, pack }: Door): void {
  if (!credentials || watch.kind === 'live') return;
  const { locked = false, opensAt = null, closesAt = null } = credentials;
  const now = clock.now();
  const closedAt = closesAt !== null && now > closesAt ? closesAt : null;
  const isEarly = opensAt !== null && now < opensAt;
  // Without an opening time, staff open it.
  const isShut = closedAt !== null || (locked && (isEarly || opensAt === null));
  const { phase } = store.state;
  if (isShut && (phase === 'open' || phase === 'choosing')) store.set({ phase: 'locked', opensAt: isEarly ? opensAt : null, closedAt });
  else if (phase === 'locked' && locked && !isShut) store.set({ phase: pack ? 'open' : 'choosing', opensAt: null, closedAt: null });
}
