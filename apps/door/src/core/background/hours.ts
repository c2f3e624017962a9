import type { Door } from '../engine/door.js';

/** Locks a phone that hears nothing of the server when the opening hours of its device end, by its corrected clock. */
export function lockAfterHours({ credentials, clock, store, watch }: Door): void {
  const closedAt = credentials?.closesAt ?? null;
  if (closedAt === null || watch.kind === 'live' || clock.now() <= closedAt) return;
  const { phase } = store.state;
  if (phase === 'open' || phase === 'choosing') store.set({ phase: 'locked', opensAt: null, closedAt });
}
