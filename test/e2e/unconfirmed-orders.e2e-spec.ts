import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RefusedDraft, ReservationChangesService } from '#booking';
import type { TenantIdentity } from '#tenancy';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { completeCart, newCart } from '../support/carts.js';
import { complete, hold, type ChosenEvent } from '../support/drafts.js';
import { OrderForms } from '../support/order-forms.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let events: (ChosenEvent & { readonly slug: string })[];

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'en' });
  events = [];
  for (let count = 0; count < 12; count += 1) {
    const event = await newEvent(test, tenant, { capacity: 50 });
    events.push({ id: event.id, slug: event.slug, priceId: await newPrice(test, tenant, event.id, { amount: '0.00' }) });
  }
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));

const mailsTo = async (email: string): Promise<number> =>
  (await sql(`select 1 from mail where kind = 'confirm-email' and recipient = $1`, [email])).length;

/** Books a free ticket for each of the events, all at the same time. @returns how many were refused */
async function bookAll(email: string, times: number): Promise<number> {
  const wanted = Array.from({ length: times }, (_, index) => events[index % events.length] as ChosenEvent);
  const ids = await Promise.all(crowd(times, (index) => hold(test, tenant, wanted[index] as ChosenEvent)));
  const results = await Promise.all(crowd(times, (index) => outcome(complete(test, tenant, ids[index] as string, { email }))));
  return results.filter((result) => result instanceof RefusedDraft && result.reason === 'unconfirmed').length;
}

describe('orders that await the confirmation of their address', () => {
  it('are 10 of one address, however many are sent for different events at the same time', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    expect(await bookAll(email, 24)).toBe(14);
    expect(await mailsTo(email)).toBe(10);
    // The form keeps what was typed.
    const forms = new OrderForms(test, tenant);
    const path = await forms.begin(events[0]!.slug, events[0]!.priceId, '1');
    const { status, text } = await forms.complete(path, { email, first_name: 'Zoë' });
    expect(status).toBe(409);
    for (const part of ['wait to be confirmed. Open one of the mails', `value="${email}"`, 'value="Zoë"', 'href="#email"'])
      expect(text).toContain(part);
    // The owner opens one of the mails: from now on nothing is to be confirmed.
    const [one] = await sql<{ id: string }>('select id from reservation where email = $1 limit 1', [email]);
    await inside(() => test.app.get(ReservationChangesService).verify(one!.id));
    expect((await forms.complete(path, { email })).status).toBe(303);
    expect(await mailsTo(email)).toBe(10);
  });

  it('are one order when they were booked with one cart', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const cart = await newCart(test, tenant, events);
    const { parts } = await completeCart(test, tenant, cart, { email });
    expect(parts.map(({ status }) => status)).toEqual(events.map(() => 'F'));
    expect(await bookAll(email, 10)).toBe(1);
  });
});
