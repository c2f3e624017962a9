import { TenantDb, type TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** The value of work, or the error that it throws. */
export const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

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
