import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { countRows } from '../support/catalogue-rows.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { faultsOf, productsApi, productsPath as path, type Body, type Made } from '../support/products-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the tests read events from the feed.
beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'product:read', 'product:write', 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const { call, create, newEvent, get, told } = productsApi(() => ({ test, tenant, authorization }));
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
          hidden: false,
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
          hidden: false,
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
          hidden: false,
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
