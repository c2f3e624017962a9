import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newDevice, newEvent, newTicket } from '../support/builders.js';
import { book } from '../support/booking.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addressBody, person, start, unread, type Body, type Method } from '../support/unread-members.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let device: string;
let code: string;
/** Ids for placeholders in paths and bodies: `{event}` is the id of the event, and so on. */
let ids: Record<string, string>;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  const nouns = ['event', 'product', 'reservation', 'ticket', 'membership', 'webhook'] as const;
  authorization = await newKey(test, tenant, ...nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const));
  ({ authorization: device } = await newDevice(test, tenant));
  const event = await newEvent(test, tenant);
  ({ code } = await newTicket(test, tenant, { event }));
  const reservation = await book(test, tenant, event);
  const address = await post('/api/v2/postal-addresses/', addressBody).expect(201);
  const product = await post('/api/v2/products/', {
    name: 'Card',
    category: 'A',
    offers: [{ name: 'Year', price: 0 }],
  });
  const endpoint = await post('/api/v2/webhook-endpoints/', { url: 'https://example.org/', types: ['*'] }).expect(201);
  const offer = (product.body as { offers: { identifier: string }[] }).offers[0]!.identifier;
  const membership = await post('/api/v2/memberships/', {
    member: { email: 'ada@example.org' },
    membershipPlan: offer,
    paymentMode: 'FREE',
  }).expect(201);
  ids = {
    event: event.id,
    price: event.priceId,
    reservation: reservation.id,
    address: String((address.body as Body)['identifier']),
    product: String((product.body as Body)['identifier']),
    endpoint: String((endpoint.body as Body)['identifier']),
    membership: String((membership.body as Body)['identifier']),
    offer,
    uuid: randomUUID(),
  };
});
afterAll(() => test.close());

function send(method: Method, path: string, body?: object, as = authorization): supertest.Test {
  const sent = test.on(tenant).call(method, path).set('Authorization', as);
  return body === undefined ? sent : sent.send(body);
}
const post = (path: string, body: object): supertest.Test => send('post', path, body);

/** Replaces the placeholders by ids. */
function told<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)) as Value;
}

describe('unknown members', () => {
  it.each(unread)('are refused by %s %s %j at %j', async (method, path, body, pointers) => {
    const answer = await send(method, told(path), told(body)).expect(400);
    expect(answer.body).toMatchObject({ code: 'body.invalid' });
    const { errors } = answer.body as { errors: { pointer: string; detail: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
  });

  it.each([
    ['/scan/check_ticket/', { qrcode: 'x' }],
    ['/scan/ticket/', { eventUuid: 'x' }],
    ['/scan/undo/', { reason: 'x', note: 'x' }],
  ])('are refused at the door: %s', async (path, more) => {
    const answer = await send('post', path, { qrcode_data: code, ...more }, device).expect(400);
    const [unknown] = Object.keys(more).slice(-1);
    expect(answer.body).toMatchObject({
      code: 'body.invalid',
      success: false,
      errors: [{ pointer: `/${unknown}`, code: 'unknownMember' }],
    });
  });

  it('are refused in forms', async () => {
    for (const path of ['/api/v2/events/', '/api/products/', '/api/prices/']) {
      const form = await test.on(tenant).post(path).set('Authorization', authorization).type('form').send({ colour: 'red' }).expect(400);
      const parts = await test.on(tenant).post(path).set('Authorization', authorization).field('colour', 'red').expect(400);
      for (const { body } of [form, parts]) {
        expect((body as { errors: unknown[] }).errors).toContainEqual(
          expect.objectContaining({ pointer: '/colour', code: 'unknownMember' }),
        );
      }
    }
  });

  it('are named in the language of the request, at most a hundred', async () => {
    const many = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`m${index}`, index]));
    const { body } = await post('/api/v2/products/', { name: 'x', category: 'B', ...many })
      .set('Accept-Language', 'fr')
      .expect(400);
    const { errors } = body as { errors: { detail: string }[] };
    expect([errors.length, errors[0]!.detail]).toEqual([100, 'Ce champ n’existe pas ici. Retirez-le, ou vérifiez son orthographe.']);
  });

  it('are not reported to callers without access', async () => {
    const { body } = await test.on(tenant).call('delete', `/api/v2/events/${ids['event']}/`).send({ x: 1 }).expect(401);
    expect((body as Body)['code']).toBe('key.missing');
  });
});

describe('the keywords of JSON-LD', () => {
  it('are accepted in every object', async () => {
    const context = 'https://schema.org';
    const made = await post('/api/v2/events/', {
      '@context': context,
      '@id': 'urn:x',
      '@type': 'MusicEvent',
      name: 'With keywords',
      startDate: start,
      offers: { '@type': 'Offer', eligibleQuantity: { '@type': 'QuantitativeValue', maxValue: 2 } },
      location: { '@type': 'Place', address: { '@type': 'PostalAddress', '@id': '/x', identifier: Number(ids['address']) } },
      additionalProperty: [{ '@type': 'PropertyValue', name: 'optionsRadio', value: ['a'] }],
    }).expect(201);
    expect(made.body).toMatchObject({ '@type': 'MusicEvent', offers: { eligibleQuantity: { maxValue: 2 } } });
    await post('/api/v2/reservations/', {
      '@context': context,
      '@type': 'EventReservation',
      reservationFor: { '@type': 'Event', identifier: ids['event'] },
      underName: { '@type': 'Person', ...person },
      reservedTicket: [{ '@type': 'Ticket', identifier: ids['price'], underName: { '@type': 'Person', givenName: 'Zoë' } }],
    }).expect(201);
    const product = { '@type': 'Product', name: 'Bag', category: 'T', offers: [{ '@type': 'Offer', name: 'x', price: 1 }] };
    const bag = await post('/api/v2/products/', product).expect(201);
    const linked = { product: { '@type': 'Product', '@id': '/x', identifier: (bag.body as Body)['identifier'] } };
    await post(`/api/v2/events/${ids['event']}/link-product/`, linked).expect(200);
  });
});

describe('an answer', () => {
  it('can be sent back without a change', async () => {
    const event = `/api/v2/events/${ids['event']}/`;
    await post(`${event}link-address/`, { postalAddressId: Number(ids['address']) }).expect(200);
    for (const path of [event, `/api/v2/postal-addresses/${ids['address']}/`]) {
      const { body } = await test.on(tenant).get(path).set('Authorization', authorization).expect(200);
      expect((await send('patch', path, body as object).expect(200)).body).toEqual(body);
    }
  });

  it.each([
    ['events/{event}', { identifier: '{uuid}' }, '/identifier'],
    ['events/{event}', { image: ['https://example.org/a.png'] }, '/image'],
    ['postal-addresses/{address}', { identifier: 0 }, '/identifier'],
    ['postal-addresses/{address}', { image: [] }, '/image'],
  ])('is refused by PATCH %s where it was changed and cannot be: %j', async (path, body, pointer) => {
    const answer = await send('patch', told(`/api/v2/${path}/`), told(body)).expect(400);
    expect(answer.body).toMatchObject({ code: 'body.invalid', errors: [{ pointer, code: 'asAnswered' }] });
  });

  it('publishes no change of a linked address', async () => {
    const address = { identifier: Number(ids['address']), streetAddress: 'elsewhere', postalCode: '1' };
    const answer = await send('patch', told('/api/v2/events/{event}/'), { location: { address } }).expect(400);
    expect((answer.body as { errors: object[] }).errors).toMatchObject([{ pointer: '/location/address/streetAddress' }]);
  });
});

describe('a missing body', () => {
  it.each([
    '/api/v2/events/{event}/',
    '/api/v2/postal-addresses/{address}/',
    '/api/v2/reservations/{reservation}/',
    '/api/v2/memberships/{membership}/',
    '/api/v2/webhook-endpoints/{endpoint}/',
  ])('is refused by PATCH %s, with a content type and without', async (path) => {
    for (const type of [undefined, 'application/json', 'application/x-www-form-urlencoded']) {
      const sent = send('patch', told(path));
      const { body } = await (type ? sent.set('Content-Type', type) : sent).expect(400);
      expect(body).toMatchObject({ code: 'body.invalid', errors: [{ pointer: '' }] });
    }
  });

  it('is refused, but an empty object changes nothing', async () => {
    const sequence = async (): Promise<number | undefined> =>
      (await test.inside(tenant, () => test.app.get(EventsService).find(ids['event'] as string)))?.sequence;
    const before = await sequence();
    await send('patch', told('/api/v2/events/{event}/'), {}).expect(200);
    expect(await sequence()).toBe(before);
  });

  it('is accepted, like an empty object, by routes without a body', async () => {
    const path = told('/api/v2/webhook-endpoints/{endpoint}/rotate-secret/');
    await send('post', path).expect(200);
    await send('post', path, {}).expect(200);
  });
});
