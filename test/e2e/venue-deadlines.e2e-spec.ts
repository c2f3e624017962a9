import { EventsService, SeriesService } from '#catalogue';
import { ReservationChangesService } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { bankOrders } from '../support/bank-orders.js';
import { expectNoDrift } from '../support/booking.js';
import { complete, endHold, hold, type ChosenEvent } from '../support/drafts.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const [minute, hour] = [60_000, 3_600_000];

let test: TestApp;
let tenant: TenantIdentity;
let bank: Awaited<ReturnType<typeof bankOrders>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
  bank = await bankOrders(test, tenant);
  await bank.sql('update configuration set pay_at_venue_hours = 2');
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

/** An event that begins in so many hours. */
const eventIn = (hours: number): ReturnType<typeof newEvent> =>
  newEvent(test, tenant, { startsAt: new Date(Math.floor(Date.now() / 1000) * 1000 + hours * hour) });
const moveTo = (id: string, startsAt: Date): Promise<unknown> => bank.inside(() => test.app.get(EventsService).update(id, { startsAt }));
const later = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

interface Ordering {
  readonly payment?: 'venue' | 'transfer';
  readonly isStranger?: boolean;
}

/** An order of somebody who is signed in, unless `isStranger`. */
async function ordered(event: ChosenEvent, { payment = 'venue', isStranger = false }: Ordering = {}): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const id = await hold(test, tenant, event);
  await complete(test, tenant, id, { email, payment, ...(!isStranger && { signedIn: email }) });
  return id;
}

/** When a hold ends, when its job is due, and until when it can be paid once its address is confirmed. */
async function timesOf(id: string): Promise<{ expiresAt: Date; payUntil: Date | null; dueAt: Date }> {
  const [row] = await bank.sql<{ expiresAt: Date; payUntil: Date | null; dueAt: Date }>(
    `select expires_at as "expiresAt", pay_until as "payUntil", due_at as "dueAt" from reservation
     left join shared.job on subject_id = reservation.id and kind = 'reservation-expiry' where reservation.id = $1`,
    [id],
  );
  return row!;
}
const heldUntil = (at: Date) => ({ expiresAt: at, payUntil: null, dueAt: at });
const toldOf = async (id: string): Promise<number> =>
  (await test.database.query(`select id from shared.outbox where subject_id = $1 and type = 'reservation.updated'`, [id])).length;

describe('the time to pay at the venue', () => {
  // Seen to fail without `StartMoves.moved`.
  it('moves with the start, for confirmed and unconfirmed orders, and that of transfers does not', async () => {
    const event = await eventIn(30 * 24);
    const [paysThere, stranger, transfers] = [
      await ordered(event),
      await ordered(event, { isStranger: true }),
      await ordered(event, { payment: 'transfer' }),
    ];
    const [before, transfer] = [await timesOf(stranger), await timesOf(transfers)];
    expect(await timesOf(paysThere)).toEqual(heldUntil(later(event.startsAt, -2 * hour)));
    const startsAt = later(event.startsAt, hour);
    await moveTo(event.id, startsAt);
    const until = later(startsAt, -2 * hour);
    expect(await timesOf(paysThere)).toEqual(heldUntil(until));
    // The short time to confirm the address stays.
    expect(await timesOf(stranger)).toEqual({ ...before, payUntil: until });
    expect(await timesOf(transfers)).toEqual(transfer);
    expect([await toldOf(paysThere), await toldOf(transfers)]).toEqual([1, 0]);
    await bank.inside(() => test.app.get(ReservationChangesService).verify(stranger));
    expect(await timesOf(stranger)).toEqual(heldUntil(until));
    // Nothing but the start moves it.
    await bank.sql('update configuration set pay_at_venue_hours = 3');
    await bank.inside(() => test.app.get(EventsService).update(event.id, { name: 'Another name' }));
    await bank.sql('update configuration set pay_at_venue_hours = 2');
    expect(await timesOf(paysThere)).toEqual(heldUntil(until));
  });

  it('is the start when it would be over, and stays when the start is over, or when it had ended', async () => {
    const event = await eventIn(24);
    const [id, ended] = [await ordered(event), await ordered(event)];
    await endHold(test, tenant, ended);
    const { expiresAt } = await timesOf(ended);
    const soon = later(new Date(Math.floor(Date.now() / 1000) * 1000), 30 * minute);
    await moveTo(event.id, soon);
    expect(await timesOf(id)).toEqual(heldUntil(soon));
    await moveTo(event.id, later(soon, -24 * hour));
    expect(await timesOf(id)).toEqual(heldUntil(soon));
    await moveTo(event.id, event.startsAt);
    expect(await timesOf(id)).toEqual(heldUntil(later(event.startsAt, -2 * hour)));
    expect(await timesOf(ended)).toMatchObject({ expiresAt });
  });

  it('moves with all dates of a series', async () => {
    const event = await newEvent(test, tenant, { startsAt: new Date('2041-06-01T18:00:00Z') });
    await bank.inside(() => test.app.get(SeriesService).add(event.id, { step: 'week', until: '2041-06-08' }, true));
    const [date] = await bank.sql<{ id: string }>('select id from event where series_id is not null and starts_at > $1', [event.startsAt]);
    const ids = [await ordered(event), await ordered({ id: date!.id, priceId: event.priceId })];
    await bank.inside(() => test.app.get(SeriesService).changeFrom(event.id, { clocks: { begins: '21:00' } }));
    const ends = await Promise.all(ids.map((id) => timesOf(id)));
    expect(ends).toEqual(['2041-06-01T17:00:00Z', '2041-06-08T17:00:00Z'].map((at) => heldUntil(new Date(at))));
  });

  it('is that of the new start for who orders while the event moves', async () => {
    for (let round = 0; round < 4; round += 1) {
      const event = await eventIn(48);
      const startsAt = later(event.startsAt, hour);
      const [id] = await Promise.all([ordered(event), moveTo(event.id, startsAt)]);
      expect(await timesOf(id)).toEqual(heldUntil(later(startsAt, -2 * hour)));
    }
  });
});
