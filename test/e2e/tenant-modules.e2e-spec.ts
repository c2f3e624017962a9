import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { BookingsService } from '#selling';
import { AuditService, LedgerAuditService, ReservationChangesService } from '#tickets';
import { EventCopiesService, EventsService, PricesService, ProductsService } from '#catalogue';
import { ScanningDevicesService } from '#scan';
import {
  allScopes,
  ControllerRoutes,
  TenantsService,
  type CategoryCode,
  type ControllerRoute,
  type TenantIdentity,
  type TenantModule,
} from '#tenancy';
import type supertest from 'supertest';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { codes, formerDevice, may, sections, untilCategory } from '../support/tenant-modules.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;
type Method = 'get' | 'post' | 'patch' | 'delete' | 'head';

const tenants = {} as Record<CategoryCode, TenantIdentity>;
const keys = {} as Record<CategoryCode, string>;
const devices = {} as Record<CategoryCode, string>;
let test: TestApp;
let routes: ControllerRoute[];

beforeAll(async () => {
  test = await startTestApp();
  routes = test.app.get(ControllerRoutes).all();
  for (const code of codes) {
    tenants[code] = code === 'R' ? await rootTenant() : await test.newTenant({ category: code });
    keys[code] = await newKey(test, tenants[code], ...allScopes);
    devices[code] = await formerDevice(test, tenants[code]);
  }
});
afterAll(() => test.close());

async function rootTenant(): Promise<TenantIdentity> {
  return (await test.app.get(TenantsService).list()).find(({ category }) => category === 'R')!;
}

/** Calls a route with the required key, unknown ids and an empty body. */
async function tryRoute(code: CategoryCode, { method, path, rule }: ControllerRoute): Promise<supertest.Response> {
  const whole = `${path.replaceAll(/:\w+/g, () => randomUUID())}/`;
  const call = test.on(tenants[code]).call(method.toLowerCase() as Method, whole);
  if (rule?.who === 'public') return call;
  const authorized = call.set('Authorization', rule?.who === 'key' || rule?.who === 'guest' ? keys[code] : devices[code]);
  return method === 'GET' || method === 'HEAD' ? authorized : authorized.send({});
}

const send = (code: CategoryCode, path: string, body: object, method: Method = 'post'): supertest.Test =>
  test.on(tenants[code]).call(method, path).set('Authorization', keys[code]).send(body);
const read = (code: CategoryCode, path: string): supertest.Test => test.on(tenants[code]).get(path).set('Authorization', keys[code]);

describe('the table of categories', () => {
  it.each(codes)('applies to every route of the API for category %s', async (code) => {
    const bound = routes.filter(({ modules }) => modules.length > 0);
    expect(bound.length).toBeGreaterThan(25);
    for (const route of bound) {
      const { status, body } = await tryRoute(code, route);
      const refused = status === 403 && (route.method === 'HEAD' || (body as Body)['code'] === 'tenant.module');
      expect([route.name, refused]).toEqual([route.name, !may(code, ...route.modules)]);
    }
  });

  it('exempts only routes that read, cancel, delete, or maintain existing objects', () => {
    const unbound = routes.filter(({ rule, method, modules }) => modules.length === 0 && rule?.who !== 'public' && method !== 'GET');
    expect(
      unbound
        .filter(({ method }) => method !== 'DELETE')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([
      'PlacesController.create',
      'SemanticMembershipsController.change',
      'SemanticReservationsController.change',
      'WebhookEndpointsController.change',
      'WebhookEndpointsController.ping',
      'WebhookEndpointsController.rotateSecret',
      'WebhookEndpointsController.sendAgain',
    ]);
    expect(routes.filter(({ rule, modules }) => rule?.who === 'door' && modules[0] !== 'scanning')).toEqual([]);
  });

  it.each(codes.filter((code) => code !== 'R'))('applies to the panel in the same way for category %s', async (code) => {
    const staff = await staffOf(test, tenants[code]);
    for (const [section, modules] of Object.entries(sections)) {
      const { status, body } = await staff.call('get', `/api/resources/${section}/actions/list`);
      expect([section, status, (body as Body)['notice'] === undefined]).toEqual([section, 200, may(code, ...modules)]);
    }
    expect(await canMake(staff, 'devices', { name: 'Door 2' })).toBe(may(code, 'scanning'));
    const product = { name: `T ${randomUUID()}`, category: 'B', published: true };
    expect(await canMake(staff, 'products', product)).toBe(may(code, 'ticketing'));
    if (may(code, 'membership') && !may(code, 'ticketing')) {
      const { errors } = (await staff.create('products', product)).record!;
      expect(errors['category']?.message).toContain('cannot sell tickets');
    }
    expect(await canMake(staff, 'products', { ...product, category: 'A' })).toBe(may(code, 'membership'));
  });

  it.each(['S', 'A', 'P'] as const)('limits the forms to what category %s may sell', async (code) => {
    const staff = await staffOf(test, tenants[code]);
    const { text } = await staff.call('get', '/resources/events/actions/new').expect(200);
    interface Property {
      name: string;
      availableValues: { value: string }[] | null;
    }
    const { resources } = JSON.parse(/window\.REDUX_STATE = (.*);/.exec(text)![1]!) as {
      resources: { id: string; editProperties: Property[] }[];
    };
    const fields = (section: string): Property[] => resources.find(({ id }) => id === section)!.editProperties;
    const kinds = fields('products')
      .find(({ name }) => name === 'category')!
      .availableValues!.map(({ value }) => value);
    expect(kinds.toSorted()).toEqual(may(code, 'ticketing') ? ['A', 'B', 'F', 'M', 'P', 'R', 'T'] : ['A']);
    const names = fields('events').map(({ name }) => name);
    expect(names).toContain('keywords');
    for (const name of ['radioOptions', 'checkboxOptions']) expect(names.includes(name)).toBe(may(code, 'ticketing'));
    const { identifier } = (
      await send(code, '/api/v2/events/', {
        '@type': 'MusicEvent',
        name: `Concert ${randomUUID()}`,
        startDate: '2099-01-01T20:00:00Z',
      }).expect(201)
    ).body as Body;
    const { params } = (await staff.look('events', String(identifier))).record!;
    expect('products.add.href' in params).toBe(may(code, 'ticketing'));
  });

  async function canMake(staff: PanelClient, section: string, fields: object): Promise<boolean> {
    return (await staff.create(section, fields)).notice?.type === 'success';
  }

  it('gives category R its own panel', async () => {
    const names = Object.keys(sections).map((section) => `/admin/api/resources/${section}/actions/list`);
    for (const name of names) expect((await test.on(tenants.R).get(name)).status).not.toBe(200);
  });
});

describe('objects that each category may create over the API', () => {
  const ticket = (): object => ({ name: `Ticket ${randomUUID()}`, category: 'Ticket' });
  const card = (): object => ({ name: `Card ${randomUUID()}`, category: 'Membership', offers: [{ name: 'Year', price: '0' }] });
  const happening = (more: object = {}): object => ({
    '@type': 'MusicEvent',
    name: `Concert ${randomUUID()}`,
    startDate: '2099-01-01T20:00:00Z',
    ...more,
  });
  const options = (name: string): object => ({ additionalProperty: [{ name, value: ['Left', 'Right'] }] });
  const place = { streetAddress: '1 rue', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };

  it.each(codes)('for category %s', async (code) => {
    const made = async (modules: readonly TenantModule[], path: string, body: object, status = 201): Promise<Body> => {
      const answer = await send(code, path, body);
      const wanted = may(code, ...modules) ? status : 403;
      expect([path, body, answer.status]).toEqual([path, body, wanted]);
      if (wanted === 403) expect((answer.body as Body)['code']).toBe('tenant.module');
      return answer.body as Body;
    };
    await made(['ticketing'], '/api/v2/products/', ticket());
    await made(['ticketing'], '/api/products/', { name: `Shirt ${randomUUID()}`, categorie_article: 'T' });
    await made(['membership'], '/api/products/', { name: `Card ${randomUUID()}`, categorie_article: 'A' });
    const { identifier: cardId, offers } = await made(['membership'], '/api/v2/products/', card());
    const product = cardId ?? randomUUID();
    await made(['membership'], '/api/prices/', { product, name: 'Half a year', prix: 5 });
    await made(['membership'], `/api/v2/products/${String(product)}/offers/`, { name: 'Month', price: '3' });
    const plan = (offers as Body[] | undefined)?.[0]?.['identifier'] ?? randomUUID();
    await made(['membership'], '/api/v2/memberships/', { member: { email: 'ada@example.org' }, membershipPlan: { identifier: plan } });
    const { identifier: event } = await made(['events'], '/api/v2/events/', happening());
    await made(['ticketing'], '/api/v2/events/', happening(options('optionsRadio')));
    await made(['events'], '/api/v2/postal-addresses/', place);
    await made(['ticketing'], `/api/v2/events/${String(event ?? randomUUID())}/link-product/`, { productIds: [] }, event ? 400 : 404);
    await made(['ticketing'], '/api/v2/reservations/', {}, 400);
    if (event) {
      const changed = await send(code, `/api/v2/events/${String(event)}/`, options('optionsCheckbox'), 'patch');
      expect(changed.status).toBe(may(code, 'ticketing') ? 200 : 403);
    }
  });

  it('gives the category and its modules in the problem, in both languages', async () => {
    const { body } = await send('P', '/api/v2/products/', ticket()).expect(403);
    expect(body).toMatchObject({
      code: 'tenant.module',
      category: 'P',
      modules: ['events', 'membership'],
      detail:
        'A place of category P (Producer) cannot sell tickets. It can manage events and addresses and sell memberships, and read, ' +
        'cancel or delete what it holds.',
    });
    const french = await send('M', '/api/v2/events/', happening()).set('Accept-Language', 'fr').expect(403);
    expect((french.body as Body)['detail']).toContain(
      'catégorie M (Méta (agenda fédéré)) ne peut pas gérer des événements et des adresses',
    );
  });
});

describe('a tenant that sold tickets before its category was changed', () => {
  it('reads, cancels and deletes its objects, and sells nothing more', async () => {
    const venue = await test.newTenant();
    const event = await newEvent(test, venue, { radioOptions: ['Left'] });
    const { id: productId } = await test.inside(venue, () =>
      test.app.get(ProductsService).create({ name: 'Unsold', category: 'B', prices: [{ name: 'Full', amount: '5' }] }),
    );
    const sold = await book(test, venue, event, { confirmed: true });
    const held = await book(test, venue, event);
    await test.database.query(`update shared.tenant set category = 'A' where id = $1`, [venue.id]);
    const project: TenantIdentity = { ...venue, category: 'A' };
    Object.assign(tenants, { A: project });
    keys.A = await newKey(test, project, ...allScopes);
    const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(project, work);

    await untilCategory(test, project);
    const reservation = `/api/v2/reservations/${held.id}/`;
    expect((await read('A', '/api/reservations/').expect(200)).body).toHaveLength(2);
    expect((await read('A', '/api/products/').expect(200)).body).toHaveLength(2);
    expect((await test.on(project).get('/api/products/').expect(200)).body).toEqual([]);
    expect((await test.on(project).get('/api/prices/').expect(200)).body).toEqual([]);
    expect((await test.on(project).get('/api/events/').expect(200)).body).toHaveLength(1);
    const page = (await test.on(project).get(`/event/${event.slug}`).expect(200)).text;
    expect([page.includes(event.name), page.includes('12.50')]).toEqual([true, false]);

    const module = { code: 'tenant.module' };
    const tickets = [{ priceId: event.priceId, quantity: 1 }];
    await expect(
      inside(() => test.app.get(BookingsService).book({ eventId: event.id, email: 'ada@example.org', tickets, origin: 'panel' })),
    ).rejects.toMatchObject(module);
    await expect(inside(() => test.app.get(ReservationChangesService).confirm(held.id))).rejects.toMatchObject(module);
    await expect(inside(() => test.app.get(PricesService).create({ productId, name: 'X', amount: '1' }))).rejects.toMatchObject(module);
    await expect(inside(() => test.app.get(EventsService).sell(event.id, [productId]))).rejects.toMatchObject(module);
    await expect(inside(() => test.app.get(ScanningDevicesService).create('Door'))).rejects.toMatchObject(module);
    await expect(inside(() => test.app.get(ProductsService).update(productId, { name: 'Y' }))).rejects.toMatchObject(module);
    expect(await inside(() => test.app.get(ProductsService).update(productId, { published: false }))).toMatchObject({ published: false });
    const copy = await inside(() => test.app.get(EventCopiesService).copy(event.id, { step: 'week' }));
    expect([copy?.options, await inside(() => soldFor(copy!.id))]).toEqual([[], 0]);

    await send('A', reservation, { reservationStatus: 'ReservationCancelled' }, 'patch').expect(200);
    await send('A', `/api/v2/products/${productId}/`, {}, 'delete').expect(204);
    expect((await read('A', `/api/v2/reservations/${sold.id}/`).expect(200)).body).toMatchObject({
      reservationStatus: 'https://schema.org/ReservationConfirmed',
    });

    expect(await inside(() => test.app.get(AuditService).drifts())).toEqual([]);
    expect(await inside(() => test.app.get(LedgerAuditService).drifts())).toEqual([]);
    await test.database.query(`update "${venue.schemaName}".event set booked = 9 where id = $1`, [event.id]);
    expect(await inside(() => test.app.get(AuditService).drifts())).toMatchObject([{ kind: 'event', id: event.id, counted: 9, rows: 1 }]);
  });

  async function soldFor(id: string): Promise<number> {
    const { products } = await test.app.get(ProductsService).list();
    return products.filter(({ events }) => events.some((one) => one.id === id)).length;
  }

  it('continues to sell memberships, like categories A and P', async () => {
    const producer = tenants.P;
    const { prices } = await test.inside(producer, () =>
      test.app.get(ProductsService).create({ name: 'Friends', category: 'A', prices: [{ name: 'Year', amount: '0' }] }),
    );
    const membership = await test.inside(producer, () =>
      test.app.get(MembershipsService).create({ priceId: prices[0]!.id, email: 'ada@example.org' }),
    );
    const staff = await staffOf(test, producer);
    expect((await staff.list('memberships')).records!.map(({ id }) => id)).toContain(membership.id);
    expect((await staff.act('memberships', membership.id, 'cancel')).notice?.type).toBe('success');
    expect((await test.on(producer).get('/api/products/').expect(200)).body).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'Friends', categorie_article: 'A' })]),
    );
    await test.on(producer).get('/').expect(200);
    await test.on(tenants.M).get('/').expect(200);
  });
});
