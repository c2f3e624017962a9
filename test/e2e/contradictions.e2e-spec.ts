import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let ids: Record<string, string>;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  const nouns = ['event', 'product', 'reservation', 'membership'] as const;
  authorization = await newKey(test, tenant, ...nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const));
  const event = await newEvent(test, tenant);
  const made = async (name: string, category: string): Promise<string[]> => {
    const { body } = await send('post', '/api/v2/products/', { name, category, offers: [{ name: 'x', price: 5, freePrice: true }] }).expect(
      201,
    );
    const { identifier, offers } = body as { identifier: string; offers: { identifier: string }[] };
    return [identifier, offers[0]!.identifier];
  };
  const [[ticket, offer], [card, plan]] = [await made('Ticket', 'B'), await made('Card', 'A')];
  ids = { event: event.id, price: event.priceId, ticket: ticket!, offer: offer!, card: card!, plan: plan!, other: randomUUID() };
});
afterAll(() => test.close());

function send(method: 'post' | 'patch', path: string, body: object): supertest.Test {
  return test.on(tenant).call(method, path).set('Authorization', authorization).send(body);
}

function told<Value>(value: Value): Value {
  const text = JSON.stringify(value).replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `${name} ${randomUUID()}`);
  return JSON.parse(text) as Value;
}

const property = (name: string, value: unknown): Body => ({ name, value });
const product = { name: '{name}', category: 'Ticket' };
const person = { email: 'ada@example.org' };
const reservation = { reservationFor: '{event}', underName: person, reservedTicket: [{ identifier: '{price}' }] };
const membership = { member: person, membershipPlan: '{plan}' };
const price = { product: '{ticket}', name: 'A', prix: 1 };
const question = (label: string): Body => ({ label, fieldType: 'shortText' });
const offerPath = '/api/v2/products/{ticket}/offers/{offer}/';
const link = '/api/v2/events/{event}/link-product/';

/** Route, two members that contradict each other, their pointers, and the same two members with equal values. */
const twins: [method: 'post' | 'patch', path: string, differ: Body, pointers: string[], agree: Body][] = [
  [
    'post',
    '/api/v2/products/{ticket}/offers/',
    { name: 'A', price: 1, stock: 5, inventoryLevel: { value: 6 } },
    ['/inventoryLevel', '/stock'],
    { name: 'A', price: 1, stock: 5, inventoryLevel: { value: 5 } },
  ],
  [
    'patch',
    offerPath,
    { maxPerUser: 1, eligibleQuantity: { maxValue: 2 } },
    ['/eligibleQuantity', '/maxPerUser'],
    { maxPerUser: 2, eligibleQuantity: { maxValue: 2 } },
  ],
  [
    'post',
    '/api/v2/products/{ticket}/offers/',
    { name: 'A', price: 1, subscriptionType: 'Y', additionalProperty: [property('subscriptionType', 'M')] },
    ['/additionalProperty', '/subscriptionType'],
    { name: 'A', price: 1, subscriptionType: 'Y', additionalProperty: [property('subscriptionType', 'Y')] },
  ],
  [
    'patch',
    offerPath,
    { membershipRequiredProduct: '{card}', additionalProperty: [property('membershipRequiredProduct', '{other}')] },
    ['/additionalProperty', '/membershipRequiredProduct'],
    { membershipRequiredProduct: { identifier: '{card}' }, additionalProperty: [property('membershipRequiredProduct', '{card}')] },
  ],
  [
    'post',
    '/api/v2/products/',
    {
      ...product,
      offers: [
        { name: 'A', price: 1 },
        { name: 'B', price: 1, stock: 0, inventoryLevel: { value: 1 } },
      ],
    },
    ['/offers/1/inventoryLevel', '/offers/1/stock'],
    { ...product, offers: [{ name: 'B', price: 1, stock: 1, inventoryLevel: { value: 1 } }] },
  ],
  [
    'post',
    '/api/v2/products/',
    { ...product, formFields: [question('A')], additionalProperty: [property('formFields', [question('B')])] },
    ['/additionalProperty', '/formFields'],
    { ...product, formFields: [question('A')], additionalProperty: [property('formFields', [question('A')])] },
  ],
  [
    'post',
    link,
    { productId: '{ticket}', productIds: ['{card}'] },
    ['/productId', '/productIds'],
    { productId: '{ticket}', productIds: [{ identifier: '{ticket}' }] },
  ],
  [
    'post',
    link,
    { product: '{ticket}', products: ['{ticket}', '{other}'] },
    ['/product', '/products'],
    { product: '{ticket}', productId: '{ticket}' },
  ],
  [
    'post',
    '/api/v2/reservations/',
    { ...reservation, confirmed: true, additionalProperty: [property('confirmed', false)] },
    ['/additionalProperty', '/confirmed'],
    { ...reservation, confirmed: true, additionalProperty: [property('confirmed', true)] },
  ],
  [
    'post',
    '/api/v2/reservations/',
    { ...reservation, paymentMethod: 'cash', additionalProperty: [property('paymentMethod', 'card')] },
    ['/additionalProperty', '/paymentMethod'],
    { ...reservation, paymentMethod: 'cash', additionalProperty: [property('paymentMethod', 'CASH')] },
  ],
  [
    'post',
    '/api/v2/memberships/',
    { ...membership, paymentMode: 'CASH', additionalProperty: [property('paymentMode', 'CARD')] },
    ['/additionalProperty', '/paymentMode'],
    { ...membership, paymentMode: 'CASH', additionalProperty: [property('paymentMode', 'cash')] },
  ],
  [
    'post',
    '/api/v2/memberships/',
    { ...membership, paymentMode: 'CASH', price: 6, additionalProperty: [property('customAmount', '7')] },
    ['/additionalProperty', '/price'],
    { ...membership, paymentMode: 'CASH', price: 6, additionalProperty: [property('customAmount', '6.00')] },
  ],
  [
    'post',
    '/api/prices/',
    { ...price, max_per_ser: 1, max_per_user: 2 },
    ['/max_per_ser', '/max_per_user'],
    { ...price, max_per_ser: '2', max_per_user: 2 },
  ],
];

describe('two spellings of one value', () => {
  it.each(twins)('that differ are refused by %s %s: %j at %j', async (method, path, differ, pointers, agree) => {
    const { body } = await send(method, told(path), told(differ)).expect(400);
    const { errors } = body as { errors: { pointer: string; code: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['contradiction']));
    const answer = await send(method, told(path), told(agree));
    expect([answer.status < 300, answer.body.errors]).toEqual([true, undefined]);
  });

  it('are accepted when one of them is null, and are validated with all other members', async () => {
    const path = told('/api/v2/products/{ticket}/offers/');
    await send('post', path, { name: 'A', price: 1, stock: null, inventoryLevel: { value: 6 } }).expect(201);
    const { body } = await send('post', path, { price: 'x', stock: 5, inventoryLevel: { value: 6 }, additionalProperty: [null] }).expect(
      400,
    );
    const { errors } = body as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/additionalProperty',
      '/inventoryLevel',
      '/name',
      '/price',
      '/stock',
    ]);
  });
});

describe('questions of a product that is changed', () => {
  it('are replaced, kept and removed', async () => {
    const path = told('/api/v2/products/{ticket}/');
    const labels = async (body: object): Promise<string[]> =>
      ((await send('patch', path, body).expect(200)).body as { formFields?: { label: string }[] }).formFields?.map(({ label }) => label) ??
      [];
    expect(await labels({ formFields: [question('Phone'), question('Diet')] })).toEqual(['Phone', 'Diet']);
    expect(await labels({ name: 'Renamed', additionalProperty: [] })).toEqual(['Phone', 'Diet']);
    expect(await labels({ additionalProperty: [property('formFields', [question('Town')])] })).toEqual(['Town']);
    expect(await labels({ formFields: null })).toEqual([]);
  });

  it('are refused with all faults at once, as in a new product', async () => {
    const wrong = [
      { fieldType: 'shortText', colour: 1 },
      { label: 'x'.repeat(201), fieldType: 'number', required: 'yes', order: 'first', askedPer: 'event' },
      { label: 'Town', fieldType: 'singleSelect' },
    ];
    const members = ['/0/colour', '/0/label', '/1/askedPer', '/1/fieldType', '/1/label', '/1/order', '/1/required', '/2/options'];
    const pointers = async (body: object): Promise<string[]> =>
      ((await send('patch', told('/api/v2/products/{ticket}/'), body).expect(400)).body as { errors: { pointer: string }[] }).errors
        .map(({ pointer }) => pointer)
        .toSorted();
    expect(await pointers({ name: ' ', formFields: wrong })).toEqual([...members.map((at) => `/formFields${at}`), '/name']);
    const additionalProperty = [{ name: 'other' }, property('formFields', wrong)];
    expect(await pointers({ additionalProperty })).toEqual([
      '/additionalProperty/0/name',
      ...members.map((at) => `/additionalProperty/1/value${at}`),
    ]);
    const unknown = { ...question('A'), identifier: randomUUID() };
    const twice = { ...question('B'), name: 'b' };
    expect(await pointers({ formFields: [unknown] })).toEqual(['/formFields/0/identifier']);
    expect(await pointers({ formFields: [twice, twice] })).toEqual(['/formFields/1/name']);
  });
});
