import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BookingsService, type NewReservation } from '#selling';
import { ReservationsService, toSchemaOrgReservation, type ShownReservation } from '#tickets';
import { EventOptionsService, QuestionsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { tripsOfTransaction } from '../support/round-trips.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

interface Shown {
  identifier: string;
  reservedTicket: { qrcode?: string }[];
}

let test: TestApp;
let tenant: TenantIdentity;
let event: Awaited<ReturnType<typeof newEvent>>;
let freePriceId: string;
let askingPriceId: string;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  event = await newEvent(test, tenant, { capacity: 500 });
  freePriceId = await newPrice(test, tenant, event.id, { amount: '0', name: 'Free' });
  askingPriceId = await newPrice(test, tenant, event.id, { amount: '0', name: 'With questions', maxPerUser: 4 });
  const [asking] = await sql<{ productId: string }>('select product_id as "productId" from price where id = $1', [askingPriceId]);
  await test.inside(tenant, async () => {
    for (const name of ['Zebra', 'Äpfel', 'apple']) await test.app.get(EventOptionsService).create(event.id, { kind: 'checkbox', name });
    await test.app.get(QuestionsService).define(asking?.productId ?? '', [
      { label: 'Diet', kind: 'text', scope: 'ticket' },
      { label: 'Town', kind: 'text', required: true },
    ]);
  });
  await sql(`insert into verified_email (email_key) values ('known@example.org')`);
});
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));

function book(input: Partial<NewReservation>): Promise<ShownReservation> {
  const tickets = [{ priceId: freePriceId, quantity: 1 }];
  const wanted: NewReservation = { eventId: event.id, email: `${randomUUID()}@example.org`, tickets, origin: 'api', ...input };
  return test.inside(tenant, () => test.app.get(BookingsService).book(wanted));
}

describe('a booking', () => {
  const cases: readonly [name: string, trips: number, input: () => Partial<NewReservation>][] = [
    ['free and confirmed', 1, () => ({ confirmed: true })],
    ['free, with an unknown address', 1, () => ({})],
    ['free, with a verified address', 1, () => ({ email: 'Known@example.org', firstName: ' Ada ', language: 'fr' })],
    [
      'that waits for payment',
      1,
      () => ({ tickets: [{ priceId: event.priceId, quantity: 2, holders: [{ firstName: 'Bo', lastName: ' B ' }] }] }),
    ],
    [
      'that was paid at the venue',
      3,
      () => ({ tickets: [{ priceId: event.priceId, quantity: 1 }], confirmed: true, paymentMethod: 'card' }),
    ],
    ['that names no event', 1, () => ({ eventId: undefined })],
    [
      'with options, answers and a limit per person',
      1,
      () => ({
        options: ['Zebra', 'apple', 'Äpfel', 'apple'],
        tickets: [
          { priceId: askingPriceId, quantity: 2, answers: new Map([['diet', 'vegan']]) },
          { priceId: freePriceId, quantity: 1 },
        ],
        answers: new Map([['town', 'Paris']]),
      }),
    ],
  ];

  it.each(cases)('%s is written in %i round trips and shows what is stored', async (_name, trips, input) => {
    let id = '';
    let shown: unknown;
    const taken = await tripsOfTransaction('insert into reservation', async () => {
      const booked = await book(input());
      ({ id } = booked);
      shown = toSchemaOrgReservation(booked, tenant);
    });
    expect(taken.map((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 60)))).toHaveLength(trips);
    const stored = await test.inside(tenant, () => test.app.get(ReservationsService).find(id));
    expect(shown).toEqual(stored && toSchemaOrgReservation(stored, tenant));
    await expectNoDrift(test, tenant);
  });

  it('is answered as the detail and the webhook event show it', async () => {
    const authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write', 'webhook:read');
    const path = '/api/v2/reservations/';
    const made = await test
      .on(tenant)
      .post(path)
      .set('Authorization', authorization)
      .send({
        reservationFor: { identifier: event.id },
        underName: { '@type': 'Person', email: 'ada@example.org', givenName: 'Ada' },
        reservedTicket: [{ identifier: freePriceId, ticketQuantity: 2 }],
        confirmed: true,
      })
      .expect(201);
    const { identifier, reservedTicket: reservedTickets } = made.body as Shown;
    const read = await test.on(tenant).get(`${path}${identifier}/`).set('Authorization', authorization).expect(200);
    expect([made.text, made.headers['etag']]).toEqual([read.text, read.headers['etag']]);
    const { body } = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', authorization).expect(200);
    const told = (body as { results: { data: Shown }[] }).results.find(({ data }) => data.identifier === identifier);
    const reservedTicket = reservedTickets.map(({ qrcode: _code, ...ticket }) => ticket);
    expect(told?.data).toEqual({ ...(made.body as Shown), reservedTicket, sequence: 1 });
  });
});
