import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImagesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import type supertest from 'supertest';
import { countRows } from '../support/catalogue-rows.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;
type Made = Body & { identifier: string; offers: Body[] };

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the tests read events from the feed.
beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'product:read', 'product:write', 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const path = '/api/v2/products/';

function call(method: 'get' | 'post', to: string, as = authorization, on = tenant): supertest.Test {
  return test.on(on).call(method, to).set('Authorization', as);
}

async function made(answer: supertest.Test, status = 201): Promise<Made> {
  const { status: got, body } = await answer;
  expect([got, got === status ? undefined : body]).toEqual([status, undefined]);
  return body as Made;
}

const create = (body: object = {}, status?: number): Promise<Made> =>
  made(call('post', path).send({ name: `Product ${randomUUID()}`, category: 'Ticket', ...body }), status);
const newEvent = (name: string): Promise<Made> =>
  made(call('post', '/api/v2/events/').send({ name, startDate: '2027-03-01T20:00:00+01:00' }));
const link = (event: string, body: object, status = 200): Promise<Made> =>
  made(call('post', `/api/v2/events/${event}/link-product/`).send(body), status);

const get = async (id: string): Promise<Made> => (await call('get', `${path}${id}/`).expect(200)).body as Made;

async function told(): Promise<[unknown, unknown, unknown][]> {
  const { body } = await call('get', '/api/v2/webhook-events/').expect(200);
  const { results } = body as { results: { type: string; data: Body }[] };
  return results.map(({ type, data }) => [type, data['identifier'], data['sequence']]);
}

const faultsOf = ({ code, errors }: Body): string[] => {
  expect(code).toBe('body.invalid');
  return (errors as { pointer: string }[]).map(({ pointer }) => pointer).toSorted();
};

const count = (table: string): Promise<number> => countRows(test, tenant, table);

describe('POST /api/v2/products/', () => {
  it('creates a product with its offers and events, and answers all of it', async () => {
    const membership = await create({ category: 'Membership', name: 'Card' });
    const events = [await newEvent('First'), await newEvent('Second')];
    const answer = await call('post', path)
      .send({
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: 'Evening ticket',
        description: '<p>Come <script>alert(1)</script>in</p>',
        category: 'Ticket',
        offers: [
          {
            '@type': 'Offer',
            name: 'Full',
            price: '12.5',
            priceCurrency: 'EUR',
            vat: 5.5,
            inventoryLevel: { value: 40 },
            eligibleQuantity: { maxValue: 4 },
          },
          { name: 'Half', price: 6, stock: 0, maxPerUser: 2, vat: 'DX', published: false },
          {
            name: 'Members',
            price: 5,
            freePrice: true,
            additionalProperty: [
              { name: 'subscriptionType', value: 'Y' },
              { name: 'membershipRequiredProduct', value: membership.identifier },
              { name: 'recurringPayment', value: false },
            ],
          },
        ],
        isRelatedTo: [events[0]!.identifier, { '@type': 'Event', identifier: events[1]!.identifier }],
      })
      .expect(201);
    const { identifier, offers } = answer.body as Made;
    const [full, half, members] = offers.map((offer) => offer['identifier']);
    expect(answer.body).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      identifier,
      sku: identifier,
      name: 'Evening ticket',
      description: '<p>Come in</p>',
      category: 'Ticket',
      isRelatedTo: events.map((event) => ({ '@type': 'Event', identifier: event.identifier, name: event['name'] })),
      published: true,
      offers: [
        {
          '@type': 'Offer',
          identifier: full,
          name: 'Full',
          price: '12.50',
          priceCurrency: 'EUR',
          freePrice: false,
          vat: '5.5',
          published: true,
          inventoryLevel: { '@type': 'QuantitativeValue', value: 40 },
          eligibleQuantity: { '@type': 'QuantitativeValue', maxValue: 4 },
        },
        {
          '@type': 'Offer',
          identifier: half,
          name: 'Half',
          price: '6.00',
          priceCurrency: 'EUR',
          freePrice: false,
          vat: 'DX',
          published: false,
          inventoryLevel: { '@type': 'QuantitativeValue', value: 0 },
          eligibleQuantity: { '@type': 'QuantitativeValue', maxValue: 2 },
        },
        {
          '@type': 'Offer',
          identifier: members,
          name: 'Members',
          price: '5.00',
          priceCurrency: 'EUR',
          freePrice: true,
          vat: 'NA',
          published: true,
          subscriptionType: 'Y',
          membershipRequiredProduct: membership.identifier,
        },
      ],
    });
    expect(answer.headers['location']).toBe(`${path}${identifier}/`);
    expect(await get(identifier)).toEqual(answer.body);
    const [first, second] = events.map((event) => event.identifier);
    const news = await told();
    expect(news.slice(0, 2)).toEqual([
      ['event.created', first, 1],
      ['event.created', second, 1],
    ]);
    expect(news.slice(2)).toEqual(
      expect.arrayContaining([
        ['event.updated', first, 2],
        ['event.updated', second, 2],
      ]),
    );
    expect(news).toHaveLength(4);
  });

  it.each([
    ['Ticket', 'Ticket', 'Billet'],
    ['billet', 'Ticket', 'Billet'],
    ['Ticket booking', 'Ticket', 'Billet'],
    ['b', 'Ticket', 'Billet'],
    ['Free booking', 'Free', 'Gratuit'],
    ['GRATUIT', 'Free', 'Gratuit'],
    ['F', 'Free', 'Gratuit'],
    ['Membership', 'Subscription / membership', 'Abonnement / adhésion'],
    ['adhesion', 'Subscription / membership', 'Abonnement / adhésion'],
    ['vetement', 'Clothing', 'Vêtement'],
    ['Recharge cashless', 'Cashless top-up', 'Recharge cashless'],
  ])('takes the category %j and answers its label in the language of the answer', async (category, en, fr) => {
    const { identifier, category: label } = await create({ category });
    const french = await call('get', `${path}${identifier}/`).set('Accept-Language', 'fr').expect(200);
    expect([label, (french.body as Body)['category']]).toEqual([en, fr]);
  });

  it('adds a free offer to a free product without one', async () => {
    expect((await create({ category: 'Free booking' })).offers).toMatchObject([{ name: 'Free', price: '0.00' }]);
    const own = await create({ category: 'F', offers: [{ name: 'Come in', price: 0 }] });
    expect(own.offers).toMatchObject([{ name: 'Come in', price: '0.00' }]);
    const also = await create({ category: 'F', offers: [{ name: 'Supporter', price: 5 }] });
    expect(also.offers).toMatchObject([{ name: 'Supporter' }, { name: 'Free' }]);
    expect((await create({ category: 'Ticket' })).offers).toEqual([]);
    const venue = await test.newTenant({ language: 'fr' });
    const key = await newKey(test, venue, 'product:write');
    const { body } = await call('post', path, key, venue).send({ name: 'Entrée', category: 'Gratuit' }).expect(201);
    expect((body as Made).offers).toMatchObject([{ name: 'Gratuit' }]);
  });

  it('lists every fault with its pointer', async () => {
    const problem = await create(
      {
        name: ' ',
        description: 7,
        category: 'Concert',
        offers: [
          { name: 'Fine', price: 1 },
          {
            name: '',
            price: 0.1 + 0.2,
            priceCurrency: 'USD',
            inventoryLevel: { value: -1 },
            stock: 1.5,
            eligibleQuantity: { maxValue: 0 },
            maxPerUser: 0,
            subscriptionType: 'W',
            membershipRequiredProduct: 'x',
            freePrice: 'yes',
            vat: 'TVA',
            published: 1,
            additionalProperty: [{ name: 'recurringPayment', value: true }],
          },
        ],
        isRelatedTo: ['x'],
      },
      400,
    );
    const offer = [
      'additionalProperty/0/value',
      'eligibleQuantity/maxValue',
      'freePrice',
      'inventoryLevel/value',
      'maxPerUser',
      'membershipRequiredProduct',
      'name',
      'price',
      'priceCurrency',
      'published',
      'stock',
      'subscriptionType',
      'vat',
    ];
    expect(faultsOf(problem)).toEqual(['/category', '/description', '/isRelatedTo', '/name', ...offer.map((name) => `/offers/1/${name}`)]);
    expect(faultsOf(await create({ offers: {} }, 400))).toEqual(['/offers']);
    expect(faultsOf(await create({ category: undefined }, 400))).toEqual(['/category']);
  });

  it('creates nothing when an event or a membership is unknown, and names it', async () => {
    const [event, ticket] = [await newEvent('Known'), await create()];
    const [one, other] = [randomUUID(), randomUUID()];
    const before = [await count('product'), await count('price'), await count('event_product')];
    const related = [event.identifier, one, { identifier: other }];
    expect(faultsOf(await create({ isRelatedTo: related }, 400))).toEqual(['/isRelatedTo/1', '/isRelatedTo/2/identifier']);
    expect(faultsOf(await create({ isRelatedTo: { identifier: one } }, 400))).toEqual(['/isRelatedTo/identifier']);
    for (const membershipRequiredProduct of [one, ticket.identifier]) {
      const offers = [
        { name: 'A', price: 1 },
        { name: 'B', price: 1, membershipRequiredProduct },
      ];
      expect(faultsOf(await create({ offers }, 400))).toEqual(['/offers/1/membershipRequiredProduct']);
    }
    expect([await count('product'), await count('price'), await count('event_product')]).toEqual(before);
    expect(await told()).toEqual([['event.created', event.identifier, 1]]);
  });

  it('refuses a second product of one category and name, also in twenty simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('post', path).send({ name: 'The same', category: 'B' })));
    const refused = answers.filter(({ status }) => status !== 201).map((answer) => [answer.status, answer.body.code]);
    expect(refused).toEqual(Array.from({ length: 19 }, () => [409, 'product.exists']));
    await create({ name: 'The same', category: 'Clothing' });
  });

  it('creates one with one Idempotency-Key', async () => {
    const send = (): supertest.Test => call('post', path).set('Idempotency-Key', 'k').send({ name: 'Once', category: 'B' });
    const [one, two] = [await send().expect(201), await send().expect(201)];
    expect(two.text).toBe(one.text);
    expect(await count('product')).toBe(1);
  });
});

describe('GET /api/v2/products/', () => {
  it('lists all products, newest first, and shows one; answers 304 when unchanged', async () => {
    const [old, hidden] = [
      await create({ name: 'Old' }),
      await test.inside(tenant, () => test.app.get(ProductsService).create({ name: 'Hidden', category: 'T', published: false })),
    ];
    const { body, headers } = await call('get', path).expect(200);
    expect(body).toEqual({ results: [await get(hidden.id), await get(old.identifier)] });
    await call('get', path).set('If-None-Match', String(headers['etag'])).expect(304);
    const one = await call('get', `${path}${old.identifier}/`).expect(200);
    await call('get', `${path}${old.identifier}/`).set('If-None-Match', String(one.headers['etag'])).expect(304);
    await link((await newEvent('New')).identifier, { product: old.identifier });
    await call('get', `${path}${old.identifier}/`).set('If-None-Match', String(one.headers['etag'])).expect(200);
  });

  it('shows the picture', async () => {
    const png = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const { id } = await test.inside(tenant, async () => {
      const image = await test.app.get(ImagesService).prepare(png, 'img');
      return test.app.get(ProductsService).create({ name: 'Shirt', category: 'T', image });
    });
    const { image } = await get(id);
    expect(image).toMatch(new RegExp(`^http://${tenant.host}:3000/images/.*/fhd\\.png$`));
    await test
      .on(tenant)
      .get(new URL(image as string).pathname)
      .expect(200);
    // A new picture replaces the old one, which is deleted.
    await test.inside(tenant, async () => {
      const other = await test.app.get(ImagesService).prepare(png, 'img');
      await test.app.get(ProductsService).update(id, { image: other });
    });
    expect([(await get(id))['image'] === image, await count('image')]).toEqual([false, 1]);
    await test.inside(tenant, () => test.app.get(ProductsService).update(id, { image: null }));
    expect([(await get(id))['image'], await count('image')]).toEqual([undefined, 0]);
  });

  it('answers 404 for unknown, malformed and foreign ids, and requires the scope', async () => {
    const { identifier } = await create();
    const elsewhere = await test.newTenant();
    const foreign = await newKey(test, elsewhere, 'product:read');
    for (const answer of [
      call('get', `${path}${randomUUID()}/`),
      call('get', `${path}x/`),
      call('get', `${path}${identifier}/`, foreign, elsewhere),
    ]) {
      expect((await answer.expect(404)).body).toMatchObject({ code: 'product.unknown' });
    }
    const [events, reads] = [await newKey(test, tenant, 'event:read'), await newKey(test, tenant, 'product:read')];
    expect((await call('get', path, events).expect(403)).body).toMatchObject({ code: 'key.scope' });
    expect((await call('post', path, reads).send({}).expect(403)).body).toMatchObject({ code: 'key.scope' });
    await test.on(tenant).get(path).expect(401);
  });
});

describe('POST /api/v2/events/<uuid>/link-product/', () => {
  it('sells one product or several for an event, and publishes it once', async () => {
    const event = await newEvent('Evening');
    const [a, b, c] = [(await create()).identifier, (await create()).identifier, (await create()).identifier];
    const { name } = event;
    const related = [{ '@type': 'Event', identifier: event.identifier, name }];
    expect(await link(event.identifier, { product: a })).toEqual(event);
    expect((await get(a))['isRelatedTo']).toEqual(related);
    await link(event.identifier, { products: [{ '@type': 'Product', identifier: b.toUpperCase() }, c, a, a] });
    expect([(await get(b))['isRelatedTo'], (await get(c))['isRelatedTo']]).toEqual([related, related]);
    // Products that are already linked are no change.
    await link(event.identifier, { product: { identifier: a }, productId: a, products: [a] });
    await link(event.identifier, { productIds: [a, b, { identifier: c }] });
    const { identifier } = event;
    expect(await told()).toEqual([
      ['event.created', identifier, 1],
      ['event.updated', identifier, 2],
      ['event.updated', identifier, 3],
    ]);
  });

  it('links none when one is unknown, and names it', async () => {
    const [event, { identifier }] = [await newEvent('Evening'), await create()];
    const [one, other] = [randomUUID(), randomUUID()];
    const products = [identifier, one, { identifier: other }];
    expect(faultsOf(await link(event.identifier, { products }, 400))).toEqual(['/products/1', '/products/2/identifier']);
    expect(faultsOf(await link(event.identifier, { product: one }, 400))).toEqual(['/product']);
    expect([await count('event_product'), (await told()).length]).toEqual([0, 1]);
  });

  it('refuses other bodies and unknown events', async () => {
    const [event, { identifier }] = [await newEvent('Evening'), await create()];
    const many = Array.from({ length: 101 }, () => identifier);
    for (const [body, pointer] of [
      [{}, '/product'],
      [{ product: 'x' }, '/product'],
      [{ product: [identifier] }, '/product'],
      [{ products: [] }, '/products'],
      [{ products: identifier }, '/products'],
      [{ products: [identifier, 7] }, '/products'],
      [{ products: many }, '/products'],
      [{ products: null }, '/products'],
      [{ productId: 'x' }, '/productId'],
      [{ productIds: [] }, '/productIds'],
    ] as const) {
      expect([body, faultsOf(await link(event.identifier, body, 400))]).toEqual([body, [pointer]]);
    }
    expect(await link(randomUUID(), { product: identifier }, 404)).toMatchObject({ code: 'event.unknown' });
    await link(event.identifier, { products: many.slice(1) });
  });

  it('links once in 20 simultaneous requests, and obeys If-Match', async () => {
    const [event, { identifier }] = [await newEvent('Evening'), await create()];
    const to = `/api/v2/events/${event.identifier}/link-product/`;
    const stale = call('post', to).set('If-Match', '"x"').send({ product: identifier });
    expect((await stale.expect(412)).body).toMatchObject({ code: 'precondition.failed' });
    // Verified to fail when the event is published without checking whether a link is new.
    await Promise.all(Array.from({ length: 20 }, () => link(event.identifier, { product: identifier })));
    expect([await count('event_product'), (await told()).length]).toEqual([1, 2]);
    const minimal = call('post', to).set('Prefer', 'return=minimal').send({ product: identifier });
    expect((await minimal.expect(204)).text).toBe('');
  });
});
