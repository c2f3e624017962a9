import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TenantIdentity } from '#tenancy';
import { type PanelAnswer, type PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newEvent } from '../support/builders.js';
import { furnish, same } from '../support/panel-records.js';
import { staffOf } from '../support/panel-staff.js';

const unknownId = randomUUID();

let test: TestApp;
let alpha: TenantIdentity;
let beta: TenantIdentity;
let staff: PanelClient;
let betaStaff: PanelClient;
/** The day of the first records. */
let firstDay: string;
const today = (): string => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  firstDay = today();
  test = await startTestApp();
  alpha = await test.newTenant({ name: 'Alphaplace' });
  beta = await test.newTenant({ name: 'Betaplace' });
  await furnish(test, alpha, 'Alpha');
  await furnish(test, beta, 'Beta');
  staff = await staffOf(test, alpha);
  betaStaff = await staffOf(test, beta);
  await staff.create('keys', { name: 'Alpha key', scopes: ['event:read'] });
  await betaStaff.create('keys', { name: 'Beta key', scopes: ['event:read'] });
});
afterAll(() => test.close());

const resources = ['devices', 'scan-log', 'tickets', 'reservations', 'events', 'products', 'prices', 'addresses', 'keys'];

const ids = ({ records = [] }: PanelAnswer): string[] => records.map(({ id }) => id);
const values = ({ records = [] }: PanelAnswer, name: string): unknown[] => records.map(({ params }) => params[name]);

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
    expect((await filtered('scan-log', { 'recordedAt~~from': firstDay, 'recordedAt~~to': today() })).records).toHaveLength(3);
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

describe('more dates', () => {
  it('are named before they are made, without those that are there', async () => {
    const venue = await test.newTenant();
    const { id } = await newEvent(test, venue, { startsAt: new Date('2041-10-03T17:00:00Z') });
    const client = await staffOf(test, venue);
    const shown = async (query: string): Promise<unknown> => {
      const path = `/api/resources/events/records/${id}/moreDates?preview=true&${query}`;
      return ((await client.call('get', path).set('Accept-Language', 'en').expect(200)).body as PanelAnswer).view!['previewed'];
    };
    expect(await shown('step=week')).toBe('');
    expect(await shown('step=week&until=2042-01-16')).toMatch(
      /^15 dates will be made \(Thursday 10 October 2041 – Thursday 16 January 2042\): .*Thursday 10 October 2041.* · …$/,
    );
    await client.act('events', id, 'moreDates', { step: 'week', until: '2041-10-17' });
    expect(await shown('step=week&until=2041-10-24')).toMatch(/^1 date will be made: .*24 October 2041/);
  });
});

describe('a place', () => {
  it('with sub-places has their sections and no scanning devices', async () => {
    const project = await test.newTenant({ category: 'A' });
    const client = await staffOf(test, project);
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
    const client = await staffOf(test, agenda);
    for (const resource of ['keys', 'members']) await client.list(resource);
    for (const resource of [...resources, 'networks'].filter((name) => name !== 'keys')) {
      const { body } = await client.call('get', `/api/resources/${resource}/actions/list`);
      expect(body).toMatchObject({ notice: { type: 'error' } });
    }
    await client.call('get', '/api/dashboard').expect(200);
  });
});
