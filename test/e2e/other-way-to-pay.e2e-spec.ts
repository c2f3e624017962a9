import { SETTINGS } from '#kernel';
import { VenueInsteadService } from '#selling';
import { ReservationChangesService } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountVisits } from '../support/accounts.js';
import { ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

const hour = 3_600_000;

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let again: OnlinePayments['again'];
let deliver: OnlinePayments['deliver'];
let forms: OrderForms;

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, again, deliver } = payments);
  forms = new OrderForms(test, tenant);
  await setHours(2);
});
afterEach(async () => {
  stripe.gate = Promise.resolve();
  await payments.settle();
});
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const setHours = (hours: number | null): Promise<unknown> =>
  sql('insert into configuration (id, pay_at_venue_hours) values (1, $1) on conflict (id) do update set pay_at_venue_hours = $1', [hours]);
const idOf = (path: string): string => path.split('/')[2] as string;
const change = (id: string, signedIn?: string): Promise<boolean> => inside(() => test.app.get(VenueInsteadService).change([id], signedIn));

/** A buyer who went to the payment page and left it. @returns the path of the order, and the page to which the provider leads back */
async function leave(email: string, quantity = '2'): Promise<{ path: string; id: string; back: string; eventId: string; until: Date }> {
  const startsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 48 * hour);
  const event = await newEvent(test, tenant, { startsAt });
  const path = await forms.begin(event.slug, event.priceId, quantity);
  expect((await forms.complete(path, { email, payment: 'online' })).status).toBe(303);
  const { parameters } = stripe.requests.findLast((one) => one.path === '/v1/checkout/sessions')!;
  const { pathname: back } = new URL(parameters['cancel_url']!);
  return { path, id: idOf(path), back, eventId: event.id, until: new Date(startsAt.getTime() - 2 * hour) };
}

const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  (
    await sql<Record<string, unknown>>(
      `select status, pay_at_venue as "atVenue", pay_until as "payUntil", expires_at as "expiresAt", link_version as version
       from reservation where id = $1`,
      [id],
    )
  )[0]!;
const mailsOf = (id: string): Promise<string[]> =>
  sql<{ kind: string }>(`select kind from mail where reservation_id = $1 and status <> 'obsolete' order by created_at`, [id]).then((rows) =>
    rows.map(({ kind }) => kind),
  );

describe('a buyer who leaves the payment page without paying', () => {
  it('finds the order held, and pays online again, or at the venue once the address is confirmed by mail', async () => {
    const { path, id, back, eventId, until: end } = await leave('ada@example.org');
    const page = (await forms.get(back)).text;
    for (const text of ['Nothing is paid yet.', 'Your places are kept until', '>Pay now<', 'Pay at the venue instead', `${back}/cancel`])
      expect(page).toContain(text);
    expect((await forms.get(path)).headers['location']).toBe(back);

    const { status, headers } = await forms.post(`${back}/venue`, []);
    expect([status, headers['location']]).toEqual([303, path]);
    expect(await rowOf(id)).toMatchObject({ status: 'R', atVenue: true, payUntil: end, version: 1 });
    expect((await forms.get(path)).text).toContain('Check your inbox');
    // The address may be that of somebody else: the link of the payment page confirms nothing.
    expect((await forms.post(`${back}/confirm`, [])).status).toBe(404);
    expect(await mailsOf(id)).toEqual(['confirm-venue']);
    expect((await again(id)).payments).toMatchObject([{ status: 'failed' }]);
    await until(
      () => Promise.resolve(stripe.requests.some((one) => one.path.endsWith(`${sessionOfLast()}/expire`))),
      (isClosed) => isClosed,
    );
    await inside(() => test.app.get(ReservationChangesService).verify(id));
    expect(await rowOf(id)).toMatchObject({ status: 'R', payUntil: null, expiresAt: end });
    expect(await ticketsBy(test, tenant, eventId)).toEqual({ N: 2 });
  });

  it('is told that the tickets are in the mail when the earlier checkout, open elsewhere, was paid all the same', async () => {
    const { path, id, back } = await leave('elsewhere@example.org');
    const paid = stripe.pay(sessionOf(await again(id)));
    expect(await change(id)).toBe(true);
    await deliver(paid);
    const { status, headers } = await forms.get(`${back}?paid=1`);
    expect([status, headers['location']]).toEqual([303, path]);
    expect((await forms.get(path)).text).toContain('Your tickets are booked');
    expect((await forms.get(back)).status).toBe(404);
  });

  const sessionOfLast = (): string => [...stripe.sessions.keys()].at(-1) as string;

  it('needs no mail while signed in, and pays online in the end while the places stay reserved', async () => {
    const email = 'signed@example.org';
    const { id, back, until: end } = await leave(email);
    const cookie = await new AccountVisits(test, tenant).signIn(email);
    expect((await forms.post(`${back}/venue`, [], cookie)).headers['location']).toBe(back);
    expect(await rowOf(id)).toMatchObject({ status: 'R', atVenue: true, payUntil: null, expiresAt: end, version: 0 });
    expect(await mailsOf(id)).toEqual(['pay-at-venue']);
    expect((await forms.get(back)).text).toContain('Pay online instead');

    const paying = await forms.post(`${back}/online`, []);
    expect([paying.status, paying.headers['location']]).toEqual([303, stripe.sessions.get(sessionOfLast())!.url]);
    expect(await rowOf(id)).toMatchObject({ status: 'R', atVenue: true, expiresAt: end });
    await deliver(stripe.pay(sessionOfLast()));
    expect(await rowOf(id)).toMatchObject({ status: 'P', expiresAt: null });
    const done = (await forms.get(`${back}?paid=1`)).text;
    for (const text of ['You’re in!', 'Paid €25', `${back}/tickets.pdf`, 'Bring somebody', 'Google Calendar']) expect(done).toContain(text);
  });

  it('reserves at once where nobody can confirm an address, and counts for its network', async () => {
    const settings = test.app.get<{ confirmsAddresses: boolean }>(SETTINGS);
    const { path, id, back, until: end } = await leave('nobody@example.org');
    try {
      Object.assign(settings, { confirmsAddresses: false });
      expect((await forms.post(`${back}/venue`, [])).headers['location']).toBe(back);
      expect(await rowOf(id)).toMatchObject({ status: 'R', atVenue: true, payUntil: null, expiresAt: end, version: 0 });
      const known = 'select confirmation, network is null as free, opens_by_mail as mailed from reservation where id = $1';
      expect(await sql(known, [id])).toEqual([{ confirmation: 'none', free: false, mailed: false }]);
      expect((await forms.get(back)).text).toContain('Pay online instead');
      expect((await forms.get(path)).headers['location']).toBe(back);
    } finally {
      Object.assign(settings, { confirmsAddresses: true });
    }
  });

  it('keeps a place per person, the time and the setting of the venue', async () => {
    const many = await leave('many@example.org', '12');
    const refused = await forms.post(`${many.back}/venue`, []);
    expect([refused.status, refused.text.includes('may book 10 at most')]).toEqual([409, true]);
    expect(await rowOf(many.id)).toMatchObject({ status: 'U', atVenue: false, version: 0 });
    await setHours(null);
    expect((await forms.get(many.back)).text).not.toContain('Pay at the venue instead');
    expect(await change(many.id)).toBe(false);
    await setHours(2);
    await sql(`update reservation set expires_at = now() - interval '1 second' where id = $1`, [many.id]);
    expect(await change(many.id)).toBe(false);
  });

  it('is paid once when the payment arrives while the way changes, in any order', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id, eventId } = await leave(`race${round}@example.org`);
      const session = sessionOf(await again(id));
      const paid = stripe.pay(session);
      const both = [() => deliver(paid), () => change(id), () => change(id, `race${round}@example.org`)];
      const answers = await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((one) => one()));
      expect(answers).toHaveLength(3);
      const now = await again(id);
      expect(['P', 'V']).toContain(now.status);
      expect(now.payments).toMatchObject([{ kind: 'payment', status: 'paid', amount: '25.00' }]);
      expect(await ticketsBy(test, tenant, eventId)).toEqual({ K: 2 });
      expect(await change(id)).toBe(false);
    }
  });

  it('stays reserved for the venue when a checkout opens while the way changes', async () => {
    let release = (): void => undefined;
    const startsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 48 * hour);
    const event = await newEvent(test, tenant, { startsAt });
    const path = await forms.begin(event.slug, event.priceId, '1');
    stripe.gate = new Promise((resolve) => {
      release = resolve;
    });
    const going = forms.complete(path, { email: 'slow@example.org', payment: 'online' });
    const id = idOf(path);
    await until(
      () => sql('select 1 from payment where reservation_id = $1', [id]),
      ({ length }) => length === 1,
    );
    expect(await change(id)).toBe(true);
    release();
    expect((await going).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ status: 'R', atVenue: true, version: 1 });
    expect((await again(id)).payments).toMatchObject([{ status: 'failed' }]);
  });
});
