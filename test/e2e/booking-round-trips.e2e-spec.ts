import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BookingsService, ReservationsService, toSchemaOrgReservation, type NewReservation, type ShownReservation } from '#booking';
import { EventOptionsService, QuestionsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
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

function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));
}

interface Sent {
  readonly client: unknown;
  readonly text: string;
  /** Sent when no other statement of the connection was running. */
  readonly waited: boolean;
}

/** The statements of the transaction that inserts a reservation, from `begin` to `commit`. */
async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const { query } = pg.Client.prototype as unknown as { query: (...sent: unknown[]) => Promise<unknown> };
  const sent: Sent[] = [];
  const running = new Map<unknown, number>();
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function recording(this: unknown, ...given: unknown[]) {
    const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text: string }).text;
    const count = running.get(this) ?? 0;
    sent.push({ client: this, text, waited: count === 0 });
    running.set(this, count + 1);
    const result = query.apply(this, given);
    const ended = (): void => void running.set(this, (running.get(this) ?? 1) - 1);
    result.then(ended, ended);
    return result as never;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  const insert = sent.find(({ text }) => text.includes('insert into reservation'));
  const own = sent.filter(({ client }) => client === insert?.client);
  const at = own.indexOf(insert as Sent);
  const begin = own.findLastIndex(({ text }, index) => index < at && text.startsWith('begin'));
  const commit = own.findIndex(({ text }, index) => index > at && text === 'commit');
  return own.slice(begin, commit + 1);
}

function book(input: Partial<NewReservation>): Promise<ShownReservation> {
  const tickets = [{ priceId: freePriceId, quantity: 1 }];
  const wanted: NewReservation = { eventId: event.id, email: `${randomUUID()}@example.org`, tickets, origin: 'api', ...input };
  return test.inside(tenant, () => test.app.get(BookingsService).book(wanted));
}

describe('a booking', () => {
  const cases: readonly [name: string, trips: number, statements: number, input: () => Partial<NewReservation>][] = [
    ['free and confirmed', 4, 7, () => ({ confirmed: true })],
    ['free, with an unknown address', 4, 7, () => ({})],
    ['free, with a verified address', 4, 7, () => ({ email: 'Known@example.org', firstName: ' Ada ', language: 'fr' })],
    [
      'that waits for payment',
      4,
      7,
      () => ({ tickets: [{ priceId: event.priceId, quantity: 2, holders: [{ firstName: 'Bo', lastName: ' B ' }] }] }),
    ],
    [
      'that was paid at the venue',
      4,
      8,
      () => ({ tickets: [{ priceId: event.priceId, quantity: 1 }], confirmed: true, paymentMethod: 'card' }),
    ],
    ['that names no event', 5, 8, () => ({ eventId: undefined })],
    [
      'with options, answers and a limit per person',
      5,
      8,
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

  it.each(cases)('%s takes %i round trips with %i statements and shows what is stored', async (_name, trips, count, input) => {
    let id = '';
    let shown: unknown;
    const statements = await statementsOf(async () => {
      const booked = await book(input());
      ({ id } = booked);
      shown = toSchemaOrgReservation(booked, tenant);
    });
    expect([statements.filter(({ waited }) => waited).length, statements.length]).toEqual([trips, count]);
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
