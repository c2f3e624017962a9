import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BookingsService } from '#selling';
import type { ShownReservation } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { roundTripsOf } from '../support/round-trips.js';
import { connectionsBack, outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let eventId: string;
let priceId: string;

beforeAll(async () => {
  // The jobs and events of the bookings stay, so that they can be counted.
  test = await startTestApp({ environment: { WORKER: 'separate' } });
});
beforeEach(async () => {
  tenant = await test.newTenant();
  ({ id: eventId } = await newEvent(test, tenant, { capacity: 500 }));
  priceId = await newPrice(test, tenant, eventId, { amount: '0', name: 'Free' });
});
afterAll(() => test.close());

const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));

function book(): Promise<ShownReservation> {
  const tickets = [{ priceId, quantity: 2 }];
  return inside(() =>
    test.app.get(BookingsService).book({ eventId, email: `${randomUUID()}@example.org`, tickets, origin: 'api', confirmed: true }),
  );
}

/** Number of rows of the tenant of each kind that a booking writes, and of places taken. */
async function written(): Promise<Record<string, number>> {
  const counted = (sources: Readonly<Record<string, string>>): string =>
    `select ${Object.entries(sources)
      .map(([name, source]) => `(select count(*)::int from ${source}) as ${name}`)
      .join(', ')}`;
  const own = `where tenant_id = '${tenant.id}'`;
  const shared = { events: `shared.outbox ${own} and type = 'reservation.created'`, jobs: `shared.job ${own}` };
  const [rows] = await sql<Record<string, number>>(counted({ reservations: 'reservation', tickets: 'ticket', mails: 'mail' }));
  const [sharedRows] = await test.database.query<Record<string, number>>(counted(shared));
  return { ...rows, ...sharedRows, places: await bookedOf(eventId) };
}

/** Tables of the tenant whose rows a booking writes. */
const tables = ['reservation', 'ticket', 'mail', 'event_price'];

describe('a booking whose COMMIT is sent behind its statements', () => {
  it.each(tables)('leaves nothing when PostgreSQL refuses its row of %s, and its connection works on', async (table) => {
    await book();
    const before = await written();
    const { open: opened } = test.app.get(TenantDb).poolState();
    await sql(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'a fault of the database'; end $$`);
    await sql(`create trigger refusal before insert on ${table} for each row execute function refuse()`);
    expect(await outcome(book())).toMatchObject({ message: expect.stringMatching(/a fault of the database/) as unknown });
    await sql(`drop function refuse cascade`);
    expect(await written()).toEqual(before);
    await connectionsBack(test);
    const { open } = test.app.get(TenantDb).poolState();
    expect(open).toBeGreaterThanOrEqual(opened);
    // All connections are used, also the one of the booking that failed.
    const more = await Promise.all(Array.from({ length: open }, book));
    const all = Object.entries(before).map(([name, rows]) => [name, rows * (1 + more.length)]);
    expect(await written()).toEqual(Object.fromEntries(all));
    await expectNoDrift(test, tenant);
  });

  it('writes each row once', async () => {
    const trips = await roundTripsOf(book);
    expect(trips.find(({ texts }) => texts.some((text) => text.includes('insert into reservation')))?.isAtOnce).toBe(true);
    expect(await written()).toEqual({ reservations: 1, tickets: 2, mails: 1, events: 1, jobs: 1, places: 2 });
  });
});
