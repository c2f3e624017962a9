import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScanningDevicesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { newAddress } from '../support/postal-addresses.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Guest list');
  event = await newEvent(test, venue);
  await allow(device, true);
});
afterAll(() => test.close());

const sql = (text: string, values: unknown[] = []): Promise<unknown[]> =>
  test.database.query(text.replaceAll('{tenant}', `"${venue.schemaName}"`), values);
const allow = (by: PairedDevice, maySearchTickets: boolean): Promise<boolean> =>
  test.inside(venue, () => test.app.get(ScanningDevicesService).change(by.id, { maySearchTickets }));
const { call } = scanApi(() => ({ test, venue, device }));
const list = (body: object, by = device): supertest.Test => call('/scan/list_tickets/', body, by);
const search = async (text: string, more: object = {}): Promise<string[]> => {
  const { body } = await call('/scan/search_ticket/', { event_uuid: event.id, search: text, ...more }).expect(200);
  return body.results.map(({ uuid }: { uuid: string }) => uuid);
};

describe('the permission to search tickets', () => {
  it('is off by default, is part of the connection test, and takes effect with the next request', async () => {
    const door = await newDevice(test, venue, 'Door 7');
    const permissions = async (): Promise<unknown> =>
      (await test.on(venue).get('/scan/test_api/').set('Authorization', door.authorization).expect(200)).body.permissions;
    const body = { event_uuid: event.id, search: 'ada' };
    const tries = (): supertest.Test[] => [list({ event_uuid: event.id }, door), call('/scan/search_ticket/', body, door)];
    const refused = async (): Promise<void> => {
      expect(await permissions()).toEqual([]);
      for (const attempt of tries()) {
        const answer = await attempt.expect(403).expect('Content-Type', /problem\+json/);
        expect(answer.body).toMatchObject({ success: false, code: 'device.permission', reason: 'permission' });
        expect(answer.body).not.toHaveProperty('results');
      }
    };
    await refused();
    await allow(door, true);
    expect(await permissions()).toEqual(['search_tickets']);
    for (const attempt of tries()) await attempt.expect(200);
    await allow(door, false);
    await refused();
  });

  it('is not required for check and scan', async () => {
    const door = await newDevice(test, venue, 'Door 8');
    const ticket = await newTicket(test, venue, { event: await newEvent(test, venue) });
    expect((await call('/scan/ticket/', { qrcode_data: ticket.code }, door).expect(200)).body.success).toBe(true);
  });

  it.each([
    ['suspended_at', 403, 'device.archived'],
    ['revoked_at', 401, 'key.revoked'],
  ])('does not help a key whose %s was set a moment ago', async (column, status, code) => {
    const lost = await newDevice(test, venue, 'Lost phone');
    await allow(lost, true);
    const attempts = (): supertest.Test[] => [
      list({ event_uuid: event.id }, lost),
      test.on(venue).get('/scan/events/').set('Authorization', lost.authorization),
    ];
    for (const attempt of attempts()) await attempt.expect(200);
    await sql(`update shared.api_key set ${column} = now() where device_id = $1`, [lost.id]);
    for (const attempt of attempts()) expect((await attempt.expect(status)).body.code).toBe(code);
  });
});

describe('POST /scan/list_tickets/', () => {
  it('lists the tickets of one event in every state, with codes that scan', async () => {
    const night = await newEvent(test, venue);
    const [one] = await newTickets(test, venue, { event: night, firstName: 'Zoé' });
    await newTicket(test, venue, { event: night, status: 'R', firstName: 'Abel' });
    await newTicket(test, venue, { event });
    const { body, headers } = await list({ event_uuid: night.id.toUpperCase() }).expect(200);
    expect(body).toMatchObject({ success: true, count: 2, total: 2, page: 1, total_pages: 1 });
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['Cancelled', 'Valid and not scanned']);
    expect(body.results[1]).toEqual({
      uuid: one!.id,
      first_name: 'Zoé',
      last_name: 'Martin',
      email: 'a•••@e•••.org',
      price: 'Full price',
      product: expect.stringMatching(/^Ticket /),
      reservation_uuid: one!.reservationId,
      status: 'Valid and not scanned',
      is_scanned: false,
      reservation_datetime: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+0[12]:00$/),
      qrcode_data: one!.id,
    });
    expect(headers['cache-control']).toBe('no-store');
    const scanned = await call('/scan/ticket/', { ticket: body.results[1].uuid }).expect(200);
    expect(scanned.body).toMatchObject({ success: true, ticket: { uuid: one!.id } });
    const french = await list({ event_uuid: night.id }).set('Accept-Language', 'fr').expect(200);
    expect(french.body.results[1]).toMatchObject({ status: 'Valide et scanné', is_scanned: true });
  });

  it('pages and sorts in both directions, with names sorted without regard to accents', async () => {
    const night = await newEvent(test, venue);
    const names = ['Éric', 'Dora', 'Fanny', 'Zoé', 'abel'];
    for (const firstName of names) await newTicket(test, venue, { event: night, firstName });
    const page = async (more: object): Promise<{ names: string[] } & Record<string, unknown>> => {
      const { body } = await list({ event_uuid: night.id, ...more }).expect(200);
      return { ...body, names: body.results.map(({ first_name: name }: { first_name: string }) => name) };
    };
    expect((await page({})).names).toEqual(['abel', 'Dora', 'Éric', 'Fanny', 'Zoé']);
    expect((await page({ order_by: 'first_name', order_dir: 'desc' })).names).toEqual(['Zoé', 'Fanny', 'Éric', 'Dora', 'abel']);
    expect((await page({ order_by: 'reservation_datetime' })).names).toEqual(names);
    expect((await page({ order_by: 'reservation_datetime', order_dir: 'desc' })).names).toEqual(names.toReversed());
    for (const order_by of ['email', 'price', 'product', 'status']) {
      expect((await page({ order_by })).names).toEqual(['abel', 'Dora', 'Éric', 'Fanny', 'Zoé']);
    }
    expect(await page({ page: 2, page_size: 2 })).toMatchObject({ count: 2, total: 5, page: 2, total_pages: 3, names: ['Éric', 'Fanny'] });
    expect(await page({ page: '3', page_size: '2' })).toMatchObject({ count: 1, page: 3, names: ['Zoé'] });
    expect(await page({ page: 9, page_size: 200 })).toMatchObject({ count: 0, total: 5, page: 9, total_pages: 1, names: [] });
  });

  it('shows the name of the buyer on a ticket without a name', async () => {
    const night = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event: night });
    await sql(`update {tenant}.ticket set first_name = '', last_name = '' where id = $1`, [ticket.id]);
    await sql(`update {tenant}.reservation set first_name = 'Bea', last_name = 'Buyer' where id = $1`, [ticket.reservationId]);
    const { body } = await list({ event_uuid: night.id }).expect(200);
    expect(body.results[0]).toMatchObject({ first_name: 'Bea', last_name: 'Buyer' });
  });

  it('answers an event of another place as unknown, and lists every fault of the body', async () => {
    const abroad = await test.newTenant();
    const foreign = await newEvent(test, abroad);
    for (const event_uuid of [foreign.id, randomUUID()]) {
      expect((await list({ event_uuid }).expect(404)).body.code).toBe('event.unknown');
    }
    const wrong = { event_uuid: 'x', page: 0, page_size: 201, order_by: 'id; drop table', order_dir: 'up' };
    const { body } = await list(wrong).expect(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/event_uuid',
      '/order_by',
      '/order_dir',
      '/page',
      '/page_size',
    ]);
    for (const page of [1.5, -1, '1e3', [], {}, true, 10_000_000]) {
      expect((await list({ event_uuid: event.id, page }).expect(400)).body.errors[0].pointer).toBe('/page');
    }
  });
});

describe('POST /scan/search_ticket/', () => {
  it('finds by name, e-mail, price and product, ignoring case, accents and the order of words', async () => {
    const night = await newEvent(test, venue);
    const found = (text: string): Promise<string[]> => search(text, { event_uuid: night.id });
    const [ticket] = await newTickets(test, venue, { event: night, firstName: 'Hélène' });
    const other = await newTicket(test, venue, { event: night, firstName: 'Bob' });
    await sql(`update {tenant}.ticket set last_name = 'Lefèvre-Œuvrard' where id = $1`, [ticket!.id]);
    await sql(
      `update {tenant}.reservation set email = 'h.lefevre@maison.example', first_name = 'Paul', last_name = 'Payer' where id = $1`,
      [ticket!.reservationId],
    );
    for (const text of ['helene', 'HÉLÈNE', 'lefevre helene', ' Hélène   LEFÈVRE ', 'h.lefevre@maison', 'payer', 'hel full']) {
      expect([text, await found(text)]).toEqual([text, [ticket!.id]]);
    }
    const product = (await sql(`select r.name from {tenant}.price p join {tenant}.product r on r.id = p.product_id where p.id = $1`, [
      night.priceId,
    ])) as { name: string }[];
    for (const text of ['full price', product[0]!.name]) {
      expect((await found(text)).toSorted()).toEqual([ticket!.id, other.id].toSorted());
    }
    expect(await found('helene bob')).toEqual([]);
  });

  it('finds by the beginning of the UUID of a ticket or its reservation, as it is printed', async () => {
    const id = randomUUID();
    const ticket = await newTicket(test, venue, { event, id });
    expect(await search(id)).toEqual([id]);
    expect(await search(id.slice(0, 8).toUpperCase())).toEqual([id]);
    expect(await search(id.replaceAll('-', '').slice(0, 20))).toEqual([id]);
    expect(await search(ticket.reservationId.slice(0, 8).toUpperCase())).toEqual([id]);
    expect(await search(id.slice(9, 23))).toEqual([]);
  });

  it('treats every character literally', async () => {
    await newTicket(test, venue, { event, firstName: 'Percy' });
    for (const text of ['%', '_', '\\', 'per%', `' or true --`, '!', '[', '(']) expect(await search(text)).toEqual([]);
  });

  it('pages the results and stays within the event', async () => {
    const elsewhere = await newEvent(test, venue);
    await newTicket(test, venue, { event: elsewhere, firstName: 'Quentin' });
    await newTickets(test, venue, { event, firstName: 'Quentin', count: 3 });
    const { body } = await call('/scan/search_ticket/', { event_uuid: event.id, search: 'quentin', page: 2, page_size: 2 }).expect(200);
    expect(body).toMatchObject({ success: true, count: 1, total: 3, page: 2, total_pages: 2 });
  });

  it('refuses a missing, empty or too long search', async () => {
    for (const text of [undefined, null, '', '  ', 'x'.repeat(101), 7, ['ada']]) {
      const { body } = await call('/scan/search_ticket/', { event_uuid: event.id, search: text }).expect(400);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/search']);
    }
  });
});

describe('GET /scan/events/', () => {
  it('lists current and upcoming events, including private ones, with their scan window', async () => {
    const own = await test.newTenant();
    const door = await newDevice(test, own);
    const hours = (number: number): Date => new Date(Date.now() + number * 3_600_000);
    const address = await newAddress(test, own);
    const make = (name: string, more: object): ReturnType<typeof newEvent> => newEvent(test, own, { name, ...more });
    await make('over', { startsAt: hours(-8), endsAt: hours(-6) });
    await make('over without end', { startsAt: hours(-7) });
    await make('draft', { startsAt: hours(1), published: false });
    await make('coming', { startsAt: hours(2), scanOpensMinutesBefore: 60, scanClosesMinutesAfter: 30 });
    await make('private', { startsAt: hours(3), isPrivate: true });
    await make('running', { startsAt: hours(-9), endsAt: hours(1), postalAddressId: address.id });
    await make('running without end', { startsAt: hours(-5) });
    await make('late doors', { startsAt: hours(-8), endsAt: hours(-1), scanClosesMinutesAfter: 120 });
    const { body, headers } = await test.on(own).get('/scan/events/').set('Authorization', door.authorization).expect(200);
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual([
      'running',
      'late doors',
      'running without end',
      'coming',
      'private',
    ]);
    expect(body).toMatchObject({ success: true, count: 5 });
    const of = (name: string): Record<string, string | null> => body.results.find((result: { name: string }) => result.name === name);
    expect(of('running')).toMatchObject({ uuid: expect.any(String), place: 'Blue Hall', doors: null, closes: null });
    const coming = of('coming');
    // Without a fraction when the milliseconds are 0.
    expect(coming['start']).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+0[12]:00$/);
    expect(Date.parse(coming['start']!) - Date.parse(coming['doors']!)).toBe(3_600_000);
    expect(Date.parse(coming['closes']!) - Date.parse(coming['start']!)).toBe(6 * 3_600_000 + 1_800_000);
    expect(coming['end']).toBeNull();
    expect(headers['cache-control']).toBe('no-store');
    await test.on(own).get('/scan/events').set('Authorization', door.authorization).expect(200);
    await test.on(own).get('/scan/events/').expect(401);
    const abroad = await test.newTenant();
    expect((await test.on(abroad).get('/scan/events/').set('Authorization', door.authorization)).status).toBe(401);
  });
});
