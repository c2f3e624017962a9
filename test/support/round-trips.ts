import pg from 'pg';
import { vi } from 'vitest';

type Query = (this: unknown, ...given: unknown[]) => unknown;

/** The statements that one connection sends together. */
export interface RoundTrip {
  readonly client: unknown;
  readonly texts: readonly string[];
}

/** Records the round trips of all connections while some work runs: what a connection is given in one turn is sent together. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<RoundTrip[]> {
  const trips: RoundTrip[] = [];
  const open = new Map<unknown, string[]>();
  const real = pg.Client.prototype.query as Query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function record(this: unknown, ...given: unknown[]) {
    const [statement] = given as [string | { readonly text: string }];
    let texts = open.get(this);
    if (!texts) {
      texts = [];
      open.set(this, texts);
      trips.push({ client: this, texts });
      process.nextTick(() => open.delete(this));
    }
    texts.push(typeof statement === 'string' ? statement : statement.text);
    return real.apply(this, given);
  });
  try {
    await work();
    return trips;
  } finally {
    spy.mockRestore();
  }
}
