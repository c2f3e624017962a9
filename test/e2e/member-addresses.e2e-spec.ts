import { EmailCorrectionsService } from '#holders';
import { MembershipsService } from '#memberships';
import { HolderLinks } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AccountVisits } from '../support/accounts.js';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, freeEvent } from '../support/cart-forms.js';
import { newPlan } from '../support/membership-plans.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let visits: AccountVisits;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en' });
  visits = new AccountVisits(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const someone = (): string => `${randomUUID()}@example.org`;
const idOf = (path: string): string => path.split('/')[2] as string;

/** Orders a ticket with the form. @returns the path of the order */
async function order(event: { slug: string }, priceId: string, email: string, session = '', quantity = '1'): Promise<string> {
  const path = await visits.forms.begin(event.slug, priceId, quantity);
  const { status, text } = await visits.forms.complete(path, { email }, session);
  if (status !== 303) throw new Error(`${status} ${text}`);
  return path;
}

/** Opens the link in the mail of an order, and uses its button. */
const confirm = async (path: string) => visits.forms.post(`${await mailed(path)}/confirm`, []);
const mailed = (path: string): Promise<string> =>
  test.inside(tenant, async () => test.app.get(HolderLinks).pathTo({ reservationId: idOf(path) }));

/** Where a page leads, and whether it names the holder's page. */
async function shown(path: string, session = ''): Promise<[status: number, leadsTo: string, names: boolean]> {
  const { status, headers, text } = await visits.get(path, session);
  return [status, headers['location'] ?? '', /\/(?:reservation|membership)\/[0-9a-f-]{36}/.test(text)];
}

describe('a free price for members', () => {
  it('gives tickets at once to the member who is signed in; who only knows the address of a member does not get them', async () => {
    const { productId, priceId } = await newPlan(test, tenant, '0.00');
    await test.inside(tenant, () => test.app.get(MembershipsService).create({ priceId, email: 'nora@example.org' }));
    const event = await newEvent(test, tenant);
    const forMembers = await newPrice(test, tenant, event.id, { name: 'Members', amount: '0.00', requiredMembershipId: productId });
    const cookie = await visits.signIn('nora@example.org');
    const other = await visits.signIn('nils@example.org');
    const own = await order(event, forMembers, ' Nora@example.org', cookie);
    expect((await visits.get(own, cookie)).headers['location']).toContain('/reservation/');
    for (const session of ['', other]) {
      const page = await visits.get(await order(event, forMembers, 'nora@example.org', session), session);
      expect([page.status, page.headers['location'], page.text.includes('the link to confirm')]).toEqual([200, undefined, true]);
    }
    const states = await visits.sql<{ status: string }>(
      `select status from reservation where event_id = $1 and not is_draft order by created_at`,
      [event.id],
    );
    expect(states.map(({ status }) => status === 'F')).toEqual([false, true, true]);
  });

  it('does not tell who is a member: only the owner of the address learns it, behind the mailed link', async () => {
    const { productId, priceId } = await newPlan(test, tenant, '0.00', { maxPerUser: 1, subscriptionType: null });
    const [member, stranger] = [someone(), someone()];
    await test.inside(tenant, () => test.app.get(MembershipsService).create({ priceId, email: member }));
    const event = await newEvent(test, tenant);
    const forMembers = await newPrice(test, tenant, event.id, { name: 'Members', amount: '0.00', requiredMembershipId: productId });
    const pages: string[] = [];
    for (const email of [member, stranger]) {
      const path = await order(event, forMembers, email);
      const { text } = await visits.forms.get(path);
      pages.push(text.replaceAll(email, '').replaceAll(/<time[^>]*>[^<]*<\/time>|\d\d?:\d\d/g, ''));
      const { status, text: answer } = await confirm(path);
      expect(status).toBe(email === member ? 303 : 409);
      if (email === stranger)
        for (const part of ['cannot be confirmed', 'for members', 'href="/memberships"']) expect(answer).toContain(part);
    }
    expect(pages[0]).toBe(pages[1]);
    // The same for the form of a membership that one person can have once.
    const joined: string[] = [];
    for (const email of [member, stranger]) {
      const form = await visits.forms.get(`/memberships/${priceId}`);
      const token = /name="form" value="([^"]+)"/.exec(form.text)![1]!;
      const { status, text } = await visits.forms.post(`/memberships/${priceId}`, [
        ['form', token],
        ['email', email],
      ]);
      joined.push(`${status} ${text.replaceAll(email, '')}`);
    }
    expect(joined[0]).toContain('200');
    expect(joined[0]).toBe(joined[1]);
    const [typed] = await visits.sql<{ id: string }>(`select id from membership where email = $1 and status = 'pending'`, [member]);
    const link = await test.inside(tenant, async () => test.app.get(HolderLinks).pathTo({ membershipId: typed!.id }));
    const refused = await visits.forms.post(link.replace('/membership/', '/memberships/confirm/'), []);
    expect([refused.status, refused.text.includes('One person may book 1 at most. You already have 1.')]).toEqual([409, true]);
  });
});

describe('an address that its owner confirmed before', () => {
  it('gives nobody else tickets, neither before nor after the mail was opened', async () => {
    const event = await freeEvent(test, tenant);
    const email = someone();
    await confirm(await order(event, event.priceId, email));
    const path = await order(event, event.priceId, email);
    expect(await shown(path)).toEqual([200, '', false]);
    expect((await confirm(path)).status).toBe(303);
    expect(await shown(path)).toEqual([200, '', false]);
    expect((await visits.forms.get(path)).text).toContain('Your tickets are booked');
    const [own, other] = [await visits.signIn(email), await visits.signIn(someone())];
    expect(await shown(path, other)).toEqual([200, '', false]);
    expect((await shown(path, own)).slice(0, 2)).toEqual([303, `${await mailed(path)}?done=1`]);
    // The link to the order ends a day later.
    await visits.sql(`update reservation set completed_at = completed_at - interval '24 hours' where id = $1`, [idOf(path)]);
    expect(await shown(path)).toEqual([410, '', false]);
    expect((await shown(path, own)).slice(0, 2)).toEqual([303, `${await mailed(path)}?done=1`]);
  });

  it('gives nobody else the tickets of a cart', async () => {
    const events = [await freeEvent(test, tenant), await freeEvent(test, tenant)];
    const carts = new CartForms(test, tenant);
    const email = someone();
    await confirm(await order(events[0]!, events[0]!.priceId, email));
    const { path } = await carts.collect(events);
    expect((await carts.post(`${path}/contact`, await carts.contact(path, email))).status).toBe(303);
    expect(await shown(path)).toEqual([200, '', false]);
    const parts = await visits.sql<{ id: string }>('select id from reservation where cart_id = $1', [idOf(path)]);
    expect((await confirm(`/order/${parts[0]!.id}`)).status).toBe(303);
    expect(await shown(path)).toEqual([200, '', false]);
    const own = await visits.signIn(email);
    expect(await shown(path, own)).toEqual([200, '', true]);
    await test.inside(tenant, () => test.app.get(EmailCorrectionsService).reservation(parts[0]!.id, someone()));
    expect(await shown(path)).toEqual([410, '', false]);
    await visits.sql(`update reservation set completed_at = completed_at - interval '24 hours' where cart_id = $1`, [idOf(path)]);
    expect(await shown(path)).toEqual([410, '', false]);
  });

  it('tells the owner behind the mailed link what one person may have, and what is there already', async () => {
    const event = await freeEvent(test, tenant, 50, { maxPerUser: 2 });
    const email = someone();
    const typed = await order(event, event.priceId, email, '', '2');
    await order(event, event.priceId, email, await visits.signIn(email), '1');
    const { status, text } = await confirm(typed);
    expect(status).toBe(409);
    for (const part of ['cannot be confirmed', 'One person may book 2 at most. You already have 1.', 'href="/account"'])
      expect(text).toContain(part);
    const session = await visits.signIn(email);
    const path = await visits.forms.begin(event.slug, event.priceId, '2');
    expect((await visits.forms.complete(path, { email }, session)).text).toContain('One person may book 2 at most. You already have 1.');
  });
});
