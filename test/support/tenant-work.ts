import { TenantDb, type TenantIdentity } from '#tenancy';
import { expect } from '@jest/globals';
import { eventually } from './eventually.js';
import type { TestApp } from './test-app.js';

/** The value of work, or the error that it throws. */
export const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

/** Waits until all connections are back in the pool: a rollback is not waited for. */
export async function connectionsBack(test: TestApp): Promise<void> {
  await eventually(
    () => {
      const { open, idle, waiting } = test.app.get(TenantDb).poolState();
      expect([idle, waiting]).toEqual([open, 0]);
    },
    { timeout: 10_000 },
  );
}

/** Work in a tenant. @param now the application and tenant at the time of the call */
export function tenantWork(now: () => { readonly test: TestApp; readonly tenant: TenantIdentity }) {
  function inside<Result>(work: () => Promise<Result>): Promise<Result> {
    return now().test.inside(now().tenant, work);
  }

  /** Runs a statement in the schema of the tenant. */
  function sql<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return inside(() =>
      now()
        .test.app.get(TenantDb)
        .transaction((tx) => tx.query<Row[]>(text, [...values])),
    );
  }

  /** Number of places of an event that are taken. */
  async function bookedOf(eventId: string): Promise<number> {
    const [row] = await sql<{ booked: number }>('select booked from event where id = $1', [eventId]);
    return row!.booked;
  }

  return { inside, sql, bookedOf };
}
