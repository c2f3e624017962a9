import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import pg from 'pg';
import type supertest from 'supertest';
import { book, crowd, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { newKey } from '../support/webhooks.js';

interface Option {
  readonly identifier: string;
  readonly kind: string;
  readonly name: string;
  readonly published: boolean;
  readonly order: number;
}

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'event:read', 'event:write', 'webhook:read');
  event = await newEvent(test, tenant, { capacity: 500 });
});
afterAll(() => test.close());

type Method = 'get' | 'post' | 'patch' | 'delete';
const call = (method: Method, below = '', key = event.id, as = authorization, on = tenant): supertest.Test =>
  test.on(on).call(method, `/api/v2/events/${key}/options/${below}`).set('Authorization', as);
const create = async (body: object): Promise<Option> => (await call('post').send(body).expect(201)).body as Option;
const radio = (name: string, more: object = {}): Promise<Option> => create({ kind: 'radio', name, ...more });
const list = async (): Promise<Option[]> => ((await call('get').expect(200)).body as { results: Option[] }).results;
const names = async (): Promise<string[]> => (await list()).map(({ name }) => name);
const faults = ({ body }: supertest.Response): string[] =>
  (body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer).toSorted();

describe('the options of an event', () => {
  it('are created, listed, read, changed and deleted at their own paths, and are published with the event', async () => {
    const small = await radio('Small');
    const made = await call('post', '', event.slug).send({ kind: 'radio', name: ' Large ', order: 1, published: false }).expect(201);
    const large = made.body as Option;
    expect(large).toEqual({ identifier: expect.any(String), kind: 'radio', name: 'Large', published: false, order: 1 });
    expect(made.headers['location']).toBe(`/api/v2/events/${event.id}/options/${large.identifier}/`);
    const towel = await create({ kind: 'checkbox', name: 'Towel' });
    expect(await names()).toEqual(['Small', 'Large', 'Towel']);
    expect((await call('get', `${towel.identifier}/`).expect(200)).body).toEqual(towel);

    const { body: changed } = await call('patch', `${small.identifier}/`).send({ name: 'Tiny', order: null }).expect(200);
    expect(changed).toEqual({ ...small, name: 'Tiny', order: 2 });
    await call('patch', `${large.identifier}/`)
      .send({ ...large, published: null })
      .expect(200);
    expect(await list()).toMatchObject([
      { name: 'Large', published: true, order: 1 },
      { name: 'Tiny', order: 2 },
      { name: 'Towel', order: 1 },
    ]);
    await call('delete', `${large.identifier}/`).expect(204);
    expect(await list()).toMatchObject([{ name: 'Tiny', order: 1 }, { name: 'Towel' }]);

    const { body } = await test.on(tenant).get(`/api/v2/events/${event.id}/`).set('Authorization', authorization).expect(200);
    const shown = (body as { additionalProperty: { name: string; value: unknown }[] }).additionalProperty;
    expect(shown.find(({ name }) => name === 'options')?.value).toEqual(await list());
    const feed = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
    const told = (feed.body as { results: { type: string }[] }).results.filter(({ type }) => type === 'event.updated');
    // Three were created, two changed, one deleted.
    expect(told).toHaveLength(6);
  });

  it('with reservations are unpublished, not deleted, and old bookings keep the old name', async () => {
    const option = await radio('Aisle');
    const reservation = await book(test, tenant, event, { options: [option.identifier] });
    const { body } = await call('delete', `${option.identifier}/`).expect(409);
    expect(body).toMatchObject({ code: 'event.option_chosen' });
    await call('patch', `${option.identifier}/`).send({ name: 'Window', published: false }).expect(200);
    expect(reservation.options).toMatchObject([{ name: 'Aisle' }]);
    await expect(book(test, tenant, event, { options: [option.identifier] })).rejects.toThrow('Not all of these are options');
    await expectNoDrift(test, tenant);
  });

  it('that are being booked are not deleted: the deletion waits and then finds the booking', async () => {
    const option = await radio('Aisle');
    const reservation = await book(test, tenant, event);
    const buyer = new pg.Client(await test.database.urlOf(tenant));
    await buyer.connect();
    await buyer.query(`begin; set local search_path to "${tenant.schemaName}"`);
    // Locks the option as a booking does.
    await buyer.query('select 1 from event_option where id = $1 for key share', [option.identifier]);
    await buyer.query("insert into reservation_option (reservation_id, option_id, name) values ($1, $2, 'Aisle')", [
      reservation.id,
      option.identifier,
    ]);
    const removed = call('delete', `${option.identifier}/`).then(({ status }) => status);
    await until(() => test.database.waiting(), Boolean);
    await buyer.query('commit');
    await buyer.end();
    expect([await removed, await names()]).toEqual([409, ['Aisle']]);
  });

  it('that are booked during their deletion are either booked or deleted', async () => {
    const option = await radio('Window');
    const [removed, booked] = await Promise.all([
      call('delete', `${option.identifier}/`),
      Promise.allSettled(crowd(6, () => book(test, tenant, event, { options: [option.identifier] }))),
    ]);
    const isChosen = booked.some(({ status }) => status === 'fulfilled');
    expect([removed.status, await names()]).toEqual(isChosen ? [409, ['Window']] : [204, []]);
    await expectNoDrift(test, tenant);
  });

  it('are refused with every fault, for duplicate names, other events and tenants, and without the scope', async () => {
    const option = await radio('Red');
    const other = await create({ kind: 'checkbox', name: 'Red' });
    expect(faults(await call('post').send({ kind: 'select', name: ' ', order: 0, published: 1, colour: 2 }).expect(400))).toEqual([
      '/colour',
      '/kind',
      '/name',
      '/order',
      '/published',
    ]);
    expect(faults(await call('patch', `${option.identifier}/`).send({ kind: 'checkbox', identifier: randomUUID() }).expect(400))).toEqual([
      '/identifier',
      '/kind',
    ]);
    expect((await call('post').send({ kind: 'radio', name: 'Red' }).expect(409)).body.code).toBe('event.option_exists');
    await call('patch', `${other.identifier}/`).send({ name: 'Red' }).expect(200);
    const green = await radio('Green');
    await call('patch', `${green.identifier}/`).send({ name: 'Red' }).expect(409);

    const elsewhere = await newEvent(test, tenant);
    for (const [id, key, code] of [
      [option.identifier, elsewhere.id, 'event.option_unknown'],
      [randomUUID(), event.id, 'event.option_unknown'],
      ['7', event.id, 'event.option_unknown'],
      [option.identifier, randomUUID(), 'event.unknown'],
    ] as const)
      for (const method of ['get', 'patch', 'delete'] as const) {
        const sent = call(method, `${id}/`, key);
        expect((await (method === 'patch' ? sent.send({ name: 'x' }) : sent).expect(404)).body.code).toBe(code);
      }
    const abroad = await test.newTenant();
    const foreign = await newKey(test, abroad, 'event:read', 'event:write');
    await call('get', `${option.identifier}/`, event.id, foreign, abroad).expect(404);
    const reader = await newKey(test, tenant, 'event:read', 'product:write');
    await call('get', '', event.id, reader).expect(200);
    await call('post', '', event.id, reader).send({ kind: 'radio', name: 'x' }).expect(403);
  });

  it('are created once with one Idempotency-Key, and changed only with the current version', async () => {
    const key = randomUUID();
    const attempts = await Promise.all([1, 2].map(() => call('post').set('Idempotency-Key', key).send({ kind: 'radio', name: 'Once' })));
    expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, expect.any(Number)]);
    const { body, headers } = await call('post').set('Idempotency-Key', key).send({ kind: 'radio', name: 'Once' }).expect(201);
    expect(await names()).toEqual(['Once']);
    const { identifier } = body as Option;
    const read = await call('get', `${identifier}/`).expect(200);
    expect(headers['etag'] ?? read.headers['etag']).toBe(read.headers['etag']);
    await call('get', `${identifier}/`).set('If-None-Match', read.headers['etag']!).expect(304);
    await call('patch', `${identifier}/`).set('If-Match', '"old"').send({ name: 'Twice' }).expect(412);
    await call('delete', `${identifier}/`).set('If-Match', '"old"').expect(412);
    await call('patch', `${identifier}/`)
      .set({ 'If-Match': read.headers['etag'], Prefer: 'return=minimal' })
      .send({ name: 'Twice' })
      .expect(204);
    expect(await names()).toEqual(['Twice']);
  });

  it('are limited to fifty of a kind', async () => {
    const inside = Array.from({ length: 50 }, (_, index) => `Option ${index}`);
    await test
      .on(tenant)
      .call('patch', `/api/v2/events/${event.id}/`)
      .set('Authorization', authorization)
      .send({ additionalProperty: [{ name: 'optionsRadio', value: inside }] })
      .expect(200);
    expect(faults(await call('post').send({ kind: 'radio', name: 'One more' }).expect(400))).toEqual(['/kind']);
    await create({ kind: 'checkbox', name: 'Another kind' });
  });
});
