import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, PricesService, ProductCopiesService, ProductsService } from '#catalogue';
import { JobsService } from '#jobs';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { CodesService, type CountedCode, type NewCode } from '#tickets';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const codes = (): CodesService => test.app.get(CodesService);
const newCode = (input: Partial<NewCode> = {}): Promise<CountedCode> =>
  inside(() => codes().create({ code: `C${randomUUID().slice(0, 8)}`, effect: 'percent', value: '10', ...input }));
const found = ({ id }: CountedCode): Promise<CountedCode | undefined> => inside(() => codes().find(id));
const change = (id: string, input: Partial<NewCode>): Promise<unknown> => inside(() => codes().update(id, input));
const refusal = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error: unknown) => error);

async function eventAt(amount: string, capacity = 100): Promise<{ id: string; priceId: string }> {
  const { id } = await newEvent(test, tenant, { capacity });
  return { id, priceId: await newPrice(test, tenant, id, { amount }) };
}

describe('places that a code may keep', () => {
  it('are not more than are free, and wake the waiting list when its validity ends', async () => {
    const event = await eventAt('10.00', 5);
    await book(test, tenant, event, { confirmed: true });
    const input = { eventIds: [event.id], validUntil: new Date(Date.now() + 3_600_000) };
    expect(await refusal(newCode({ ...input, reserved: 5 }))).toMatchObject({ field: 'reserved' });
    const code = await newCode({ ...input, reserved: 3 });
    expect(await refusal(change(code.id, { reserved: 5 }))).toMatchObject({ field: 'reserved' });
    await change(code.id, { reserved: 4 });
    expect(await refusal(newCode({ ...input, reserved: 1 }))).toMatchObject({ field: 'reserved' });
    // A capacity that was lowered later forbids no other change.
    await inside(() => test.app.get(EventsService).update(event.id, { capacity: 3 }));
    const later = new Date(Date.now() + 7_200_000);
    await change(code.id, { validUntil: later });
    const due = (): Promise<{ kind: string; dueAt: Date }[]> =>
      test.database.query(
        `select kind, due_at as "dueAt" from shared.job
         where tenant_id = $1 and (kind, subject_id) in (('code-end', $2::uuid), ('waiting-list', $3::uuid))`,
        [tenant.id, code.id, event.id],
      );
    expect(await due()).toEqual([{ kind: 'code-end', dueAt: input.validUntil }]);
    await sql(
      `insert into waiting_entry (event_id, price_id, email, email_key, language, quantity, status, confirmed_at)
       values ($1, $2, 'ada@example.org', 'ada@example.org', 'en', 1, 'waiting', now())`,
      [event.id, event.priceId],
    );
    await test.database.query(`delete from shared.job where tenant_id = $1`, [tenant.id]);
    const end = (): Promise<void> => inside(() => test.app.get(JobsService).workOf('code-end')(code.id, { number: 1, isLast: false }));
    await end();
    expect(await due()).toEqual([{ kind: 'code-end', dueAt: later }]);
    await sql(`update code set valid_until = now() - interval '1 second' where id = $1`, [code.id]);
    await test.database.query(`delete from shared.job where tenant_id = $1`, [tenant.id]);
    await end();
    expect(await due()).toMatchObject([{ kind: 'waiting-list' }]);
  });
});

describe('a copy of a product', () => {
  it('is sold with the codes that name the original', async () => {
    const [event, other] = [await eventAt('10.00'), await newEvent(test, tenant)];
    const [price] = await sql<{ productId: string }>('select product_id as "productId" from price where id = $1', [event.priceId]);
    const { productId } = price!;
    await inside(() => test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, other.id, [productId])));
    const byPrice = await newCode({ priceIds: [event.priceId] });
    const byProduct = await newCode({ productIds: [productId] });
    const copy = (await inside(() => test.app.get(ProductCopiesService).split(event.priceId, other.id))) as string;
    for (const { code } of [byPrice, byProduct])
      expect(await book(test, tenant, { id: other.id, priceId: copy }, { code })).toMatchObject({ amount: '9.00' });
    expect(await found(byPrice)).toMatchObject({ priceIds: [event.priceId, copy], productIds: [], version: 2 });
    expect(await found(byProduct)).toMatchObject({ priceIds: [], version: 2 });
  });
});

describe('a hidden price', () => {
  it('is none of a membership or of a pass, which no code opens', async () => {
    const event = await newEvent(test, tenant);
    expect(await refusal(newPrice(test, tenant, event.id, { hidden: true, wholeSeries: true }))).toMatchObject({ field: 'hidden' });
    const prices = test.app.get(PricesService);
    const { id: productId } = await inside(() => test.app.get(ProductsService).create({ name: 'Friends', category: 'A' }));
    const year = { productId, name: 'Year', amount: '10.00' };
    expect(await refusal(inside(() => prices.create({ ...year, hidden: true })))).toMatchObject({ field: 'hidden' });
    const { id } = await inside(() => prices.create(year));
    expect(await refusal(inside(() => prices.update(id, { hidden: true })))).toMatchObject({ field: 'hidden' });
  });
});
