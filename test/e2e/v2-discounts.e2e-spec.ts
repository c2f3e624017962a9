import { GiftCardsService } from '#gift-cards';
import { DiscountsService } from '#tickets';
import type { Scope, TenantIdentity } from '#tenancy';
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

describe('/api/v2/giftCards/', () => {
  const path = '/api/v2/giftCards/';
  const both: readonly Scope[] = ['gift_card:read', 'gift_card:write'];
  const keyFor = (scopes: readonly Scope[] = both): Promise<string> => newKey(test, tenant, ...scopes);
  const call = async (method: 'get' | 'post' | 'patch', at: string, body?: object, scopes?: readonly Scope[]) =>
    test
      .on(tenant)
      .call(method, at)
      .set('Authorization', await keyFor(scopes))
      .send(body);

  it('gives cards away, lists them without codes, and blocks them', async () => {
    const made = await call('post', path, { amount: 20, recipientName: 'Ada', note: 'The concert ended early.' });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ state: 'usable', amount: '20.00', balance: '20.00', code: expect.stringMatching(/^\w{4}(-\w{4}){3}$/) }),
    ]);
    const { identifier, code, ...rest } = made.body as { identifier: string; code: string };
    expect(made.headers['location']).toBe(`${path}${identifier}/`);
    const known = { identifier, ...rest, tail: code.slice(-4), movements: [{ kind: 'issue', amount: '20.00', at: expect.anything() }] };
    const one = await call('get', `${path}${identifier}/`);
    expect(one.body).toEqual(known);
    const listed = await call('get', `${path}?page=1&page_size=5`);
    expect(listed.body).toMatchObject({ results: [{ identifier, tail: code.slice(-4) }] });
    expect(listed.text).not.toContain(code);
    const change = (blocked: boolean) => call('patch', `${path}${identifier}/`, { blocked, note: 'Lost.' });
    expect((await change(true)).body).toMatchObject({ state: 'blocked', balance: '20.00', note: 'Lost.' });
    expect((await change(false)).body).toMatchObject({ state: 'usable' });
    await inside(() => test.app.get(GiftCardsService).replace(identifier, 'Lost.'));
    expect((await change(true)).body).toMatchObject({ status: 409, code: 'gift_card.over' });
  });

  it('says what does not fit, needs its scope, and knows only cards that were issued', async () => {
    const made = await call('post', path, { amount: '20,50', note: 'x' });
    expect(made.body).toMatchObject({ amount: '20.50' });
    const card = String(made.headers['location']);
    const faults = async (at: string, body: object): Promise<unknown> =>
      ((await call(at === path ? 'post' : 'patch', at, body)).body as { errors: { pointer: string }[] }).errors.map(
        ({ pointer }) => pointer,
      );
    for (const amount of [0, -1, 'much', 1e9, null]) expect(await faults(path, { amount, note: 'x' })).toEqual(['/amount']);
    expect(await faults(path, { amount: 20 })).toEqual(['/note']);
    expect(await faults(path, { amount: 20, note: ' ' })).toEqual(['/note']);
    expect(await faults(path, { amount: 20, note: 'x', recipientEmail: 'nobody' })).toEqual(['/recipientEmail']);
    expect(await faults(path, { amount: 20, note: 'x', message: 'm'.repeat(301) })).toEqual(['/message']);
    expect(await faults(path, { amount: 20, note: 'x', code: 'MINE' })).toEqual(['/code']);
    expect(await faults(card, { note: 'x' })).toEqual(['/blocked']);
    expect(await faults(card, { blocked: 'yes', note: 'x' })).toEqual(['/blocked']);
    expect(await faults(card, { blocked: true, note: '' })).toEqual(['/note']);
    const change = { blocked: true, note: 'x' };
    const others: readonly Scope[] = ['code:read', 'code:write', 'reservation:write', 'membership:read'];
    for (const [method, at, body, scopes] of [
      ['get', path, undefined, others],
      ['get', card, undefined, ['gift_card:write']],
      ['post', path, { amount: 20, note: 'x' }, ['gift_card:read', ...others]],
      ['patch', card, change, ['gift_card:read']],
    ] as const)
      expect((await call(method, at, body, scopes)).body).toMatchObject({ status: 403 });
    await test.database.query(`insert into "${tenant.schemaName}".gift_card (amount) values (5)`);
    const [unpaid] = await test.database.query<{ id: string }>(`select id from "${tenant.schemaName}".gift_card where issued_at is null`);
    expect((await call('get', path)).body).toMatchObject({ results: [{ amount: '20.50' }] });
    for (const id of [randomUUID(), 'x', unpaid!.id])
      for (const answer of [await call('get', `${path}${id}/`), await call('patch', `${path}${id}/`, change)])
        expect(answer.body).toMatchObject({ status: 404, code: 'gift_card.unknown' });
  });

  it('gives one card for one Idempotency-Key, and decides one of two changes of the same version', async () => {
    const authorization = await keyFor();
    const headers = { Authorization: authorization, 'Idempotency-Key': randomUUID() };
    const issue = () => test.on(tenant).call('post', path).set(headers).send({ amount: 20, note: 'x' });
    await Promise.all([1, 2, 3].map(issue));
    const repeated = await issue();
    expect([repeated.status, repeated.headers['idempotency-replayed'], repeated.body.code]).toEqual([201, 'true', expect.any(String)]);
    expect((await call('get', path)).body).toMatchObject({ results: [{ identifier: repeated.body.identifier }] });
    const card = String(repeated.headers['location']);
    const { etag } = (await call('get', card)).headers;
    const notes = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        test
          .on(tenant)
          .call('patch', card)
          .set({ Authorization: authorization, 'If-Match': etag! })
          .send({ blocked: true, note: `Lost ${index}.` }),
      ),
    );
    expect(notes.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
    expect((await call('get', card)).body).toMatchObject({ note: notes.find(({ status }) => status === 200)!.body.note });
  });
});
