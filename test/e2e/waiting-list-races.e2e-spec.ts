import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ReservationChangesService } from '#tickets';
import { WaitingListService } from '#waiting';
import { EventsService } from '#catalogue';
import { JobsService } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { book, crowd, expectNoDrift, newPrice, ticketsBy } from '../support/booking.js';
import { oneEvent, saleErrors, soldPart } from '../support/box-office.js';
import { newEvent } from '../support/builders.js';
import { changeHold, complete, endHold, hold } from '../support/drafts.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WaitingLists } from '../support/waiting-list.js';

let test: TestApp;
let tenant: TenantIdentity;
let lists: WaitingLists;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant();
  lists = new WaitingLists(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const cancel = (id: string): Promise<unknown> => inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'holder' }));
const runList = (eventId: string): Promise<void> =>
  inside(() => test.app.get(JobsService).workOf('waiting-list')(eventId, { number: 1, isLast: false }));

async function soldOut(capacity: number): Promise<{ id: string; priceId: string; sales: string[] }> {
  const { id } = await newEvent(test, tenant, { capacity });
  const priceId = await newPrice(test, tenant, id, { amount: '0.00' });
  const sales = await Promise.all(crowd(capacity, async () => (await book(test, tenant, { id, priceId }, { confirmed: true })).id));
  return { id, priceId, sales };
}

/** A hold that opens a list, as one of the API does: those of buyers on the pages do not. */
async function sureHold(event: { id: string; priceId: string }): Promise<string> {
  const id = await hold(test, tenant, event);
  await lists.sql('update reservation set network = null where id = $1', [id]);
  return id;
}

describe('a waiting list', () => {
  // Without the reason `list` in claim-statement.ts the public gets freed places before the list.
  it('gets places that become free one by one, in its order, while the public tries to book them', async () => {
    const event = await soldOut(30);
    const order: string[] = [];
    for (let index = 0; index < 50; index += 1) order.push(await lists.wait(event));
    const door = { isOpen: true };
    const won: unknown[] = [];
    const buyers = crowd(6, async (index) => {
      while (door.isOpen) {
        const work = index % 2 === 0 ? hold(test, tenant, event) : book(test, tenant, event, { confirmed: true });
        await work.then(
          (sale) => won.push(sale),
          (error: unknown) => expect(error).toMatchObject({ reason: 'sold_out' }),
        );
      }
    });
    for (const sale of event.sales) {
      await cancel(sale);
      await Promise.all([runList(event.id), runList(event.id)]);
    }
    door.isOpen = false;
    await Promise.all(buyers);
    expect(won).toEqual([]);
    const rows = await lists.rows(event.id);
    expect(rows.map(({ id }) => id)).toEqual(order);
    expect(rows.map(({ status }) => status)).toEqual(order.map((_, index) => (index < 30 ? 'offered' : 'waiting')));
    await Promise.all(rows.slice(0, 30).map(({ reservationId, email }) => complete(test, tenant, reservationId!, { email })));
    expect(await ticketsBy(test, tenant, event.id)).toEqual({ R: 30, K: 30 });
    expect(await lists.sql('select booked from event where id = $1', [event.id])).toEqual([{ booked: 30 }]);
  }, 120_000);

  it('gives each place once when offers end, people leave and places become free at the same time', async () => {
    const event = await soldOut(10);
    for (let index = 0; index < 20; index += 1) await lists.wait(event);
    await Promise.all([...event.sales.map(cancel), ...crowd(4, () => runList(event.id))]);
    await runList(event.id);
    const offered = (await lists.rows(event.id)).filter(({ status }) => status === 'offered');
    expect(offered).toHaveLength(10);
    await Promise.all([
      ...offered.slice(0, 5).map(({ reservationId, email }) => outcome(complete(test, tenant, reservationId!, { email }))),
      ...offered.map(({ id }) => inside(() => test.app.get(WaitingListService).leave(id))),
      ...crowd(4, () => runList(event.id)),
      ...crowd(5, () => outcome(hold(test, tenant, event))),
    ]);
    await runList(event.id);
    const states = await lists.states(event.id);
    expect(states.filter((status) => status === 'offered' || status === 'booked')).toHaveLength(10);
    expect(states.slice(0, 10).every((status) => status === 'booked' || status === 'left')).toBe(true);
    expect(await lists.sql('select booked from event where id = $1', [event.id])).toEqual([{ booked: 10 }]);
  }, 120_000);

  // When the places of a lapsed draft count as given back in `DraftsService.changeIn`, its buyer gets them in most rounds.
  it('gets the places of a hold that ended, also before a job releases them, when its buyer chooses again', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id } = await newEvent(test, tenant, { capacity: 1 });
      const event = { id, priceId: await newPrice(test, tenant, id, { amount: '0.00' }) };
      const draft = await sureHold(event);
      await lists.wait(event);
      expect(await changeHold(test, tenant, draft, event, { quantity: 1 })).toBe(true);
      await endHold(test, tenant, draft);
      const changes = crowd(2, () => outcome(changeHold(test, tenant, draft, event, { quantity: 1 })));
      const [, ...refused] = await Promise.all([round % 2 === 0 ? runList(id) : undefined, ...changes]);
      for (const one of refused) expect(one).toMatchObject({ reason: 'sold_out' });
      await runList(id);
      expect(await lists.states(id)).toEqual(['offered']);
    }
  }, 60_000);

  // Without `giveBack` in `DraftCompletionService.completeLocked`, its buyer keeps the places.
  it('gets them, too, when the buyer of that hold sends the contact form; without anybody who waits, the buyer keeps them', async () => {
    const { id } = await newEvent(test, tenant, { capacity: 2 });
    const event = { id, priceId: await newPrice(test, tenant, id, { amount: '0.00' }) };
    const [first, second] = [await sureHold(event), await sureHold(event)];
    await endHold(test, tenant, first);
    expect(await complete(test, tenant, first)).toMatchObject({ status: 'F' });
    await lists.wait(event);
    await endHold(test, tenant, second);
    expect(await outcome(complete(test, tenant, second))).toMatchObject({ reason: 'sold_out' });
    await runList(id);
    expect(await lists.states(id)).toEqual(['offered']);
  });

  it('is woken when a reservation is cancelled, a hold ends, and the event gets more places', async () => {
    const event = await soldOut(2);
    for (let index = 0; index < 3; index += 1) await lists.wait(event);
    const dueNow = async (): Promise<boolean> => {
      const [job] = await test.database.query<{ due: boolean }>(
        `select due_at <= now() as due from shared.job where kind = 'waiting-list' and subject_id = $1`,
        [event.id],
      );
      return job?.due ?? false;
    };
    const served = async (): Promise<string[]> => {
      expect(await dueNow()).toBe(true);
      await test.database.query(`delete from shared.job where kind = 'waiting-list' and subject_id = $1`, [event.id]);
      await runList(event.id);
      return lists.states(event.id);
    };
    expect(await served()).toEqual(['waiting', 'waiting', 'waiting']);
    expect(await dueNow()).toBe(false);
    await cancel(event.sales[0]!);
    expect(await served()).toEqual(['offered', 'waiting', 'waiting']);
    await inside(() => test.app.get(EventsService).update(event.id, { capacity: 3 }));
    expect(await served()).toEqual(['offered', 'offered', 'waiting']);
    const [first] = await lists.rows(event.id);
    await lists.sql(`update reservation set expires_at = now() - interval '1 second' where id = $1`, [first!.reservationId]);
    await inside(() => test.app.get(JobsService).workOf('draft-expiry')(first!.reservationId!, { number: 1, isLast: false }));
    expect(await served()).toEqual(['expired', 'offered', 'offered']);
  });
});

describe('an entry', () => {
  it('that wants more places than are free is waited for in one round, and passed until enough are free at once', async () => {
    const event = await soldOut(4);
    for (const quantity of [3, 2, 1]) await lists.wait(event, { quantity });
    const served = async (): Promise<string[]> => {
      await lists.serve(event.id);
      return lists.states(event.id);
    };
    await cancel(event.sales[0]!);
    expect(await served()).toEqual(['waiting', 'waiting', 'waiting']);
    expect(await outcome(hold(test, tenant, event))).toMatchObject({ reason: 'sold_out' });
    await lists.endRound(event.id);
    expect(await served()).toEqual(['waiting', 'waiting', 'offered']);
    await cancel(event.sales[1]!);
    // One place is free, and everybody who still waits wants more: anybody may buy it.
    const draft = await hold(test, tenant, event);
    expect(await served()).toEqual(['waiting', 'waiting', 'offered']);
    await endHold(test, tenant, draft);
    await cancel(event.sales[2]!);
    // Two are free: enough for the second, who comes first again.
    expect(await outcome(hold(test, tenant, event))).toMatchObject({ reason: 'sold_out' });
    expect(await served()).toEqual(['waiting', 'offered', 'offered']);
  });

  it('that wants more than the stock of its price has left does not keep others from the rest', async () => {
    const { id } = await newEvent(test, tenant, { capacity: 9, startsAt: new Date(Date.now() + 3 * 86_400_000) });
    const event = { id, priceId: await newPrice(test, tenant, id, { amount: '0.00', stock: 3 }) };
    const sale = await book(test, tenant, event, { quantity: 1, confirmed: true });
    await book(test, tenant, event, { quantity: 2, confirmed: true });
    await lists.wait(event, { quantity: 2 });
    await cancel(sale.id);
    await lists.serve(id);
    expect(await outcome(hold(test, tenant, event))).toMatchObject({ reason: 'sold_out' });
    await lists.endRound(id);
    await hold(test, tenant, event);
    expect(await lists.states(id)).toEqual(['waiting']);
  });
});

describe('staff', () => {
  it('see the list, offer places out of order, and remove people', async () => {
    const event = await soldOut(2);
    const [big, small, other] = [await lists.wait(event, { quantity: 2 }), await lists.wait(event), await lists.wait(event)];
    const staff = await staffOf(test, tenant);
    const { records = [] } = await staff.list('waiting-list', { 'filters.eventId': event.id });
    expect(records.map(({ id }) => id)).toEqual([big, small, other]);
    const refused = await staff.act('waiting-list', small, 'offerNow');
    expect(JSON.stringify(refused)).toContain('not enough free places');
    await cancel(event.sales[0]!);
    await staff.act('waiting-list', small, 'offerNow');
    expect(await lists.states(event.id)).toEqual(['waiting', 'offered', 'waiting']);
    await staff.act('waiting-list', small, 'remove');
    await staff.act('waiting-list', big, 'remove');
    await runList(event.id);
    expect(await lists.states(event.id)).toEqual(['removed', 'removed', 'offered']);
  });

  it('sell before people who wait when the box office says that they do', async () => {
    const event = await soldOut(2);
    for (let index = 0; index < 3; index += 1) await lists.wait(event);
    await cancel(event.sales[0]!);
    const staff = await staffOf(test, tenant);
    const { view } = await staff.page('reservations', 'sell', { event: event.id });
    expect(view!['sale']).toMatchObject({ event: { remaining: 1, waiting: 3 }, prices: [{ remaining: 1 }, { remaining: 1 }] });
    const sale = { eventId: event.id, email: '', paymentMethod: 'offered', tickets: [{ priceId: event.priceId, quantity: 1 }] };
    // A page that was loaded before somebody waited.
    const sell = (more: object = {}): ReturnType<typeof staff.send> => staff.send('reservations', 'sell', oneEvent({ ...sale, ...more }));
    expect(saleErrors(await sell())).toMatchObject({ tickets: expect.anything() });
    expect(soldPart(await sell({ passesList: true })).tickets).toHaveLength(1);
    expect(saleErrors(await sell({ passesList: true }))).toMatchObject({ tickets: expect.anything() });
    await runList(event.id);
    expect(await lists.states(event.id)).toEqual(['waiting', 'waiting', 'waiting']);
  });
});
