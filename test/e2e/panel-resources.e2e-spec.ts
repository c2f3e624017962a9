import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SigningKeysService } from '#booking';
import { ScanningDevicesService } from '#scan';
import { ApiKeysService, TenantDb, UsersService, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { newDevice, newEvent, newTickets } from '../support/builders.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The same identifiers in both places, so that only the tenant distinguishes their data. */
const same = {
  event: randomUUID(),
  product: randomUUID(),
  price: randomUUID(),
  reservation: randomUUID(),
  ticket: randomUUID(),
  device: randomUUID(),
};
const unknownId = randomUUID();

let test: TestApp;
let alpha: TenantIdentity;
let beta: TenantIdentity;
let staff: PanelClient;
let betaStaff: PanelClient;

/** Creates one object of each kind, with the mark in every text. */
async function furnish(tenant: TenantIdentity, mark: string): Promise<void> {
  await test.inside(tenant, () =>
    test.app.get(TenantDb).transaction(async (tx) => {
      const key = await test.app.get(SigningKeysService).currentId(tx);
      await tx.query(`insert into postal_address (id, name, street_address, address_locality, postal_code, address_country)
        overriding system value values (7, '${mark} hall', '1 ${mark} street', '${mark}ville', '26000', 'FR')`);
      await tx.query(`select setval(pg_get_serial_sequence('postal_address', 'id'), 7)`);
      await tx.query(
        `insert into event (id, name, slug, starts_at, ends_at, category, postal_address_id, capacity)
         values ($1, '${mark} concert', '${mark}-1', now(), now() + interval '2 hours', 'LIV', 7, 80),
                (gen_random_uuid(), '${mark} last year', '${mark}-0', now() - interval '1 year', null, 'CON', null, 40)`,
        [same.event],
      );
      await tx.query(`insert into product (id, name, category) values ($1, '${mark} ticket', 'B')`, [same.product]);
      await tx.query(`insert into price (id, product_id, name, amount) values ($1, $2, '${mark} full', 12.50)`, [same.price, same.product]);
      await tx.query(
        `insert into reservation (id, event_id, email, first_name, last_name, status)
         values ($1, $2, '${mark}@example.org', '${mark}', 'Booker', 'V')`,
        [same.reservation, same.event],
      );
      await tx.query(
        `insert into ticket (id, reservation_id, event_id, price_id, amount, first_name, last_name, status, signing_key_id)
         values ($1, $2, $3, $4, 12.50, '${mark}', 'Holder', 'K', $5),
         (gen_random_uuid(), $2, $3, $4, 12.50, '${mark}', 'Gone_100%', 'R', $5)`,
        [same.ticket, same.reservation, same.event, same.price, key],
      );
      await tx.query(`insert into scanning_device (id, name) values ($1, '${mark} gate')`, [same.device]);
      await tx.query(
        `insert into scan_log (action, outcome, device_id, ticket_id, event_id, reason) values
         ('scan', 'accepted', $1, $2, $3, '${mark} first'), ('scan', 'already_scanned', $1, $2, $3, '${mark} second'),
         ('check', 'forged', $1, null, null, '${mark} third')`,
        [same.device, same.ticket, same.event],
      );
    }),
  );
}

async function administratorOf(tenant: TenantIdentity): Promise<PanelClient> {
  const users = test.app.get(UsersService);
  const { id, email, password } = await users.create({
    email: `${randomUUID()}@example.org`,
    name: `Staff of ${tenant.name}`,
  });
  await users.grant(id, { tenantId: tenant.id });
  const client = new PanelClient(test, tenant);
  expect((await client.signIn(email, password)).status).toBe(303);
  return client;
}

beforeAll(async () => {
  test = await startTestApp();
  alpha = await test.newTenant({ name: 'Alphaplace' });
  beta = await test.newTenant({ name: 'Betaplace' });
  await furnish(alpha, 'Alpha');
  await furnish(beta, 'Beta');
  staff = await administratorOf(alpha);
  betaStaff = await administratorOf(beta);
  await staff.create('keys', { name: 'Alpha key', scopes: ['event:read'] });
  await betaStaff.create('keys', { name: 'Beta key', scopes: ['event:read'] });
});
afterAll(() => test.close());

const resources = ['devices', 'scan-log', 'tickets', 'reservations', 'events', 'products', 'prices', 'addresses', 'keys'];
const ids = ({ records = [] }: PanelAnswer): string[] => records.map(({ id }) => id);
const values = ({ records = [] }: PanelAnswer, name: string): unknown[] => records.map(({ params }) => params[name]);
const faults = ({ record }: PanelAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(record?.errors ?? {}).map(([name, { message }]) => [name, message]));

describe('every list and every page', () => {
  it.each(resources)('of %s show their records, and nothing of another place', async (resource) => {
    for (const [client, own, foreign] of [
      [staff, 'Alpha', 'Beta'],
      [betaStaff, 'Beta', 'Alpha'],
    ] as const) {
      const list = await client.list(resource);
      expect(list.records!.length).toBeGreaterThan(0);
      expect(list.meta!.total).toBe(list.records!.length);
      const pages = await Promise.all(ids(list).map((id) => client.look(resource, id)));
      const found = await client.call('get', `/api/resources/${resource}/actions/search/${foreign}`);
      const all = JSON.stringify([list, pages, found.body]);
      expect(all).toContain(own);
      expect(all).not.toContain(foreign);
      for (const { record, notice } of pages) {
        expect(notice).toBeUndefined();
        expect(record!.title).not.toBe('');
      }
    }
  });

  it.each([
    ...resources.map((resource) => [resource, unknownId]),
    ['events', 'nonsense'],
    ['events', `${same.event}' or true`],
    ['addresses', '999999999999999999'],
    ['scan-log', '-1'],
    ['scan-log', '123456789012345'],
  ])('of %s says not found for %s', async (resource, id) => {
    const answer = await staff.look(resource, id);
    expect(answer).toMatchObject({ notice: { type: 'error', message: 'error404Record' } });
    const acted = await staff.act(resource, id, 'edit', { name: 'Changed' });
    expect(acted.notice?.type).toBe('error');
  });

  it('does not find identifiers of another place', async () => {
    const { record } = await betaStaff.create('products', { name: 'Only there', category: 'T' });
    expect(await staff.look('products', record!.id)).toMatchObject({ notice: { message: 'error404Record' } });
    await staff.act('products', record!.id, 'edit', { name: 'Changed from elsewhere' });
    expect((await betaStaff.look('products', record!.id)).record!.params['name']).toBe('Only there');
    const [key] = ids(await betaStaff.list('keys'));
    await staff.act('keys', key!, 'revoke');
    expect((await betaStaff.look('keys', key!)).record!.params['state']).toBe('active');
  });

  it('offers no action that its services do not support', async () => {
    for (const resource of ['tickets', 'reservations', 'scan-log']) {
      for (const action of ['edit', 'delete']) {
        expect((await staff.act(resource, same.ticket, action)).notice?.type).toBe('error');
      }
      expect((await staff.create(resource, { status: 'K' })).notice?.type).toBe('error');
    }
    expect((await staff.act('events', same.event, 'delete')).notice?.type).toBe('error');
    await staff.call('get', '/api/resources/tenants/actions/list').expect(404);
    await staff.call('get', '/api/resources/users/actions/list').expect(404);
    expect(values(await staff.list('events', { 'filters.name': 'Alpha concert' }), 'name')).toEqual(['Alpha concert']);
  });
});

describe('lists', () => {
  const filtered = (resource: string, filters: Record<string, string>) =>
    staff.list(resource, Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filters.${name}`, value])));

  it('find tickets by state, event and holder, without wildcards', async () => {
    expect(ids(await filtered('tickets', { status: 'K' }))).toEqual([same.ticket]);
    expect((await filtered('tickets', { eventId: same.event })).records).toHaveLength(2);
    expect((await filtered('tickets', { eventId: unknownId })).records).toHaveLength(0);
    expect(ids(await filtered('tickets', { holder: 'pha hold' }))).toEqual([same.ticket]);
    expect(values(await filtered('tickets', { holder: 'gone_100%' }), 'status')).toEqual(['R']);
    expect((await filtered('tickets', { holder: '%' })).records).toHaveLength(1);
    expect((await filtered('tickets', { holder: `'; drop table ticket; --` })).records).toHaveLength(0);
  });

  it('find reservations by state, event and e-mail', async () => {
    expect(ids(await filtered('reservations', { email: 'ALPHA@', status: 'V', eventId: same.event }))).toEqual([same.reservation]);
    expect((await filtered('reservations', { status: 'C' })).records).toHaveLength(0);
  });

  it('find scans by outcome, action, device and day, newest first', async () => {
    expect(values(await filtered('scan-log', {}), 'outcome')).toEqual(['forged', 'already_scanned', 'accepted']);
    expect(values(await filtered('scan-log', { outcome: 'accepted', deviceId: same.device }), 'reason')).toEqual(['Alpha first']);
    expect(values(await filtered('scan-log', { action: 'check' }), 'reason')).toEqual(['Alpha third']);
    const today = new Date().toISOString().slice(0, 10);
    expect((await filtered('scan-log', { 'recordedAt~~from': today, 'recordedAt~~to': today })).records).toHaveLength(3);
    expect((await filtered('scan-log', { 'recordedAt~~to': '2020-01-01' })).records).toHaveLength(0);
  });

  it('ignore filters and sort keys that do not exist', async () => {
    const plain = ids(await staff.list('events'));
    const odd: Record<string, string>[] = [
      { sortBy: 'startsAt; drop table event', direction: 'desc' },
      { sortBy: 'constructor', direction: 'sideways' },
      { 'filters.passwordHash': 'x' },
      { 'filters.name.nested': 'x' },
      { 'filters.longDescription': 'x' },
      { page: '-3' },
      { page: 'x', perPage: '1e9' },
    ];
    for (const query of odd) {
      expect(ids(await staff.list('events', query))).toEqual(plain);
    }
  });

  it('sort in both directions and are paginated', async () => {
    const upwards = ids(await staff.list('events', { sortBy: 'startsAt', direction: 'asc' }));
    expect(ids(await staff.list('events', { sortBy: 'startsAt', direction: 'desc' }))).toEqual(upwards.toReversed());
    const second = await staff.list('events', { sortBy: 'startsAt', direction: 'asc', perPage: '1', page: '2' });
    expect(ids(second)).toEqual(upwards.slice(1, 2));
    expect(second.meta!.total).toBe(upwards.length);
    for (const resource of resources) {
      const { records } = await staff.list(resource);
      for (const name of Object.keys(records![0]!.params)) await staff.list(resource, { sortBy: name, direction: 'asc' });
    }
  });
});

describe('a record page', () => {
  it('of a ticket shows its code as picture and text, and its scans', async () => {
    const { record } = await staff.look('tickets', same.ticket);
    expect(record!.title).toBe('Alpha Holder');
    expect(record!.params['qr.picture']).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(String(record!.params['qr.text'])).toMatch(/^[\w-]{24}:[\w-]{86}$/);
    expect(record!.params).toMatchObject({
      'history.items.0.badge.text': 'Already scanned',
      'history.items.1.badge.text': 'Admitted',
    });
  });

  it('of a cancelled ticket shows no code', async () => {
    const [cancelled] = ids(await staff.list('tickets', { 'filters.status': 'R' }));
    const { record } = await staff.look('tickets', cancelled!);
    expect(record!.params['qr']).toBeNull();
  });

  it('of a reservation shows its tickets, of a product its prices', async () => {
    const reservation = await staff.look('reservations', same.reservation);
    expect(reservation.record!.params).toMatchObject({
      ticketsCount: 1,
      total: '12.50',
      'tickets.items.0.title': 'Alpha Gone_100%',
    });
    const product = await staff.look('products', same.product);
    expect(product.record!.params).toMatchObject({
      'prices.items.0.title': 'Alpha full',
      'prices.items.0.details': '€12.50',
    });
  });

  it('“tonight” shows the events of the day and the last scans', async () => {
    const { body } = await staff.call('get', '/api/dashboard').expect(200);
    expect(body).toMatchObject({
      kind: 'tonight',
      events: [{ id: same.event, name: 'Alpha concert', place: 'Alpha hall', capacity: 80, sold: 1, inside: 0 }],
      scans: [
        { outcome: 'already_scanned', who: 'Alpha Holder', event: 'Alpha concert', device: 'Alpha gate' },
        { outcome: 'accepted', who: 'Alpha Holder' },
      ],
      refused: 1,
    });
    expect(JSON.stringify(body)).not.toContain('Beta');
  });
});

describe('forms', () => {
  it('create and change events, and show errors beside their fields', async () => {
    const startsAt = '2027-01-10T19:30:00.000Z';
    const fields = {
      name: 'Ball',
      category: 'REU',
      startsAt,
      endsAt: '',
      capacity: '120',
      postalAddressId: '7',
      published: 'false',
      scanOpensMinutesBefore: '60',
    };
    const made = await staff.create('events', fields);
    expect(made.redirectUrl).toBe(`/admin/resources/events/records/${made.record!.id}/show`);
    const { record } = await staff.look('events', made.record!.id);
    expect(record!.params).toMatchObject({
      name: 'Ball',
      startsAt,
      endsAt: null,
      capacity: 120,
      postalAddressId: '7',
      published: false,
      scanOpensMinutesBefore: 60,
      maxPerUser: null,
    });
    expect(faults(await staff.create('events', fields))).toEqual({
      name: 'There is already an event with this name that starts at that time.',
    });
    expect(faults(await staff.create('events', { category: 'XYZ', capacity: 'many' }))).toEqual({
      name: 'fieldRequired',
      startsAt: 'fieldRequired',
      category: 'fieldChoice',
      capacity: 'fieldNumber',
    });
    const edit = (change: object) => staff.act('events', made.record!.id, 'edit', change);
    expect(faults(await edit({ endsAt: '2027-01-10T18:00:00.000Z' }))).toEqual({
      endsAt: 'The end is before the start.',
    });
    expect(faults(await edit({ scanOpensMinutesBefore: '-5' }))).toEqual({
      scanOpensMinutesBefore: expect.stringContaining('whole number'),
    });
    expect(faults(await edit({ postalAddressId: '4711' }))).toEqual({ postalAddressId: 'There is no such address.' });
    expect(faults(await edit({ postalAddressId: 'x' }))).toEqual({ postalAddressId: 'fieldReference' });
    expect(faults(await edit({ category: 'ACT' }))).toEqual({
      superEventId: 'Choose the event that this volunteering belongs to.',
    });
    expect(faults(await edit({ superEventId: made.record!.id }))).toEqual({ superEventId: expect.any(String) });
    expect(faults(await edit({ superEventId: unknownId }))).toEqual({ superEventId: 'There is no such event.' });
    expect((await edit({ category: 'ACT', superEventId: same.event })).notice?.type).toBe('success');
    expect((await edit({ name: 'Grand ball', slug: 'mine' })).notice?.type).toBe('success');
    const after = (await staff.look('events', made.record!.id)).record!;
    expect(after.params['name']).toBe('Grand ball');
    expect(after.params['slug']).toMatch(/^ball-20270110-2030-/);
  });

  it('are in French on request', async () => {
    const answer = await staff
      .call('post', '/api/resources/products/actions/new')
      .set('Accept-Language', 'fr')
      .send({ name: 'Alpha ticket', category: 'B' });
    expect(faults(answer.body as PanelAnswer)).toEqual({ name: 'Un produit de ce type et de ce nom existe déjà.' });
  });

  it('keep an empty limit as no limit, and money as decimal text', async () => {
    const made = await staff.create('prices', {
      productId: same.product,
      name: 'Reduced',
      amount: '1 009,5',
      vat: '5.5',
      stock: '',
      maxPerUser: '3',
    });
    expect((await staff.look('prices', made.record!.id)).record!.params).toMatchObject({
      amount: '1009.50',
      vat: '5.5',
      stock: null,
      maxPerUser: 3,
    });
    expect(faults(await staff.create('prices', { productId: unknownId, name: 'x', amount: '1', vat: 'NA' }))).toEqual({
      productId: 'There is no such product.',
    });
    expect(faults(await staff.create('prices', { productId: same.product, name: 'x', amount: '-1', vat: 'NA' }))).toEqual({
      amount: expect.any(String),
    });
    expect(faults(await staff.create('prices', { productId: same.product, name: 'x', amount: '1', vat: 'full' }))).toEqual({
      vat: expect.any(String),
    });
  });

  it('validate addresses', async () => {
    const address = {
      streetAddress: '2 rue Haute',
      postalCode: '26110',
      addressLocality: 'Nyons',
      addressCountry: 'fr',
      isMain: 'true',
    };
    const made = await staff.create('addresses', address);
    expect((await staff.look('addresses', made.record!.id)).record!.params).toMatchObject({
      label: '2 rue Haute, Nyons',
      addressCountry: 'FR',
      isMain: true,
    });
    const next = await staff.create('addresses', { ...address, streetAddress: '3 rue Haute' });
    expect((await staff.look('addresses', made.record!.id)).record!.params['isMain']).toBe(false);
    for (const country of ['F', 'FRA', 'ZZ', 'XX', 'EU']) {
      expect(faults(await staff.create('addresses', { ...address, addressCountry: country }))).toEqual({
        addressCountry: expect.any(String),
      });
    }
    const edit = (change: object) => staff.act('addresses', next.record!.id, 'edit', change);
    expect(faults(await edit({ latitude: '90.5' }))).toEqual({ latitude: expect.stringContaining('-90 to 90') });
    expect(faults(await edit({ longitude: '-181' }))).toEqual({ longitude: expect.stringContaining('-180 to 180') });
    expect((await edit({ latitude: '44.36', longitude: '' })).notice?.type).toBe('success');
  });

  it('store text that looks like markup as text', async () => {
    const name = '</script><script>alert(1)</script>';
    const made = await staff.create('products', { name, category: 'T' });
    const answer = await staff
      .call('get', `/api/resources/products/records/${made.record!.id}/show`)
      .expect('Content-Type', /^application\/json/);
    expect((answer.body as PanelAnswer).record!.title).toBe(name);
    const { text } = await staff.call('get', `/resources/products/records/${made.record!.id}/show`).expect(200);
    expect(text).not.toContain('alert(1)');
  });
});

describe('a scanning device', () => {
  it('is created, shows its code once, is paired, renewed, archived and restored', async () => {
    const made = await staff.create('devices', { name: 'South door' });
    const id = made.record!.id;
    expect(made.redirectUrl).toBe(`/admin/resources/devices/records/${id}/pair`);
    const { view } = await staff.look('devices', id, 'pair');
    expect(view).toMatchObject({
      state: 'open',
      picture: expect.stringMatching(/^data:image\/svg/),
      expiresAt: expect.any(String),
    });
    const address = new URL(String(view!['address']));
    expect(address.host).toBe(alpha.host);
    expect(JSON.stringify(made)).not.toContain(address.pathname.split('/')[2]);

    // Viewing the page neither uses nor renews the code, and no other user sees it.
    const hash = () => test.database.query(`select pairing_token_hash from "${alpha.schemaName}".scanning_device where id = $1`, [id]);
    const before = await hash();
    expect((await staff.look('devices', id, 'pair')).view).toEqual(view);
    const colleague = await administratorOf(alpha);
    expect((await colleague.look('devices', id, 'pair')).view).toEqual({ state: 'hidden' });
    expect(await hash()).toEqual(before);

    const paired = await test.on(alpha).get(address.pathname).expect(200);
    const asDevice = () =>
      test
        .on(alpha)
        .get('/scan/keys/')
        .set('Authorization', `Api-Key ${(paired.body as { api_key: string }).api_key}`);
    await asDevice().expect(200);
    expect((await staff.look('devices', id, 'pair')).view).toEqual({ state: 'spent' });
    await staff.act('devices', id, 'archive');
    await asDevice().expect(403);
    await staff.act('devices', id, 'restore');
    await asDevice().expect(200);
    await staff.act('devices', id, 'edit', { name: 'North door' });
    expect((await staff.look('devices', id)).record!.params).toMatchObject({ name: 'North door', state: 'paired' });

    const renewed = await staff.act('devices', id, 'pair');
    expect(renewed.view).toMatchObject({ state: 'open' });
    await asDevice().expect(401);
    // A newer code of a colleague invalidates this one, so it is no longer shown.
    await colleague.act('devices', id, 'pair');
    expect((await staff.look('devices', id, 'pair')).view).toEqual({ state: 'hidden' });
  });

  it('may search tickets when staff allow it', async () => {
    const made = await staff.create('devices', { name: 'Guest list' });
    const id = made.record!.id;
    const params = async () => (await staff.look('devices', id)).record!.params;
    expect(await params()).toMatchObject({ name: 'Guest list', maySearchTickets: false });
    await staff.act('devices', id, 'edit', { name: 'Guest list', maySearchTickets: true });
    expect(await params()).toMatchObject({ name: 'Guest list', maySearchTickets: true });
    await staff.act('devices', id, 'edit', { name: 'Guests' });
    expect(await params()).toMatchObject({ name: 'Guests', maySearchTickets: true });
    await staff.act('devices', id, 'edit', { maySearchTickets: false });
    expect(await params()).toMatchObject({ name: 'Guests', maySearchTickets: false });
    const allowed = await staff.create('devices', { name: 'Box office', maySearchTickets: true });
    expect((await staff.look('devices', allowed.record!.id)).record!.params).toMatchObject({ maySearchTickets: true });
  });

  it('counts today’s entries without undone scans, and names a check by its result', async () => {
    const door = await newDevice(test, alpha, 'Counting door');
    const event = await newEvent(test, alpha);
    const [one, two, seen] = await newTickets(test, alpha, { event, count: 3 });
    const at = (path: string, body: object) =>
      test.on(alpha).post(`/scan/${path}/`).set('Authorization', door.authorization).send(body).expect(200);
    const entries = async () => [
      (await staff.look('devices', door.id)).record!.params['scansToday'],
      (await test.inside(alpha, () => test.app.get(ScanningDevicesService).overview({ id: door.id })))[0]?.scansToday,
    ];
    await at('check_ticket', { qrcode_data: seen!.code });
    expect(await entries()).toEqual([0, 0]);
    await at('ticket', { qrcode_data: one!.code });
    await at('ticket', { qrcode_data: two!.code });
    expect(await entries()).toEqual([2, 2]);
    await at('undo', { qrcode_data: two!.code, reason: 'wrong door' });
    expect(await entries()).toEqual([1, 1]);
    await at('ticket', { qrcode_data: two!.code });
    expect(await entries()).toEqual([2, 2]);

    const outcomes = async (filters: Record<string, string>) =>
      (await staff.list('scan-log', { 'filters.deviceId': door.id, ...filters })).records!.map(({ params }) => params['outcome']);
    expect(await outcomes({})).toEqual(['accepted', 'undone', 'accepted', 'accepted', 'may_enter']);
    expect(await outcomes({ 'filters.outcome': 'accepted' })).toHaveLength(3);
    expect(await outcomes({ 'filters.outcome': 'may_enter' })).toHaveLength(1);
    const { params } = (await staff.look('tickets', seen!.id)).record!;
    expect(Object.values(params)).toContain('Checked: may enter');
    expect(Object.values(params)).not.toContain('Admitted');
  });

  it('shows that its code has expired, and refuses an invalid name', async () => {
    const made = await staff.create('devices', { name: 'Late door' });
    await test.database.query(`update "${alpha.schemaName}".scanning_device set pairing_expires_at = now() where id = $1`, [
      made.record!.id,
    ]);
    expect((await staff.look('devices', made.record!.id, 'pair')).view).toEqual({ state: 'expired' });
    expect(faults(await staff.create('devices', { name: 'x'.repeat(101) }))).toEqual({
      name: expect.stringContaining('100 characters'),
    });
  });
});

describe('an API key', () => {
  const usable = (text: string, tenant = alpha) =>
    test.inside(tenant, () => test.app.get(ApiKeysService).authenticate(text, '192.0.2.7', false));

  it('is shown once, works with its scopes, and stops when it is revoked', async () => {
    const made = await staff.create('keys', {
      name: 'Website',
      scopes: ['event:read', 'ticket:write'],
      allowedAddresses: '192.0.2.0/24\n2001:db8::1',
    });
    const id = made.record!.id;
    expect(made.redirectUrl).toBe(`/admin/resources/keys/records/${id}/reveal`);
    const colleague = await administratorOf(alpha);
    expect((await colleague.act('keys', id, 'reveal')).view).toEqual({ state: 'gone' });
    expect((await staff.look('keys', id, 'reveal')).view).toEqual({ state: 'ready' });
    const { view } = await staff.act('keys', id, 'reveal');
    expect((await staff.act('keys', id, 'reveal')).view).toEqual({ state: 'gone' });
    expect((await staff.look('keys', id, 'reveal')).view).toEqual({ state: 'gone' });

    const key = String(view!['text']);
    expect(await usable(key)).toMatchObject({
      kind: 'integration',
      scopes: ['event:read', 'ticket:write'],
      ownerId: expect.any(String),
    });
    await expect(usable(key, beta)).rejects.toThrow('key.unknown');
    expect((await staff.look('keys', id)).record!.params).toMatchObject({
      state: 'active',
      allowedAddresses: '192.0.2.0/24\n2001:db8::1',
      'scopes.0': 'event:read',
    });
    await staff.act('keys', id, 'revoke');
    await expect(usable(key)).rejects.toThrow('key.revoked');
    expect((await staff.look('keys', id)).record!.params['state']).toBe('revoked');
  });

  it('is refused without scopes, with an invalid address or an end in the past', async () => {
    expect(faults(await staff.create('keys', { name: 'x' }))).toEqual({ scopes: 'Choose at least one scope.' });
    expect(faults(await staff.create('keys', { name: 'x', scopes: ['everything'] }))).toEqual({
      scopes: 'fieldChoice',
    });
    expect(faults(await staff.create('keys', { name: 'x', scopes: ['event:read'], allowedAddresses: '300.1.1.1' }))).toEqual({
      allowedAddresses: expect.stringContaining('300.1.1.1'),
    });
    expect(faults(await staff.create('keys', { name: 'x', scopes: ['event:read'], expiresAt: '2020-01-01T00:00:00.000Z' }))).toEqual({
      expiresAt: 'expiresPast',
    });
  });

  it('of a device is not in the list and cannot be revoked there', async () => {
    const made = await staff.create('devices', { name: 'Keyed door' });
    const { view } = await staff.look('devices', made.record!.id, 'pair');
    const { body } = await test
      .on(alpha)
      .get(new URL(String(view!['address'])).pathname)
      .expect(200);
    const [, keyId] = (body as { api_key: string }).api_key.split('_');
    expect(ids(await staff.list('keys'))).not.toContain(keyId);
    await staff.act('keys', keyId!, 'revoke');
    await test
      .on(alpha)
      .get('/scan/keys/')
      .set('Authorization', `Api-Key ${(body as { api_key: string }).api_key}`)
      .expect(200);
  });
});

describe('a place', () => {
  it('with sub-places has their sections and no scanning devices', async () => {
    const project = await test.newTenant({ category: 'A' });
    const client = await administratorOf(project);
    await client.create('events', {
      name: 'Meeting',
      category: 'REU',
      startsAt: '2099-01-01T10:00:00.000Z',
      capacity: '10',
    });
    for (const resource of ['events', 'products', 'prices', 'addresses', 'keys']) await client.list(resource);
    for (const resource of ['devices', 'scan-log', 'tickets', 'reservations']) {
      const { body } = await client.call('get', `/api/resources/${resource}/actions/list`);
      expect(body).toMatchObject({ notice: { type: 'error' } });
      expect((body as PanelAnswer).records ?? []).toHaveLength(0);
    }
    expect((await client.create('devices', { name: 'Door' })).notice?.type).toBe('error');
    const { body } = await client.call('get', '/api/dashboard').expect(200);
    expect(body).toMatchObject({ events: [], scans: null, upcoming: [{ name: 'Meeting' }] });
  });

  it('that shows the federated agenda has only keys and members', async () => {
    const agenda = await test.newTenant({ category: 'M' });
    const client = await administratorOf(agenda);
    for (const resource of ['keys', 'members']) await client.list(resource);
    for (const resource of [...resources, 'networks'].filter((name) => name !== 'keys')) {
      const { body } = await client.call('get', `/api/resources/${resource}/actions/list`);
      expect(body).toMatchObject({ notice: { type: 'error' } });
    }
    await client.call('get', '/api/dashboard').expect(200);
  });
});

describe('the picture of a product', () => {
  const picture = (id: string): string => `/api/resources/products/records/${id}/picture`;
  const newProduct = async (fields: object = {}): Promise<string> =>
    (await staff.create('products', { name: `Shirt ${randomUUID()}`, category: 'T', ...fields })).record!.id;
  const shownAt = async (id: string): Promise<unknown> => (await staff.look('products', id)).record!.params['picture.src'];
  const png = sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

  it('is uploaded, shown, replaced and removed', async () => {
    const id = await newProduct();
    expect([(await staff.look('products', id, 'picture')).view, await shownAt(id)]).toEqual([{ src: null }, null]);
    const answer = (
      await staff
        .call('post', picture(id))
        .attach('img', await png, 'shirt.png')
        .expect(200)
    ).body as PanelAnswer;
    const { src } = answer.view as { src: string };
    expect([answer.notice, await shownAt(id)]).toMatchObject([{ type: 'success', message: 'pictureSaved' }, src]);
    await test.on(alpha).get(src).expect(200).expect('Content-Type', 'image/webp');
    const again = (
      await staff
        .call('post', picture(id))
        .attach('img', await png, 'shirt.png')
        .expect(200)
    ).body as PanelAnswer;
    expect(again.view).not.toEqual({ src });
    await test.on(alpha).get(src).expect(404);
    expect((await staff.act('products', id, 'picture', { remove: true })).view).toEqual({ src: null });
    expect(await shownAt(id)).toBeNull();
  });

  it('must be a file of the form and a picture', async () => {
    const id = await newProduct();
    const faultOf = (answer: PanelAnswer): string | undefined => answer.record?.errors['img']?.message;
    for (const img of [undefined, 'x', { path: '/etc/hostname', size: 9 }]) {
      expect(faultOf(await staff.act('products', id, 'picture', { img }))).toBe('pictureMissing');
    }
    const empty = await staff.call('post', picture(id)).attach('img', Buffer.alloc(0), 'x.png').expect(200);
    expect(faultOf(empty.body as PanelAnswer)).toBe('pictureMissing');
    const svg = await staff.call('post', picture(id)).attach('img', Buffer.from('<svg/>'), 'x.png').expect(200);
    expect(faultOf(svg.body as PanelAnswer)).toMatch('This is not a picture');
    const large = await staff
      .call('post', picture(id))
      .attach('img', Buffer.alloc(10 * 1024 * 1024 + 1), 'x.png')
      .expect(200);
    expect(faultOf(large.body as PanelAnswer)).toMatch('larger than 10 MiB');
    await staff
      .call('post', picture(id))
      .attach('constructor', await png, 'x.png')
      .expect(400);
    expect(await shownAt(id)).toBeNull();
  });

  it('is shown beside terms and the cashless mark, which only one product has', async () => {
    const marked = { category: 'A', sendToCashless: true, termsAndConditions: '<p>Be <script>x</script>kind</p>' };
    const id = await newProduct(marked);
    const { params } = (await staff.look('products', id)).record!;
    expect(params).toMatchObject({ sendToCashless: true, termsAndConditions: '<p>Be kind</p>' });
    const second = await staff.create('products', { ...marked, name: 'Another' });
    expect(Object.keys(second.record!.errors)).toEqual(['sendToCashless']);
  });
});
