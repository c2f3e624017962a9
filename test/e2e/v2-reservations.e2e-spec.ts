import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { expectNoDrift, ticketsBy } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import { expanded, schema } from '../support/json-ld.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';
import {
  type Buyer,
  faultsOf,
  refused,
  newBuyer,
  reservationsApi,
  reservationsPath,
  statusOf,
  type ShownReservation,
} from '../support/reservations-api.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Buyer['event'];

beforeAll(async () => {
  test = await startTestApp({ tenants: 'many' });
});
beforeEach(async () => {
  ({ tenant, authorization, event } = await newBuyer(test, tenant));
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { post, patch, read, wanted, make } = reservationsApi(() => ({ test, tenant, authorization, event }));

describe('POST /api/v2/reservations/', () => {
  it('sells confirmed reservations, with codes that can be scanned', async () => {
    const answer = await post(
      wanted({
        reservedTicket: [{ identifier: event.priceId, ticketQuantity: 2, underName: [{ givenName: 'Zoë', familyName: 'Łukasz' }] }],
        confirmed: true,
        paymentMethod: 'card',
      }),
    ).expect(201);
    const sold = answer.body as ShownReservation;
    expect(answer.headers['location']).toBe(`${reservationsPath}${sold.identifier}/`);
    expect(sold).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'EventReservation',
      reservationStatus: 'https://schema.org/ReservationConfirmed',
      bookingTime: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+0[12]:00$/),
      reservationFor: { identifier: event.id, name: event.name },
      totalPrice: '25.00',
      paymentMethod: 'card',
    });
    expect(statusOf(sold)).toBe('V');
    expect(sold.reservedTicket.map(({ underName }) => underName['givenName'])).toEqual(['Zoë', 'Ada']);
    const codes = sold.reservedTicket.map(({ qrcode }) => qrcode);
    expect(new Set(codes).size).toBe(2);
    const door = await newDevice(test, tenant);
    const scan = (code: unknown) =>
      test.on(tenant).post('/scan/ticket/').set('Authorization', door.authorization).send({ qrcode_data: code });
    expect((await scan(codes[0])).body).toMatchObject({
      success: true,
      ticket: { uuid: sold.reservedTicket[0]!.identifier, first_name: 'Zoë', last_name: 'Łukasz' },
      reservation: { uuid: sold.identifier, tickets_count: 2 },
    });
    expect((await scan(codes[0])).body).toMatchObject({ success: false, reason: 'already_scanned' });
    await refused(patch(sold.identifier, { reservationStatus: 'ReservationCancelled' }), 409, 'reservation.scanned');
  });

  it('holds unpaid reservations without showing codes', async () => {
    const held = await make({ reservedTicket: [{ identifier: event.priceId.toUpperCase() }] });
    expect(held).toMatchObject({ reservationStatus: 'https://schema.org/ReservationHold', totalPrice: '12.50' });
    expect(Date.parse(String(held['paymentDueDate'])) - Date.parse(String(held['bookingTime']))).toBe(900_000);
    expect(JSON.stringify(held)).not.toContain('qrcode');
    expect((await read(`${held.identifier}/`).expect(200)).body).toEqual(held);
  });

  it('accepts the event as a plain UUID, and otherwise finds the one that sells the offer', async () => {
    expect(await make({ reservationFor: event.id })).toMatchObject({ reservationFor: { identifier: event.id } });
    expect(await make({ reservationFor: undefined })).toMatchObject({ reservationFor: { identifier: event.id } });
    const { productId } = (
      await test.inside(tenant, () =>
        test.app
          .get(TenantDb)
          .transaction((tx) =>
            tx.query<{ productId: string }[]>('select product_id as "productId" from price where id = $1', [event.priceId]),
          ),
      )
    )[0]!;
    const other = await newEvent(test, tenant);
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, other.id, [productId])),
    );
    expect(await faultsOf(post(wanted({ reservationFor: null })))).toEqual(['/reservationFor/identifier']);
  });
  it('accepts confirmation and payment as additional properties, too', async () => {
    const properties = [
      { name: 'confirmed', value: true },
      { name: 'paymentMethod', value: 'offered' },
    ];
    const sold = await make({ additionalProperty: properties });
    expect([statusOf(sold), sold['paymentMethod']]).toEqual(['V', 'offered']);
    expect(statusOf(await make({ additionalProperty: properties.slice(0, 1), confirmed: true }))).toBe('V');
  });

  it.each(['cash', 'card', 'offered'])('is paid at the venue by %s and valid at once', async (paymentMethod) => {
    const { body } = await post(wanted({ paymentMethod })).expect(201);
    const sold = body as ShownReservation;
    expect([statusOf(sold), sold['paymentMethod'], sold['paymentDueDate']]).toEqual(['V', paymentMethod, undefined]);
  });

  it('lists every fault', async () => {
    const faults = await faultsOf(
      post({
        reservationFor: { identifier: 'tomorrow' },
        underName: { email: 'nobody', givenName: 7 },
        reservedTicket: [
          { identifier: 'x', ticketQuantity: 0 },
          { identifier: randomUUID(), ticketQuantity: 1.5, underName: [{ givenName: 'A' }, { givenName: 'B' }] },
        ],
        confirmed: 'yes',
        paymentMethod: 'gold',
        additionalProperty: [{ name: 'options', value: [7] }, { value: 1 }],
      }),
    );
    expect(faults.toSorted()).toEqual([
      '/additionalProperty/0/value',
      '/additionalProperty/1/name',
      '/confirmed',
      '/paymentMethod',
      '/reservationFor/identifier',
      '/reservedTicket/0/identifier',
      '/reservedTicket/0/ticketQuantity',
      '/reservedTicket/1/ticketQuantity',
      '/reservedTicket/1/underName',
      '/underName/email',
      '/underName/givenName',
    ]);
  });

  it.each<[string, object, string]>([
    ['nothing', { reservedTicket: undefined }, '/reservedTicket'],
    ['an empty list', { reservedTicket: [] }, '/reservedTicket'],
    ['a text', { reservedTicket: 'x' }, '/reservedTicket'],
    ['a list of texts', { reservedTicket: ['x'] }, '/reservedTicket'],
    ['101 entries', { reservedTicket: Array.from({ length: 101 }, () => ({ identifier: randomUUID() })) }, '/reservedTicket'],
    ['no holder', { underName: undefined }, '/underName'],
    ['a list of holders', { underName: [] }, '/underName'],
    ['an event that is a number', { reservationFor: 7 }, '/reservationFor'],
    ['an address as a name', { underName: { email: 'ada@example.org', familyName: 'Win at evil.com' } }, '/underName/familyName'],
    [
      'a name that is too long once it is spelled out',
      { underName: { email: 'ada@example.org', givenName: '\ufdfa'.repeat(90) } },
      '/underName/givenName',
    ],
    ['a property twice', { additionalProperty: [{ name: 'a' }, { name: 'a' }] }, '/additionalProperty'],
    ['an event that is not there', { reservationFor: { identifier: randomUUID() } }, '/reservationFor/identifier'],
    ['an offer that is not there', { reservedTicket: [{ identifier: randomUUID() }] }, '/reservedTicket/0/identifier'],
  ])('refuses %s', async (_, more, pointer) => {
    expect(await faultsOf(post(wanted(more)))).toEqual([pointer]);
  });

  it('refuses an address as the name on a ticket', async () => {
    const { reservedTicket } = wanted() as { reservedTicket: readonly object[] };
    expect(await faultsOf(post(wanted({ reservedTicket: [{ ...reservedTicket[0], underName: { givenName: 'www.evil' } }] })))).toEqual([
      '/reservedTicket/0/underName',
    ]);
  });

  it('books once, however often a request is repeated', async () => {
    const key = randomUUID();
    const body = wanted({ confirmed: true });
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(await post(body).set('Idempotency-Key', key).expect(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true', 'true']);
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 1 });
    await refused(post(wanted()).set('Idempotency-Key', key), 422, 'idempotency.key_reused');
  });

  it('answers without a body on request', async () => {
    const { text, headers } = await post(wanted()).set('Prefer', 'return=minimal').expect(201);
    expect([text, headers['preference-applied']]).toEqual(['', 'return=minimal']);
    await test.on(tenant).get(String(headers['location'])).set('Authorization', authorization).expect(200);
  });

  it('requires a key with the scope', async () => {
    await refused(post(wanted(), await newKey(test, tenant, 'reservation:read', 'event:write')), 403, 'key.scope');
    await test.on(tenant).get(reservationsPath).expect(401);
  });

  it('is valid JSON-LD', async () => {
    const node = await expanded(await make({ confirmed: true }), tenant);
    expect(node['@type']).toEqual([schema('EventReservation')]);
    expect(node[schema('reservationFor')]).toMatchObject([{ [schema('identifier')]: [{ '@value': event.id }] }]);
    expect(node[schema('underName')]).toMatchObject([{ '@type': [schema('Person')], [schema('givenName')]: [{ '@value': 'Ada' }] }]);
    expect(node[schema('reservedTicket')]).toMatchObject([
      { '@type': [schema('Ticket')], [schema('totalPrice')]: [{ '@value': '12.50' }] },
    ]);
  });
});
