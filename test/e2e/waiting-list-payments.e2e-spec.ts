import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { ReservationChangesService, ReservationsService, type WholeReservation } from '#tickets';
import { JobsService } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { complete, endHold } from '../support/drafts.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { sessionOf } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import type { StripeEvent } from '../support/stripe-server.js';
import { WaitingLists } from '../support/waiting-list.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: OrderForms;
let lists: WaitingLists;

beforeAll(async () => {
  test = await startStripeApp({ environment: { RATE_PAGES: '100000/min', SMTP_URL: 'smtp://127.0.0.1:9' } });
  tenant = await test.newVenue({ language: 'en' });
  forms = new OrderForms(test, tenant);
  lists = new WaitingLists(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const cancel = (id: string): Promise<unknown> => inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'holder' }));
const find = async (id: string): Promise<WholeReservation> => (await inside(() => test.app.get(ReservationsService).find(id)))!;
const deliver = (event: StripeEvent): unknown => test.deliver(event, tenant);
const run = (kind: string, id: string): Promise<void> =>
  inside(() => test.app.get(JobsService).workOf(kind)(id, { number: 1, isLast: false }));
const hours = (time: Date | null): number => ((time?.getTime() ?? 0) - Date.now()) / 3_600_000;

interface Offered {
  readonly eventId: string;
  readonly entryId: string;
  readonly path: string;
  readonly draftId: string;
}

/** Places of a sold-out event that are offered to the first of those who wait for it. */
async function offered({ amount = '12.50', waiting = 1 } = {}): Promise<Offered> {
  const startsAt = new Date(Date.now() + 3 * 86_400_000);
  const { id } = await newEvent(test, tenant, { capacity: 1, startsAt });
  const priceId = await newPrice(test, tenant, id, { name: 'Entry', amount });
  const sale = await book(test, tenant, { id, priceId }, { confirmed: true });
  const entryId = await lists.wait({ id, priceId });
  for (let index = 1; index < waiting; index += 1) await lists.wait({ id, priceId });
  await cancel(sale.id);
  await lists.serve(id);
  const [row] = await lists.rows(id);
  return { eventId: id, entryId, path: await lists.pathTo(entryId), draftId: row!.reservationId! };
}

/** Sends the contact form of an offer. @returns the reservation at its checkout */
async function order({ path }: Offered): Promise<WholeReservation> {
  const { headers } = await forms.post(`${path}/book`, []);
  const paying = await forms.complete(String(headers['location']));
  expect(paying.status).toBe(303);
  const id = /^\/order\/([^/]+)/.exec(String(headers['location']))?.[1] ?? '';
  return find(id);
}

describe('a booking of places that the waiting list offered', () => {
  it('is held until the offer ends, and its entry leads back to the payment', async () => {
    const offer = await offered();
    const reservation = await order(offer);
    expect(reservation.status).toBe('U');
    expect(hours(reservation.expiresAt)).toBeGreaterThan(3.9);
    const session = test.stripe.sessions.get(sessionOf(reservation))!;
    expect(session['expires_at']).toBe(Math.floor(reservation.expiresAt!.getTime() / 1000) + 31 * 60);
    const [job] = await test.database.query<{ due: Date }>(
      `select due_at as due from shared.job where kind = 'reservation-expiry' and subject_id = $1`,
      [reservation.id],
    );
    expect(job?.due).toEqual(reservation.expiresAt);
    const page = await forms.get(offer.path);
    expect(page.text).toContain('Pay €12.50');
    expect(page.text).not.toContain('You have booked');
    expect((await forms.post(`${offer.path}/book`, [])).headers['location']).toContain(`/order/${reservation.id}/`);
    await deliver(test.stripe.pay(sessionOf(reservation)));
    expect((await find(reservation.id)).status).toBe('P');
    expect((await forms.get(offer.path)).text).toContain('You have booked');
  });

  it('of a free price is held until the offer ends, too, while its address is to be confirmed', async () => {
    const { draftId } = await offered({ amount: '0.00' });
    const held = await complete(test, tenant, draftId, { email: 'unknown@example.org' });
    expect(held?.status).toBe('F');
    expect(hours(held?.expiresAt ?? null)).toBeGreaterThan(3.9);
  });

  it('renews a hold that ended with the offer for an ordinary time', async () => {
    const offer = await offered();
    await lists.sql(`update waiting_entry set offered_until = now() - interval '1 second' where id = $1`, [offer.entryId]);
    await endHold(test, tenant, offer.draftId);
    const late = await complete(test, tenant, offer.draftId);
    expect(hours(late?.expiresAt ?? null)).toBeLessThan(0.3);
  });

  it('that lapses unpaid goes to the next, and its entry says so', async () => {
    const offer = await offered({ waiting: 2 });
    const { id } = await order(offer);
    await endHold(test, tenant, id);
    expect((await forms.get(offer.path)).text).toContain('The offer has ended');
    await run('reservation-expiry', id);
    expect(await lists.states(offer.eventId)).toEqual(['expired', 'waiting']);
    await lists.serve(offer.eventId);
    expect(await lists.states(offer.eventId)).toEqual(['expired', 'offered']);
    // The place is held for the next: a late payment is given back.
    await deliver(test.stripe.pay(sessionOf(await find(id))));
    expect([(await find(id)).status, ...(await lists.states(offer.eventId))]).toEqual(['C', 'expired', 'offered']);
  });

  it('that is paid late is a booking again when the place is still free', async () => {
    const offer = await offered();
    const reservation = await order(offer);
    await endHold(test, tenant, reservation.id);
    await run('reservation-expiry', reservation.id);
    expect(await lists.states(offer.eventId)).toEqual(['expired']);
    await deliver(test.stripe.pay(sessionOf(reservation)));
    expect([(await find(reservation.id)).status, ...(await lists.states(offer.eventId))]).toEqual(['P', 'booked']);
  });

  it('that is given up before its payment ends the offer; after it, the entry stays booked', async () => {
    const [unpaid, paid] = [await offered(), await offered()];
    const [first, second] = [await order(unpaid), await order(paid)];
    await deliver(test.stripe.runOut(sessionOf(first)));
    expect([(await find(first.id)).status, ...(await lists.states(unpaid.eventId))]).toEqual(['C', 'expired']);
    await deliver(test.stripe.pay(sessionOf(second)));
    await cancel(second.id);
    expect(await lists.states(paid.eventId)).toEqual(['booked']);
  });
});

it('an offer that nobody takes ends also when nobody else waits, so that its person can join again', async () => {
  const offer = await offered();
  await endHold(test, tenant, offer.draftId);
  await run('draft-expiry', offer.draftId);
  expect(await lists.states(offer.eventId)).toEqual(['expired']);
  await endHold(test, tenant, offer.draftId, '2 hours');
  await run('draft-expiry', offer.draftId);
  expect(await lists.states(offer.eventId)).toEqual(['expired']);
});

describe('an offer of places with a price for members', () => {
  /** @returns the address that waits, and the page of its offer; both addresses are members */
  async function offeredToMember(amount: string): Promise<{ readonly member: string; readonly other: string; readonly path: string }> {
    const plan = await newPlan(test, tenant, '20.00');
    const [member, other] = [`Ada-${crypto.randomUUID()}@example.org`, `${crypto.randomUUID()}@example.org`] as const;
    for (const email of [member, other]) {
      await inside(() => test.app.get(MembershipsService).create({ priceId: plan.priceId, email, paymentMethod: 'cash' }));
    }
    const event = await newEvent(test, tenant, { capacity: 1, startsAt: new Date(Date.now() + 3 * 86_400_000) });
    const priceId = await newMemberPrice(test, tenant, event, plan, amount);
    const sale = await book(test, tenant, event, { confirmed: true });
    const entryId = await lists.wait({ id: event.id, priceId }, { email: member });
    await cancel(sale.id);
    await lists.serve(event.id);
    return { member, other, path: await lists.pathTo(entryId) };
  }
  const orderOf = async (offer: { readonly path: string }): Promise<string> =>
    String((await forms.post(`${offer.path}/book`, [])).headers['location']);
  const statusOf = async (path: string): Promise<string> => (await find(/^\/\w+\/([^/]+)/.exec(path)?.[1] ?? '')).status;

  it('is paid at once with the address that the mail with the offer went to', async () => {
    const offer = await offeredToMember('5.00');
    const path = await orderOf(offer);
    const form = (await forms.get(path)).text;
    expect(form).toContain('the places were offered to this address, so it needs no further confirmation.');
    expect(form).toContain('You pay on the next page.');
    expect(form).not.toContain('Sign in as a member');
    expect((await forms.complete(path, { email: offer.member.toLowerCase() })).headers['location']).toContain(test.stripe.url);
    expect(await statusOf(path)).toBe('U');
  });

  it('is booked with one click when nothing is to be paid', async () => {
    const path = await orderOf(await offeredToMember('0.00'));
    expect(path).toContain('/reservation/');
    expect(await statusOf(path)).toBe('FA');
  });

  it('is confirmed by a mail to the member when another address is given', async () => {
    const offer = await offeredToMember('5.00');
    const path = await orderOf(offer);
    const sessions = test.stripe.sessions.size;
    expect((await forms.complete(path, { email: offer.other })).headers['location']).toBe(path);
    expect([await statusOf(path), test.stripe.sessions.size]).toEqual(['R', sessions]);
    expect((await forms.get(path)).text).toContain('Once you have confirmed, you pay €5 online.');
  });
});
