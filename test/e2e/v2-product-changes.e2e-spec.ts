import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { book, crowd } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;
interface Made extends Body {
  readonly identifier: string;
  readonly offers: readonly { readonly identifier: string }[];
}

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'product:read', 'product:write', 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const path = '/api/v2/products/';

type Method = 'get' | 'post' | 'patch' | 'delete';
const call = (method: Method, below = '', as = authorization, on = tenant): supertest.Test =>
  test.on(on).call(method, `${path}${below}`).set('Authorization', as);
const offer = (name = 'Full', price = '12.00'): object => ({ name, price });
const create = async (body: object = {}): Promise<Made> => {
  const wanted = { name: `Product ${randomUUID()}`, category: 'Ticket', offers: [offer()], ...body };
  return (await call('post').send(wanted).expect(201)).body as Made;
};
const patch = async (below: string, body: object, status = 200): Promise<Body> =>
  (await call('patch', `${below}/`).send(body).expect(status)).body as Body;
const get = async (below: string, status = 200): Promise<Body> => (await call('get', `${below}/`).expect(status)).body as Body;
const remove = async (below: string, status = 204): Promise<Body> => (await call('delete', `${below}/`).expect(status)).body as Body;
const offerOf = ({ identifier, offers }: Made, index = 0): string => `${identifier}/offers/${offers[index]!.identifier}`;
const pointers = ({ errors }: Body): string[] => (errors as { pointer: string }[]).map(({ pointer }) => pointer);

/** A product with one price that is sold for a new event. */
async function sellable(): Promise<{ made: Made; event: { id: string; priceId: string } }> {
  const { id } = await newEvent(test, tenant);
  const made = await create({ isRelatedTo: id });
  return { made, event: { id, priceId: made.offers[0]!.identifier } };
}

describe('PATCH /api/v2/products/<uuid>/', () => {
  it('changes sent members, and publishes the events that sell the product', async () => {
    const [one, two] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    const made = await create({ description: '<p>Long</p>', isRelatedTo: one.id });
    expect(await patch(made.identifier, {})).toEqual(made);
    const changed = await patch(made.identifier, {
      name: 'Evening',
      category: 'Merchandising',
      description: null,
      published: false,
      isRelatedTo: [two.id],
    });
    const { description: _, ...rest } = made;
    expect(changed).toEqual({
      ...rest,
      name: 'Evening',
      category: 'Merchandising',
      published: false,
      isRelatedTo: [expect.objectContaining({ identifier: two.id })],
    });
    expect(await get(made.identifier)).toEqual(changed);
    expect(await patch(made.identifier, { isRelatedTo: null, published: null })).not.toHaveProperty('isRelatedTo');
    const feed = (await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization)).body as {
      results: { type: string; data: Body }[];
    };
    const told = feed.results.map(({ type, data }) => [type, data['identifier']]);
    expect(told.filter(([, id]) => id === one.id)).toHaveLength(3);
    expect(told.filter(([, id]) => id === two.id)).toHaveLength(3);
  });

  it('refuses invalid values, offers, used names and unknown events', async () => {
    const [made, other] = [await create(), await create({ name: 'Taken' })];
    const faults = await patch(
      made.identifier,
      { name: ' ', category: 'Concert', description: 7, published: 'no', offers: [], isRelatedTo: 'x' },
      400,
    );
    expect(pointers(faults).toSorted()).toEqual(['/category', '/description', '/isRelatedTo', '/name', '/offers', '/published']);
    expect(pointers(await patch(made.identifier, { name: null, category: null }, 400))).toEqual(['/name', '/category']);
    expect(await patch(made.identifier, { name: other['name'] }, 409)).toMatchObject({ code: 'product.exists' });
    expect(pointers(await patch(made.identifier, { isRelatedTo: [randomUUID()] }, 400))).toEqual(['/isRelatedTo/0']);
    const [card, event] = [await create({ category: 'Membership' }), await newEvent(test, tenant)];
    expect(pointers(await patch(card.identifier, { isRelatedTo: event.id }, 400))).toEqual(['/isRelatedTo']);
    expect(await get(made.identifier)).toEqual(made);
  });
});

describe('DELETE /api/v2/products/<uuid>/', () => {
  it('deletes products that were never sold; others must be unpublished', async () => {
    const unsold = await create({ offers: [offer('One'), offer('Two')] });
    await remove(unsold.identifier);
    await get(unsold.identifier, 404);
    expect(await remove(unsold.identifier, 404)).toMatchObject({ code: 'product.unknown' });
    const { made, event } = await sellable();
    await book(test, tenant, event);
    expect(await remove(made.identifier, 409)).toMatchObject({ code: 'product.sold' });
    expect(await get(made.identifier)).toEqual(made);
    expect(await patch(made.identifier, { published: false })).toMatchObject({ published: false });
  });

  it('keeps memberships that were sold or that prices require', async () => {
    const card = await create({ category: 'Membership' });
    const members = await create({ offers: [{ ...offer(), membershipRequiredProduct: card.identifier }] });
    expect(await remove(card.identifier, 409)).toMatchObject({ code: 'product.required' });
    expect(await get(card.identifier)).toEqual(card);
    await patch(offerOf(members), { membershipRequiredProduct: null });
    const priceId = card.offers[0]!.identifier;
    await test.inside(tenant, () => test.app.get(MembershipsService).create({ priceId, email: 'ada@example.org', paymentMethod: 'cash' }));
    expect(await remove(card.identifier, 409)).toMatchObject({ code: 'product.sold' });
    expect(await remove(offerOf(card), 409)).toMatchObject({ code: 'product.offer_sold' });
  });

  it('either sells or deletes a product in simultaneous requests', async () => {
    // The foreign keys of tickets decide the race.
    for (let round = 0; round < 3; round += 1) {
      const { made, event } = await sellable();
      const buying = crowd(8, () =>
        book(test, tenant, event).then(
          () => true,
          () => false,
        ),
      );
      const [{ status }, ...sold] = await Promise.all([call('delete', `${made.identifier}/`), ...buying]);
      expect(status).toBe(sold.includes(true) ? 409 : 204);
    }
  });
});

describe('offers of a product', () => {
  it('are listed, created, changed and deleted at their own paths', async () => {
    const card = await create({ category: 'Membership' });
    const made = await create();
    const answer = await call('post', `${made.identifier}/offers/`).send({ name: 'Half', price: 6, vat: 'DX', stock: 5 }).expect(201);
    const half = answer.body as Made;
    expect(answer.headers['location']).toBe(`${path}${made.identifier}/offers/${half.identifier}/`);
    expect(half).toMatchObject({ '@type': 'Offer', name: 'Half', price: '6.00', vat: 'DX', published: true });
    const at = `${made.identifier}/offers/${half.identifier}`;
    expect(await get(at)).toEqual(half);
    expect(await get(`${made.identifier}/offers`)).toEqual({ results: [...made.offers, half] });
    const change = {
      name: 'Reduced',
      price: '7.5',
      freePrice: true,
      vat: 5.5,
      maxPerUser: 2,
      subscriptionType: 'M',
      membershipRequiredProduct: card.identifier,
      availabilityStarts: '2027-01-05T10:00:00+01:00',
      availabilityEnds: '2027-03-05T20:00:00+01:00',
      published: false,
    };
    const changed = await patch(at, change);
    const { maxPerUser: _, ...rest } = change;
    expect(changed).toEqual({
      ...half,
      ...rest,
      price: '7.50',
      vat: '5.5',
      eligibleQuantity: { '@type': 'QuantitativeValue', maxValue: 2 },
    });
    expect(await patch(at, changed)).toEqual(changed);
    expect(await patch(at, {})).toEqual(changed);
    expect(pointers(await patch(at, { availabilityEnds: '2027-01-05T10:00:00+01:00' }, 400))).toEqual(['/availabilityEnds']);
    expect(pointers(await patch(at, { availabilityStarts: '2027-02-30', availabilityEnds: 7 }, 400))).toEqual([
      '/availabilityStarts',
      '/availabilityEnds',
    ]);
    const bare = await patch(at, {
      inventoryLevel: null,
      eligibleQuantity: { maxValue: null },
      subscriptionType: null,
      membershipRequiredProduct: null,
      availabilityStarts: null,
      availabilityEnds: null,
      vat: null,
      freePrice: null,
      published: null,
    });
    expect(bare).toEqual({
      '@type': 'Offer',
      identifier: half.identifier,
      name: 'Reduced',
      price: '7.50',
      priceCurrency: 'EUR',
      freePrice: false,
      vat: 'NA',
      published: true,
      hidden: false,
    });
    await remove(at);
    expect(await get(at, 404)).toMatchObject({ code: 'product.offer_unknown' });
  });

  it('that were sold stay, and sold tickets keep their amount', async () => {
    const { made, event } = await sellable();
    const booked = await book(test, tenant, event);
    expect(await remove(offerOf(made), 409)).toMatchObject({ code: 'product.offer_sold' });
    expect(await patch(offerOf(made), { price: '20', published: false })).toMatchObject({ price: '20.00', published: false });
    const rows = await test.database.query(`select amount::text from "${tenant.schemaName}".ticket`);
    expect([booked.amount, rows]).toEqual(['12.00', [{ amount: '12.00' }]]);
  });

  it('of a free product include at least one free one', async () => {
    const free = await create({ category: 'Free booking', offers: null });
    expect(await remove(offerOf(free), 409)).toMatchObject({ code: 'product.last_free_offer' });
    expect(pointers(await patch(offerOf(free), { price: 5 }, 400))).toEqual(['/price']);
    await call('post', `${free.identifier}/offers/`).send(offer('Also free', '0')).expect(201);
    await remove(offerOf(free));
  });

  it('refuse invalid values, and exist only at their own product', async () => {
    const [made, other] = [await create(), await create()];
    const faults = await patch(offerOf(made), { name: '', price: 'x', vat: 'TVA', published: 1 }, 400);
    expect(pointers(faults).toSorted()).toEqual(['/name', '/price', '/published', '/vat']);
    expect(pointers(await patch(offerOf(made), { membershipRequiredProduct: other.identifier }, 400))).toEqual([
      '/membershipRequiredProduct',
    ]);
    const foreign = `${other.identifier}/offers/${made.offers[0]!.identifier}`;
    for (const at of [foreign, `${made.identifier}/offers/${randomUUID()}`, `${made.identifier}/offers/x`]) {
      for (const [method, body] of [
        ['get', undefined],
        ['patch', { name: 'Mine' }],
        ['delete', undefined],
      ] as const) {
        const answer = await call(method, `${at}/`).send(body);
        expect([at, method, answer.status, (answer.body as Body)['code']]).toEqual([at, method, 404, 'product.offer_unknown']);
      }
    }
    expect(await get(made.identifier)).toEqual(made);
    await call('post', `${randomUUID()}/offers/`).send(offer()).expect(404);
  });

  it('and their product are changed only with the current version and a key that may write', async () => {
    const made = await create();
    const reader = await newKey(test, tenant, 'product:read');
    for (const below of [made.identifier, offerOf(made)]) {
      const { headers } = await call('get', `${below}/`).set('Accept-Language', 'fr').expect(200);
      const tag = headers['etag'] as string;
      await call('get', `${below}/`).set('Accept-Language', 'fr').set('If-None-Match', tag).expect(304);
      await call('patch', `${below}/`)
        .set('If-Match', tag)
        .send({ name: `New ${below}` })
        .expect(200);
      const late = await call('patch', `${below}/`).set('If-Match', tag).send({ name: 'Late' }).expect(412);
      expect(late.body).toMatchObject({ code: 'precondition.failed' });
      await call('delete', `${below}/`).set('If-Match', tag).expect(412);
      await call('patch', `${below}/`)
        .set('Prefer', 'return=minimal')
        .send({ name: `Newer ${below}` })
        .expect(204);
      for (const method of ['patch', 'delete'] as const) await call(method, `${below}/`, reader).send({}).expect(403);
    }
    const elsewhere = await test.newTenant();
    const theirs = await newKey(test, elsewhere, 'product:read', 'product:write');
    await call('delete', `${made.identifier}/`, theirs, elsewhere).expect(404);
    await call('delete', `${offerOf(made)}/`, theirs, elsewhere).expect(404);
  });
});
