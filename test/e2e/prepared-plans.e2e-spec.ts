import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TenantDb } from '#tenancy';
import { newPrice } from '../support/booking.js';
import { newDevice, newEvent, newTickets } from '../support/builders.js';
import { complete, hold } from '../support/drafts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
const connections = 4;
beforeAll(async () => {
  test = await startTestApp({ environment: { DATABASE_POOL_SIZE: String(connections) } });
});
afterAll(() => test.close());

interface Plans {
  readonly name: string;
  readonly generic: number;
  readonly custom: number;
}

/** How often each connection of the pool used a plan for all parameters, and made one for the parameters of the execution. */
async function plans(): Promise<Plans[]> {
  const { pool } = test.app.get(TenantDb);
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  try {
    const text = 'select name, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements';
    return (await Promise.all(clients.map((client) => client.query<Plans>(text)))).flatMap(({ rows }) => rows);
  } finally {
    for (const client of clients) client.release();
  }
}

it('PostgreSQL plans the statements of holds, bookings, orders and scans once, not at each execution', async () => {
  const tenant = await test.newTenant();
  const event = await newEvent(test, tenant, { capacity: 500 });
  const free = await newPrice(test, tenant, event.id, { amount: '0', name: 'Free', maxPerUser: 4 });
  const tickets = await newTickets(test, tenant, { event, count: 80 });
  const device = await newDevice(test, tenant);
  const key = await newKey(test, tenant, 'reservation:write');
  const book = (identifier: string, more: object) =>
    test
      .on(tenant)
      .post('/api/v2/reservations/')
      .set('Authorization', key)
      .send({
        reservationFor: event.id,
        underName: { email: `${randomUUID()}@example.org` },
        reservedTicket: [{ identifier, ticketQuantity: 2 }],
        ...more,
      })
      .expect(201);
  for (const { code } of tickets) {
    await Promise.all([
      book(event.priceId, {}),
      book(free, { confirmed: true }),
      hold(test, tenant, { id: event.id, priceId: free }).then((id) => complete(test, tenant, id)),
      test.on(tenant).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: code }).expect(200),
    ]);
  }
  const all = await plans();
  // PostgreSQL makes five plans for single executions before it decides.
  const often = all.filter(({ generic, custom }) => generic + custom > 7);
  expect(often.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'tenant-enter',
      'sale-lock-event',
      'sale-lock-prices',
      'sale-write',
      'buyer-facts',
      'claim',
      'draft-completion',
      'reservation-whole',
      expect.stringMatching(/^attempt:/),
    ]),
  );
  expect(often.filter(({ generic }) => generic === 0)).toEqual([]);
}, 60_000);
