import { EventsService, PricesService, ProductsService, type NewEvent } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { newEvent } from './builders.js';
import type { TestApp } from './test-app.js';

export interface TestSeries {
  readonly slug: string;
  readonly dates: readonly { readonly id: string; readonly slug: string }[];
  /** Of one date. */
  readonly priceId: string;
  /** Of all dates or some, 8.00 a date. */
  readonly passId: string;
}

/** A series with one event for each input, which all sell one product with a price for a date and a pass. */
export function newSeries(
  test: TestApp,
  tenant: TenantIdentity,
  inputs: readonly Partial<NewEvent>[],
  { amount = '10.00', passDates = null }: { readonly amount?: string; readonly passDates?: number | null } = {},
): Promise<TestSeries> {
  return test.inside(tenant, async () => {
    const name = `Series ${randomUUID().slice(0, 8)}`;
    const product = await test.app.get(ProductsService).create({ name: `Ticket of ${name}`, category: 'B' });
    const priceOf = async (price: { name: string; amount: string; wholeSeries?: boolean; passDates?: number | null }): Promise<string> =>
      (await test.app.get(PricesService).create({ productId: product.id, ...price })).id;
    const priceId = await priceOf({ name: 'One date', amount });
    const passId = await priceOf({ name: 'All dates', amount: amount === '0.00' ? amount : '8.00', wholeSeries: true, passDates });
    const dates: { id: string; slug: string }[] = [];
    for (const input of inputs) {
      const { id, slug } = await newEvent(test, tenant, { name, capacity: 20, ...input });
      dates.push({ id, slug });
    }
    const slug = `series-${randomUUID().slice(0, 8)}`;
    await test.app.get(TenantDb).transaction(async (tx) => {
      for (const { id } of dates) await test.app.get(EventsService).linkProducts(tx, id, [product.id]);
      const [row] = await tx.query<{ id: string }[]>('insert into event_series (name, slug) values ($1, $2) returning id', [name, slug]);
      await tx.query('update event set series_id = $1 where id = any($2)', [row?.id, dates.map(({ id }) => id)]);
    });
    return { slug, dates, priceId, passId };
  });
}

/** Starts of dates in the far future, one each week. */
export const weekly = (count: number, from = '2030-01-06T10:00:00Z'): { startsAt: Date; endsAt: Date }[] =>
  Array.from({ length: count }, (_, week) => {
    const startsAt = new Date(Date.parse(from) + week * 7 * 86_400_000);
    return { startsAt, endsAt: new Date(startsAt.getTime() + 3 * 3_600_000) };
  });
