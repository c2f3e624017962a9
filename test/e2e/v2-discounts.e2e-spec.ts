import { DiscountsService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { recordFaults } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { outcome } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await test.newTenant({ language: 'en' });
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const discounts = (): DiscountsService => test.app.get(DiscountsService);
const eventAt = async (amount: string) => {
  const event = await newEvent(test, tenant);
  return { ...event, priceId: await newPrice(test, tenant, event.id, { amount }) };
};

describe('/api/v2/discounts/', () => {
  const call = async (
    method: 'get' | 'post' | 'patch',
    path: string,
    body?: object,
    ...scopes: ('code:read' | 'code:write' | 'product:read')[]
  ) => {
    const key = await newKey(test, tenant, ...(scopes.length > 0 ? scopes : (['code:read', 'code:write'] as const)));
    return test.on(tenant).call(method, path).set('Authorization', key).send(body);
  };

  it('makes, lists, shows and changes discounts', async () => {
    const event = await eventAt('10.00');
    const made = await call('post', '/api/v2/discounts/', {
      name: '4 for 3',
      kind: 'n_for_m',
      least: 4,
      reduced: 1,
      offers: [event.priceId],
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ effect: 'percent', value: '100.00', least: 4, reduced: 1, offers: [event.priceId], uses: 0 });
    const path = String(made.headers['location']);
    await book(test, tenant, event, { quantity: 4 });
    expect((await call('get', path)).body).toMatchObject({ uses: 1, spent: '10.00' });
    expect((await call('get', '/api/v2/discounts/')).body).toMatchObject({ results: [{ name: '4 for 3' }] });
    expect((await call('get', '/api/v2/discounts/?page=1&page_size=1')).body).toMatchObject({ results: [{ name: '4 for 3' }] });
    const set = {
      kind: 'set',
      value: 15,
      parts: [{ offers: [event.priceId], quantity: 2 }],
      validThrough: '2090-01-01T00:00:00Z',
      uses: 1,
    };
    const changed = await call('patch', path, set);
    expect(changed.body).toMatchObject({ kind: 'set', effect: 'price', value: '15.00', parts: set.parts });
    expect(changed.body).not.toHaveProperty('least');
    expect((await book(test, tenant, event, { quantity: 2 })).amount).toBe('15.00');
    expect((await call('patch', path, { uses: 9 })).status).toBe(400);
    expect((await call('patch', path, { disabled: true })).body).toMatchObject({ disabled: true });
  });

  it('says what does not fit, and needs its scope', async () => {
    const faults = async (body: object): Promise<unknown> =>
      ((await call('post', '/api/v2/discounts/', { name: 'x', ...body })).body as { errors: { pointer: string }[] }).errors.map(
        ({ pointer }) => pointer,
      );
    expect(await faults({ kind: 'none' })).toEqual(['/kind']);
    expect(await faults({ kind: 'quantity', least: 2 })).toEqual(['/value']);
    expect(await faults({ kind: 'quantity', value: 101, least: 2 })).toEqual(['/value']);
    expect(await faults({ kind: 'quantity', value: 10 })).toEqual(['/least']);
    expect(await faults({ kind: 'quantity', effect: 'price', value: 10, least: 2 })).toEqual(['/effect']);
    expect(await faults({ kind: 'n_for_m', least: 3, reduced: 3 })).toEqual(['/reduced']);
    expect(await faults({ kind: 'value', value: 10 })).toEqual(['/leastAmount']);
    expect(await faults({ kind: 'members', value: 10 })).toEqual(['/membership']);
    expect(await faults({ kind: 'set', value: 10 })).toEqual(['/parts']);
    expect(await faults({ kind: 'set', value: 10, parts: [{ offers: [], quantity: 0 }] })).toEqual(['/parts']);
    expect(await faults({ kind: 'quantity', value: 10, least: 2, events: [randomUUID()] })).toEqual(['/events']);
    expect((await call('get', '/api/v2/discounts/', undefined, 'product:read')).status).toBe(403);
    expect((await call('post', '/api/v2/discounts/', { name: 'x', kind: 'quantity', value: 1, least: 2 }, 'code:read')).status).toBe(403);
    const nowhere = `/api/v2/discounts/${randomUUID()}/`;
    for (const answer of [await call('get', nowhere), await call('patch', nowhere, { disabled: true })])
      expect(answer.body).toMatchObject({ status: 404, code: 'discount.unknown' });
  });
});

it('are at most 100 in use; those that are switched off do not count', async () => {
  const of = (name: string, disabled: boolean) => ({ name, kind: 'quantity', value: '10', least: 2, disabled }) as const;
  const first = await inside(() => discounts().create(of('First', true)));
  const [row] = await test.database.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = $1 and table_name = 'discount' and column_name not in ('id', 'disabled')`,
    [tenant.schemaName],
  );
  const { columns } = row!;
  await test.database.query(`insert into "${tenant.schemaName}".discount (${columns}, disabled)
    select ${columns}, false from "${tenant.schemaName}".discount, generate_series(1, 100)`);
  const change = (disabled: boolean) => outcome(inside(() => discounts().update(first.id, { disabled })));
  expect(await outcome(inside(() => discounts().create(of('One more', false))))).toMatchObject({ field: 'name' });
  expect(await change(false)).toMatchObject({ field: 'name' });
  await inside(() => discounts().create(of('Kept for later', true)));
  await test.database.query(`delete from "${tenant.schemaName}".discount where ctid = (select ctid from "${tenant.schemaName}".discount
    where not disabled limit 1)`);
  expect(await change(false)).toMatchObject({ disabled: false });
  expect(await change(true)).toMatchObject({ disabled: true });
});

it('are made and changed in the panel', async () => {
  const staff = await staffOf(test, tenant);
  const event = await eventAt('10.00');
  expect(recordFaults(await staff.create('discounts', { name: '4 for 3', kind: 'n_for_m', value: '100', least: 4, reduced: 1 }))).toEqual(
    {},
  );
  expect(recordFaults(await staff.create('discounts', { name: 'Duo', kind: 'set', value: '15' }))).toEqual({
    firstPriceId: 'A set needs at least two tickets; each price may stand in one part only.',
  });
  const duo = { name: 'Duo', kind: 'set', value: '15', firstPriceId: event.priceId, firstCount: 2, eventId: event.id };
  expect(recordFaults(await staff.create('discounts', duo))).toEqual({});
  const [made] = (await inside(() => discounts().list())).discounts;
  expect(made).toMatchObject({ parts: [{ priceIds: [event.priceId], quantity: 2 }], eventIds: [event.id], effect: 'price' });
  await book(test, tenant, event, { quantity: 2 });
  expect((await staff.look('discounts', made!.id)).record?.params).toMatchObject({ uses: 2, spent: '5.00', firstCount: 2 });
  await staff.act('discounts', made!.id, 'edit', { firstCount: 3 });
  expect((await inside(() => discounts().find(made!.id)))?.parts).toEqual([{ priceIds: [event.priceId], quantity: 3 }]);
});
