import { expect } from '@jest/globals';
import { BookingsService, type NewReservation } from '#selling';
import { AuditService, LedgerAuditService, ReservationsService, type WholeReservation } from '#tickets';
import { EventsService, PricesService, ProductsService, type NewPrice, type ProductCategory } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { TestApp } from './test-app.js';

/** Another price that is sold for an event. */
export async function newPrice(
  test: TestApp,
  tenant: TenantIdentity,
  eventId: string,
  price: Partial<NewPrice> = {},
  category: ProductCategory = 'B',
): Promise<string> {
  return test.inside(tenant, async () => {
    const product = await test.app.get(ProductsService).create({ name: `Ticket ${randomUUID().slice(0, 8)}`, category });
    const { id } = await test.app.get(PricesService).create({ productId: product.id, name: 'Other price', amount: '10.00', ...price });
    await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, eventId, [product.id]));
    return id;
  });
}

/** Runs concurrent work, twenty at a time: the pool refuses after two seconds of waiting, and test machines are slow. */
export function crowd<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result>[] {
  const limit = pLimit(20);
  return Array.from({ length: count }, (_, index) => limit(work, index));
}

/** Books tickets with the service that API, panel and pages use. @returns the reservation as it is stored */
export function book(
  test: TestApp,
  tenant: TenantIdentity,
  event: { readonly id: string; readonly priceId: string },
  input: Partial<NewReservation> & { readonly quantity?: number } = {},
): Promise<WholeReservation> {
  const { quantity = 1, ...more } = input;
  return test.inside(tenant, async () => {
    const { id } = await test.app.get(BookingsService).book({
      eventId: event.id,
      email: `${randomUUID()}@example.org`,
      tickets: [{ priceId: event.priceId, quantity }],
      origin: 'api',
      ...more,
    });
    return (await test.app.get(ReservationsService).find(id)) as WholeReservation;
  });
}

/** Expires all holds of a tenant. */
export async function letHoldsLapse(test: TestApp, tenant: TenantIdentity, ago = '1 second'): Promise<void> {
  await test.inside(tenant, () =>
    test.app
      .get(TenantDb)
      .transaction((tx) => tx.query(`update reservation set expires_at = now() - $1::interval where expires_at is not null`, [ago])),
  );
}

/** Number of an event's tickets by state. */
export async function ticketsBy(test: TestApp, tenant: TenantIdentity, eventId: string): Promise<Record<string, number>> {
  const rows = await test.inside(tenant, () =>
    test.app
      .get(TenantDb)
      .transaction((tx) =>
        tx.query<{ status: string; count: number }[]>(
          'select status, count(*)::int as count from ticket where event_id = $1 group by status',
          [eventId],
        ),
      ),
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Expects that counters match the rows and the ledger matches the sales. Called after every test. */
export async function expectNoDrift(test: TestApp, tenant: TenantIdentity): Promise<void> {
  expect(await test.inside(tenant, () => test.app.get(AuditService).drifts())).toEqual([]);
  expect(await test.inside(tenant, () => test.app.get(LedgerAuditService).drifts())).toEqual([]);
  expect(await test.database.query(`select kind, provider, status from "${tenant.schemaName}".payment where order_id is null`)).toEqual([]);
}
