import type { Test } from 'supertest';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { PricesService, ProductsService } from '#catalogue';
import { ScanningDevicesService } from '#scan';
import { HostLookUpsService, UsersService, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newDevice, newEvent, newTicket, type BuiltTicket } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

interface Hit {
  id: string;
  href: string;
  title: string;
  details: string[];
  at?: string;
  badge?: { text: string };
}
interface Answer {
  groups: { id: string; label: string; hits: Hit[]; all: string | null; late: boolean }[];
  open: string | null;
  forged: boolean;
}

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let concert: Awaited<ReturnType<typeof newEvent>>;
let amelie: Awaited<ReturnType<typeof book>>;
let other: BuiltTicket;
let memberId: string;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
  concert = await newEvent(test, venue, { name: 'Chœur d’Été', capacity: 200 });
  amelie = await book(test, venue, concert, {
    email: 'Amelie.Dupont@example.org',
    firstName: 'Amélie',
    lastName: 'Dupont-Lefèvre',
    confirmed: true,
    paymentMethod: 'cash',
    quantity: 2,
  });
  other = await newTicket(test, venue, { event: await newEvent(test, venue, { name: 'Jazz' }), firstName: 'Zoé' });
  memberId = await test.inside(venue, async () => {
    const product = await test.app.get(ProductsService).create({ name: 'Amis du théâtre', category: 'A' });
    const { id: priceId } = await test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0' });
    const made = await test.app.get(MembershipsService).create({ priceId, email: 'bob@example.org', firstName: 'Bob', lastName: 'Öztürk' });
    return made.id;
  });
});
afterAll(() => test.close());

const ask = async (text: unknown, client = staff, language = 'en'): Promise<Answer> =>
  (await client.call('post', '/api/search').set('Accept-Language', language).send({ text }).expect(200)).body as Answer;
/** The found identifiers by kind. */
const found = async (text: string, client = staff): Promise<Record<string, string[]>> =>
  Object.fromEntries((await ask(text, client)).groups.map(({ id, hits }) => [id, hits.map((hit) => hit.id).toSorted()]));
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).toSorted();
const page = (resource: string, id: string): string => `/admin/resources/${resource}/records/${id}/show`;

describe('the global search', () => {
  it.each([
    'dupont amelie',
    'Amélie DUPONT',
    '  amélie\t dupont ',
    'lefevre, Amelie',
    'dupont@',
    'amelie.dupont@example.org',
    'dupont choeur',
    'ÉTÉ dupont',
    'Dupont-Lefevre',
    '"Amélie Dupont" <amelie.dupont@example.org>',
  ])('finds a reservation and its tickets by %s', async (text) => {
    expect(await found(text)).toEqual({ reservations: [amelie.id], tickets: idsOf(amelie.tickets) });
  });

  it('shows what identifies a record, in the language of the user, and its section', async () => {
    const { groups } = await ask('amelie');
    expect(groups[0]).toMatchObject({
      id: 'reservations',
      label: 'Reservations',
      all: null,
      hits: [
        {
          id: amelie.id,
          href: page('reservations', amelie.id),
          title: 'Amélie Dupont-Lefèvre',
          details: ['Chœur d’Été', 'Amelie.Dupont@example.org', amelie.id.slice(0, 8).toUpperCase()],
          at: concert.startsAt.toISOString(),
          badge: { text: 'Confirmed' },
        },
      ],
    });
    expect((await ask('amelie', staff, 'fr')).groups[0]).toMatchObject({
      label: 'Réservations',
      hits: [{ badge: { text: 'Confirmée' } }],
    });
  });

  it('finds by the printed reference, which identifies one record', async () => {
    const reference = amelie.id.slice(0, 8).toUpperCase();
    for (const text of [reference, `#${reference}`, reference.toLowerCase(), amelie.id]) {
      const answer = await ask(text);
      expect(answer.groups.map(({ id }) => id)).toEqual(['reservations', 'tickets', 'payments']);
      expect(answer.open).toBe(page('reservations', amelie.id));
    }
    expect((await ask(memberId.slice(0, 8))).open).toBe(page('memberships', memberId));
    const [ticket] = amelie.tickets;
    expect(await found(ticket!.id.slice(0, 13))).toEqual({ tickets: [ticket!.id] });
    // The middle of a UUID is not the beginning of a reference.
    expect(await found(amelie.id.slice(9, 23))).toEqual({});
  });

  it('finds by the scanned or pasted code of a ticket or card', async () => {
    for (const end of ['', '\r\n', '\n', '\t ']) {
      const answer = await ask(`${other.code}${end}`);
      expect(answer).toMatchObject({ open: page('tickets', other.id), forged: false });
      expect(answer.groups.map(({ hits }) => hits.length)).toEqual([1]);
    }
    const membership = await test.inside(venue, () => test.app.get(MembershipsService).find(memberId));
    const card = await test.inside(venue, () => test.app.get(MembershipsService).codeOf(membership!));
    expect((await ask(card)).open).toBe(page('memberships', memberId));
    const forged = `${other.code.slice(0, -10)}${other.code.at(-10) === 'A' ? 'B' : 'A'}${other.code.slice(-9)}`;
    expect(await ask(forged)).toEqual({ groups: [], open: null, forged: true });
  });

  it('finds events, products, memberships and payments', async () => {
    const jazz = await ask('jazz');
    expect(jazz.groups.map(({ id }) => id)).toEqual(['events', 'reservations', 'tickets']);
    expect(await found('theatre')).toMatchObject({ products: [expect.any(String)], memberships: [memberId] });
    expect(await found('ozturk amis')).toEqual({ memberships: [memberId] });
    expect((await ask('ozturk')).open).toBe(page('memberships', memberId));
    const [payment] = await test.database.query<{ id: string }>(
      `update "${venue.schemaName}".payment set reference = 'cs_test_A1b2' where reservation_id = $1 returning id`,
      [amelie.id],
    );
    expect(await found('CS_TEST_a1')).toEqual({ payments: [payment!.id] });
    expect(await found('dupont cs_test')).toEqual({ payments: [payment!.id] });
  });

  it('shows ten of a kind and links to the complete list with the same results', async () => {
    for (let index = 0; index < 11; index += 1)
      await book(test, venue, concert, {
        firstName: 'Crowd',
        lastName: `Ñu${index}`,
        confirmed: true,
        paymentMethod: 'cash',
      });
    const { groups, open } = await ask('nu crowd');
    const [reservations] = groups;
    expect([reservations!.hits.length, open]).toEqual([10, null]);
    const query = Object.fromEntries(new URL(reservations!.all!, 'http://venue').searchParams);
    expect((await staff.list('reservations', query)).meta).toMatchObject({ total: 11 });
    expect((await staff.list('tickets', { 'filters.search': amelie.id.slice(0, 8) })).records).toHaveLength(2);
    expect((await staff.list('reservations', { 'filters.name': 'dupont AMELIE' })).records).toHaveLength(1);
    expect((await staff.list('events', { 'filters.name': 'ete choeur' })).records).toHaveLength(1);
  });

  it('treats characters literally and limits its input', async () => {
    for (const text of ['%', '__', '\\', "' or 1=1 --", '(', ':x', '🎭', `dupont ${'q '.repeat(6)}`])
      expect([text, await found(text)]).toEqual([text, {}]);
    expect((await ask('   ')).groups).toEqual([]);
    // Only the first eight words are used.
    expect(await found(`${'dupont '.repeat(8)} nobody`)).toMatchObject({ reservations: [amelie.id] });
    for (const text of ['x'.repeat(201), 7, null, ['dupont'], undefined])
      await staff.call('post', '/api/search').send({ text }).expect(400);
  });
});

describe('access to the search', () => {
  it('requires a session, a page of this site and POST', async () => {
    const nobody = new PanelClient(test, venue);
    await nobody.call('post', '/api/search').send({ text: 'dupont' }).expect(401);
    await staff.call('post', '/api/search').set('Sec-Fetch-Site', 'cross-site').send({ text: 'dupont' }).expect(403);
    await staff.call('get', '/api/search').query({ text: 'dupont' }).expect(404);
  });

  it('is limited to the own place: codes of others are not found', async () => {
    const abroad = await test.newTenant();
    const stranger = await staffOf(test, abroad);
    for (const text of ['dupont', amelie.id, memberId, 'choeur', 'theatre']) expect(await found(text, stranger)).toEqual({});
    expect(await ask(other.code, stranger)).toEqual({ groups: [], open: null, forged: true });
  });

  it('is limited to what the category of the place has', async () => {
    const collective = await test.newTenant();
    const client = await staffOf(test, collective);
    await book(test, collective, await newEvent(test, collective, { name: 'Dupont Trio' }), { firstName: 'Dupont' });
    expect(Object.keys(await found('dupont', client)).toSorted()).toEqual(['events', 'reservations', 'tickets']);
    const key = await newKey(test, collective, 'event:write');
    await test.database.query(`update shared.tenant set category = 'A' where id = $1`, [collective.id]);
    // Until the process has noticed the change, it answers 503, because its result would be that of the old category.
    const unnoticed = jest.spyOn(test.app.get(HostLookUpsService), 'find').mockResolvedValue(collective);
    const search = (): Test => client.call('post', '/api/search').send({ text: 'dupont' });
    expect((await search().expect(503)).headers['retry-after']).toBe('1');
    const address = { streetAddress: '1 quai', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
    const { body } = await test.on(collective).post('/api/v2/postal-addresses/').set('Authorization', key).send(address).expect(503);
    expect(body.code).toBe('tenant.changed');
    unnoticed.mockRestore();
    await eventually(() => search().expect(200));
    const offered = async (): Promise<string[]> => Object.keys(await found('dupont', client)).toSorted();
    expect(await offered()).toEqual(['events']);
  });

  it('finds users and places only in the Root panel', async () => {
    const { id, email, password } = await test.app
      .get(UsersService)
      .create({ email: 'chloe@example.org', name: 'Chloé Noël', isSuperUser: true });
    const root = new PanelClient(test, 'localhost');
    await root.signIn(email, password);
    expect(await found('noel chloe', root)).toEqual({ users: [id] });
    expect(await found('dupont', root)).toEqual({});
    expect(await found(venue.slug, root)).toEqual({ tenants: [venue.id] });
    expect(await found('chloe', staff)).toEqual({});
  });
});

describe('POST /scan/search_ticket/', () => {
  it('uses the same rule', async () => {
    const device = await newDevice(test, venue);
    await test.inside(venue, () => test.app.get(ScanningDevicesService).change(device.id, { maySearchTickets: true }));
    for (const search of ['dupont, AMELIE', 'lefevre amelie', amelie.id.slice(0, 8).toUpperCase(), 'Dupont–Lefèvre']) {
      const { body } = await test
        .on(venue)
        .post('/scan/search_ticket/')
        .set('Authorization', device.authorization)
        .send({ event_uuid: concert.id, search })
        .expect(200);
      expect([search, body.total]).toEqual([search, 2]);
    }
  });
});
