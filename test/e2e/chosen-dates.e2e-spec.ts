import { PricesService } from '#catalogue';
import { CartsService } from '#selling';
import type { TenantIdentity } from '#tenancy';
import { HolderLinks, ReservationChangesService, WholeOrdersService } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { crowd, expectNoDrift } from '../support/booking.js';
import { CartForms } from '../support/cart-forms.js';
import { addToCart, completeCart, partsOfCart } from '../support/carts.js';
import { staffOf } from '../support/panel-staff.js';
import { newSeries, weekly, type TestSeries } from '../support/series.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'UTC' });
  forms = new CartForms(test, tenant);
  await sql('update configuration set pay_at_venue_hours = 1');
});
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const get = async (path: string): Promise<string> => (await forms.get(path)).text;
const bookedOf = async ({ dates }: TestSeries): Promise<number[]> =>
  (await sql<{ booked: number }>('select booked from event where id = any($1) order by starts_at', [dates.map(({ id }) => id)])).map(
    ({ booked }) => booked,
  );
const idsAt = ({ dates }: TestSeries, ...places: number[]): string[] => places.map((at) => dates[at]!.id);
const choose = (cart: string, { passId }: TestSeries, dates: readonly string[]): Promise<unknown> =>
  outcome(inside(() => test.app.get(CartsService).chooseDates(cart, passId, dates, { own: randomUUID(), site: null })));
/** A cart with a pass for three of the dates, chosen at the first one. */
async function begun(series: TestSeries, quantity = 1): Promise<string> {
  const cart = randomUUID();
  await addToCart(test, tenant, cart, { id: series.dates[0]!.id, priceId: series.passId }, { quantity });
  return cart;
}

describe('a pass for some dates of a series', () => {
  afterEach(() => expectNoDrift(test, tenant));

  it('is chosen on the page of a date, gets its dates in the cart, and becomes a reservation for each', async () => {
    const series = await newSeries(test, tenant, weekly(25), { passDates: 3 });
    const page = await get(`/event/${series.dates[0]!.slug}`);
    for (const words of ['€24', '€8 a date, for 3 dates of your choice', 'data-cents="2400"']) expect(page).toContain(words);
    const fields: [string, string][] = [
      ['price', series.passId],
      ['quantity', '2'],
      ['amount', ''],
    ];
    const path = String((await forms.post(`/event/${series.dates[0]!.slug}/book`, fields)).headers['location']);
    const cart = await get(path);
    for (const words of ['choose 3 dates, each of them once', 'Dates chosen: 1 of 3', 'its dates can be changed below'])
      expect(cart).toContain(words);
    expect(cart.match(/name="date"/g)).toHaveLength(25);
    const dates = idsAt(series, 1, 4, 7).map((id): [string, string] => ['date', id]);
    const saved = await forms.post(`${path}/dates`, [['price', series.passId], ...dates]);
    expect([saved.status, saved.headers['location']]).toEqual([303, path]);
    expect((await bookedOf(series)).slice(0, 8)).toEqual([0, 2, 0, 0, 2, 0, 0, 2]);
    const chosen = await get(path);
    expect(chosen).toContain('€48');
    expect(chosen).not.toContain('Dates chosen');
    expect([cart, chosen].map((html) => html.includes(`${path}/contact`))).toEqual([false, true]);
    const few = await forms.post(`${path}/dates`, [['price', series.passId], ...dates.slice(1)]);
    expect(few.status).toBe(409);
    expect(few.text).toContain('Choose as many dates as the pass is for');
    // What was ticked stays ticked.
    expect([few.text.includes('Dates chosen: 2 of 3'), few.text.match(/name="date"[^>]* checked/g)]).toMatchObject([true, { length: 2 }]);
  });

  it('cannot be ordered with too few or too many dates, and is booked at the dates that are chosen', async () => {
    const series = await newSeries(test, tenant, weekly(5), { amount: '0.00', passDates: 3 });
    const cart = await begun(series, 2);
    expect(await outcome(completeCart(test, tenant, cart))).toMatchObject({ reason: 'pass_dates' });
    const other = await newSeries(test, tenant, weekly(2), { amount: '0.00' });
    const wrong = [idsAt(series, 0, 1), idsAt(series, 0, 1, 1), idsAt(series, 0, 1, 2, 3), [...idsAt(series, 0, 1), other.dates[0]!.id]];
    for (const dates of wrong) expect(await choose(cart, series, dates)).toMatchObject({ reason: 'pass_dates' });
    expect(await bookedOf(series)).toEqual([2, 0, 0, 0, 0]);
    expect(await choose(cart, series, idsAt(series, 0, 2, 3))).toBe(true);
    // Chosen at a fourth date: the cart has it, and says that it is one too many.
    await addToCart(test, tenant, cart, { id: series.dates[4]!.id, priceId: series.passId }, { quantity: 1 });
    expect(await bookedOf(series)).toEqual([1, 0, 1, 1, 1]);
    expect(await outcome(completeCart(test, tenant, cart))).toMatchObject({ reason: 'pass_dates' });
    const [first] = await partsOfCart(test, tenant, cart);
    await inside(() => test.app.get(CartsService).remove(cart, first!.id));
    expect(await bookedOf(series)).toEqual([0, 0, 1, 1, 1]);
    const { parts } = await completeCart(test, tenant, cart);
    expect(parts.map(({ eventId }) => eventId)).toEqual(expect.arrayContaining(idsAt(series, 2, 3, 4)));
    expect(parts).toHaveLength(3);
  });

  it('is not offered when too few dates remain, and says which dates are sold out', async () => {
    const inputs = weekly(3).map((times, index) => ({ ...times, capacity: index === 2 ? 1 : 20 }));
    const series = await newSeries(test, tenant, inputs, { passDates: 3 });
    await addToCart(test, tenant, randomUUID(), { id: series.dates[2]!.id, priceId: series.priceId });
    const page = await get(`/event/${series.dates[0]!.slug}`);
    const row = page.slice(page.indexOf('for 3 dates of your choice'));
    expect(row).toContain('At the moment all are reserved');
    const cart = await begun(series);
    expect(await choose(cart, series, idsAt(series, 0, 1, 2))).toMatchObject({ reason: 'sold_out' });
    expect(await bookedOf(series)).toEqual([1, 0, 1]);
    const short = await newSeries(test, tenant, weekly(2), { passDates: 3 });
    expect(await get(`/event/${short.dates[0]!.slug}`)).not.toContain('of your choice');
    expect(await outcome(begun(short))).toMatchObject({ reason: 'pass_gone' });
  });

  it('takes the last place of a date once, and changes all dates of a choice or none', async () => {
    const inputs = weekly(4).map((times, index) => ({ ...times, capacity: index === 3 ? 1 : 20 }));
    const series = await newSeries(test, tenant, inputs, { amount: '0.00', passDates: 3 });
    const carts = await Promise.all(crowd(6, () => begun(series)));
    const wanted = (index: number): string[] => (index % 2 === 0 ? idsAt(series, 3, 1, 2) : idsAt(series, 0, 2, 3));
    const outcomes = await Promise.all(crowd(carts.length, (index) => choose(carts[index]!, series, wanted(index))));
    expect(outcomes.filter((one) => one === true)).toHaveLength(1);
    const winner = outcomes.indexOf(true);
    const parts = await Promise.all(carts.map((cart) => partsOfCart(test, tenant, cart)));
    expect(parts.map((own) => own.map(({ eventId }) => eventId).toSorted())).toEqual(
      carts.map((_, index) => (index === winner ? wanted(index).toSorted() : idsAt(series, 0))),
    );
  });

  it('is a number from 2 to 20 of a price that is a pass', async () => {
    const { passId, priceId } = await newSeries(test, tenant, weekly(2), { amount: '0.00' });
    const change = (id: string, passDates: number) => outcome(inside(() => test.app.get(PricesService).update(id, { passDates })));
    for (const [id, count] of [
      [priceId, 3],
      [passId, 1],
      [passId, 21],
      [passId, 2.5],
    ] as const)
      expect(await change(id, count)).toMatchObject({ field: 'passDates' });
    expect(await change(passId, 20)).not.toBeInstanceOf(Error);
  });

  it('is shown as one order to guests and staff, paid at the venue once as a whole, and says what cancelling one date does', async () => {
    const series = await newSeries(test, tenant, weekly(3), { passDates: 3 });
    const cart = await begun(series);
    await choose(cart, series, idsAt(series, 0, 1, 2));
    const { parts } = await completeCart(test, tenant, cart, { payment: 'venue' });
    const inTime = parts.toSorted((one, other) => one.event.startsAt.getTime() - other.event.startsAt.getTime());
    const [first, second, third] = inTime.map(({ id }) => id) as [string, string, string];
    const pathOf = (id: string): Promise<string> =>
      inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id }, 0)));
    const page = await get(await pathOf(first));
    for (const words of ['One date of a pass for €24, with:', await pathOf(second), await pathOf(third), `/cart/${cart}/`])
      expect(page).toContain(words);
    const staff = await staffOf(test, tenant);
    const { record } = await staff.look('reservations', second);
    const shown = (name: string): unknown[] => [0, 1, 2, 3].map((at) => record!.params[`order.items.${at}.${name}`]);
    expect(shown('details').map((text) => String(text).split(' · ').at(-1))).toEqual(['€8.00', '€8.00', '€8.00', '€24.00']);
    expect(shown('href').map((href) => (href as string | undefined)?.split('/').at(-2))).toEqual([first, undefined, third, undefined]);
    expect((await staff.look('reservations', second, 'confirm')).view).toMatchObject({
      lead: [expect.stringContaining('€24.00'), expect.anything()],
      fields: [{ name: 'method' }],
    });
    expect(JSON.stringify((await staff.look('reservations', second, 'cancel')).view)).toContain('The pass stays valid for the other dates');
    // Two people at the desk, and one who takes a date alone.
    await Promise.all([
      staff.act('reservations', second, 'confirm', { method: 'card' }),
      inside(() => test.app.get(WholeOrdersService).confirm(cart, 'card')),
      inside(() => test.app.get(ReservationChangesService).confirm(third, 'card')),
    ]);
    const paid = await sql(
      `select amount, method, status from payment where reservation_id in (select id from reservation where cart_id = $1)`,
      [cart],
    );
    expect(paid).toEqual(Array.from({ length: 3 }, () => ({ amount: '8.00', method: 'card', status: 'paid' })));
    await inside(() => test.app.get(ReservationChangesService).cancel(third, { reason: 'staff' }));
    const after = await get(await pathOf(first));
    expect(after).toContain('One date of a pass for €16, with:');
    expect(await get(`${await pathOf(first)}/cancel`)).toContain('It is one date of a pass: only this date is cancelled.');
  });
});
