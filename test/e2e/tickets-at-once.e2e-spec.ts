import { RefusedDraft } from '#selling';
import { TaskSchedulerService } from '#jobs';
import { clientNetworks, SETTINGS } from '#kernel';
import { MailSenderService } from '#notices';
import { RefusedBooking, ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, freeEvent as newFreeEvent } from '../support/cart-forms.js';
import { complete, hold, type ChosenEvent } from '../support/drafts.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;
let post: SmtpSink;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url, RATE_PAGES: '100000/min', HELD_TICKETS_PER_EVENT: '10' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await post.close();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const newAddress = (): string => `${randomUUID()}@example.org`;
const confirmBy = (way: string): Promise<unknown> => sql('update configuration set booking_confirmation = $1', [way]);
/** Later than the longest hold. */
const tomorrow = new Date(Date.now() + 24 * 3_600_000);
const freeEvent = (capacity = 50) => newFreeEvent(test, tenant, capacity, { startsAt: tomorrow });
const order = async (event: ChosenEvent, email: string, network: string = randomUUID(), quantity = 1): Promise<unknown> => {
  const id = await outcome(hold(test, tenant, event, { network, quantity }));
  return typeof id === 'string' ? outcome(complete(test, tenant, id, { email })) : id;
};
const mailsTo = async (email: string): Promise<string[]> =>
  (await sql<{ kind: string }>('select kind from mail where recipient = $1', [email])).map(({ kind }) => kind);

describe('where the venue wants no confirmation', () => {
  beforeAll(() => confirmBy('none'));
  afterAll(() => confirmBy('link'));

  it('free tickets are given at once, on the page and by mail', async () => {
    const event = await freeEvent();
    const path = await forms.begin(event.slug, event.priceId, '2');
    expect((await forms.get(path)).text).not.toContain('We send a link');
    const email = newAddress();
    await forms.complete(path, { email });
    const [, , id] = path.split('/');
    expect(await sql('select status, expires_at from reservation where id = $1', [id])).toEqual([{ status: 'FA', expires_at: null }]);
    const { status, headers } = await forms.get(path);
    expect([status, String(headers['location'])]).toEqual([303, expect.stringContaining(`/reservation/${id}/`)]);
    expect((await forms.get(String(headers['location']))).status).toBe(200);
    expect(await mailsTo(email)).toEqual(['tickets']);
    // It does not show that the address is the buyer's.
    expect(await sql('select 1 from verified_email where email_key = $1', [email])).toEqual([]);
  });

  it('a cart with free tickets of two events has all of them at once', async () => {
    const { path } = await forms.collect([await freeEvent(), await freeEvent()]);
    const email = newAddress();
    await forms.post(`${path}/contact`, await forms.contact(path, email));
    const parts = await sql<{ id: string; status: string }>('select id, status from reservation where cart_id = $1', [path.split('/')[2]]);
    expect(parts.map(({ status }) => status)).toEqual(['FA', 'FA']);
    const page = (await forms.get(path)).text;
    for (const { id } of parts) expect(page).toContain(`href="/reservation/${id}/`);
  });

  it('they count for their person, also when they are ordered at the same time', async () => {
    const event = await freeEvent();
    await sql('update event set max_per_user = 3 where id = $1', [event.id]);
    const email = newAddress();
    const results = await Promise.all(crowd(6, () => order(event, email)));
    expect(results.filter((one) => one instanceof RefusedBooking && one.reason === 'limit_per_user')).toHaveLength(3);
    expect(results.filter((one) => (one as { status?: string }).status === 'FA')).toHaveLength(3);
  });

  it('one network orders ten in an hour for an address, which gets thirty mails a day', async () => {
    const events: ChosenEvent[] = [];
    for (let count = 0; count < 5; count += 1) events.push(await freeEvent());
    const email = newAddress();
    const orders = (times: number, network: string) =>
      Promise.all(crowd(times, (index) => order(events[index % events.length] as ChosenEvent, email, network)));
    const refused = (await orders(14, randomUUID())).filter((one) => one instanceof RefusedDraft && one.reason === 'unconfirmed');
    expect(refused).toHaveLength(4);
    for (let round = 0; round < 3; round += 1) await orders(10, randomUUID());
    expect(await sql(`select 1 from reservation where email = $1 and status = 'FA'`, [email])).toHaveLength(40);
    expect((await mailsTo(email)).length).toBeLessThanOrEqual(31);
    // Cancelled ones count, too: otherwise each would free the way for another mail.
    const { id } = (await sql<{ id: string }>('select id from reservation where email = $1 limit 1', [email]))[0]!;
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'holder', notify: false }));
    const before = (await mailsTo(email)).length;
    expect(await order(events[0]!, email)).toMatchObject({ status: 'FA' });
    expect(await mailsTo(email)).toHaveLength(before);
  });

  it('one network takes no more places in a day than it could hold, whatever becomes of them', async () => {
    const event = await freeEvent(40);
    const { own: network } = clientNetworks('127.0.0.1');
    const taken: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const one = await order(event, newAddress(), network, 2);
      taken.push((one as { id: string }).id);
    }
    const refusal = (): Promise<unknown> => order(event, newAddress(), network, 1);
    expect(await refusal()).toBeInstanceOf(RefusedDraft);
    // The mail of one is sent; another one is cancelled.
    const [mail] = await sql<{ id: string }>('select id from mail where reservation_id = $1', [taken[0]]);
    await inside(() => test.app.get(MailSenderService).send(mail!.id, { isLast: true }));
    await inside(() => test.app.get(ReservationChangesService).cancel(taken[1]!, { reason: 'holder' }));
    expect(await sql('select status from reservation where id = any($1) order by 1', [taken.slice(0, 2)])).toEqual([
      { status: 'C' },
      { status: 'V' },
    ]);
    expect(await refusal()).toBeInstanceOf(RefusedDraft);
    expect(await order(event, newAddress())).toMatchObject({ status: 'FA' });
    await test.app.get(TaskSchedulerService).run('forget networks of bookings');
    expect(await sql('select 1 from reservation where id = any($1) and network is null', [taken])).toEqual([]);
    await sql(`update reservation set completed_at = completed_at - interval '1 day' where id = any($1)`, [taken]);
    expect(await refusal()).toMatchObject({ status: 'FA' });
    await test.app.get(TaskSchedulerService).run('forget networks of bookings');
    expect(await sql('select 1 from reservation where id = any($1) and network is not null', [taken])).toEqual([]);
  });

  it('places that are reserved at once to be paid at the venue count for their network until they are paid or end', async () => {
    await sql('update configuration set pay_at_venue_hours = 2');
    const settings = test.app.get<{ confirmsAddresses: boolean }>(SETTINGS);
    try {
      Object.assign(settings, { confirmsAddresses: false });
      const event = await newEvent(test, tenant, { startsAt: new Date(Date.now() + 5 * 24 * 3_600_000), capacity: 40 });
      const network = randomUUID();
      const [taken, last] = [await order(event, newAddress(), network, 9), await order(event, newAddress(), network)] as { id: string }[];
      expect(taken).toMatchObject({ status: 'R', confirmation: 'none' });
      const ids = [taken!.id, last!.id];
      await sql(
        `update reservation set completed_at = completed_at - interval '2 days', created_at = created_at - interval '2 days'
         where id = any($1)`,
        [ids],
      );
      await test.app.get(TaskSchedulerService).run('forget networks of bookings');
      expect(await order(event, newAddress(), network)).toMatchObject({ reason: 'too_many_here' });
      await inside(() => test.app.get(ReservationChangesService).confirm(last!.id));
      expect(await order(event, newAddress(), network)).toMatchObject({ status: 'R' });
    } finally {
      Object.assign(settings, { confirmsAddresses: true });
    }
  });

  it('free tickets for members still await the confirmation of the address', async () => {
    const event = await freeEvent();
    const priceId = await newMemberPrice(test, tenant, event, await newPlan(test, tenant, '10.00'), '0.00');
    expect(await order({ id: event.id, priceId }, newAddress())).toMatchObject({ status: 'F', confirmation: 'link' });
  });
});

describe('the time for a link', () => {
  const minutesOf = (result: unknown): number => {
    const { expiresAt, completedAt } = result as { expiresAt: Date; completedAt: Date };
    return Math.round((expiresAt.getTime() - completedAt.getTime()) / 60_000);
  };

  it('is two hours while a fifth of the places is left, then as short as every hold', async () => {
    const event = await freeEvent(10);
    const times: number[] = [];
    for (let count = 0; count < 10; count += 1) times.push(minutesOf(await order(event, newAddress())));
    expect(times).toEqual([120, 120, 120, 120, 120, 120, 120, 120, 15, 15]);
  });

  it('follows the stock of each price, too, and the start of the event', async () => {
    const event = await freeEvent(100);
    const priceId = await newPrice(test, tenant, event.id, { amount: '0.00', stock: 2 });
    expect(minutesOf(await order({ id: event.id, priceId }, newAddress()))).toBe(120);
    expect(minutesOf(await order({ id: event.id, priceId }, newAddress()))).toBe(15);
    const soon = await newEvent(test, tenant, { capacity: 100, startsAt: new Date(Date.now() + 90 * 60_000) });
    const free = await newPrice(test, tenant, soon.id, { amount: '0.00' });
    expect(minutesOf(await order({ id: soon.id, priceId: free }, newAddress()))).toBe(15);
  });
});
