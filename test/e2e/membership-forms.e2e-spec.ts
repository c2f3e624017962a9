import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { HolderLinks } from '#tickets';
import type { NewPrice } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newPlan, type Plan } from '../support/membership-plans.js';
import { OrderForms } from '../support/order-forms.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: OrderForms;

beforeAll(async () => {
  test = await startStripeApp();
  tenant = await test.newVenue({ language: 'en' });
  forms = new OrderForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));

const plan = (amount: string, more: Partial<NewPrice> = {}): Promise<Plan> => newPlan(test, tenant, amount, more);
const tokenIn = (html: string): string => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
const statesOf = async ({ productId }: Plan): Promise<string[]> => {
  const rows = await sql<{ status: string }>('select status from membership where product_id = $1 order by created_at', [productId]);
  return rows.map(({ status }) => status);
};

/** Opens the form and sends it. */
async function join({ priceId }: Plan, email: string) {
  const token = tokenIn((await forms.get(`/memberships/${priceId}`)).text);
  const fields = { form: token, email, first_name: 'Ada', last_name: 'Martin' };
  return { token, answer: await forms.post(`/memberships/${priceId}`, Object.entries(fields)) };
}

describe('sale windows', () => {
  const hour = 3_600_000;

  it('are shown where one joins, and no form outside of them', async () => {
    const from = new Date(Date.now() + hour);
    const later = await plan('0.00', { name: 'Later', salesFrom: from });
    const over = await plan('12.00', { name: 'Over', salesUntil: new Date(Date.now() - hour) });
    const open = await plan('12.00', { name: 'Now', salesUntil: new Date(Date.now() + 30 * hour) });
    const [seconds] = /max-age=(\d+)/.exec((await forms.get('/memberships')).headers['cache-control'] as string)!.slice(1);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
    const { text } = await forms.get('/memberships');
    expect(itemOf(text, later)).toContain('<em class="stamp stamp-quiet">Sales open on ');
    expect(itemOf(text, over)).toContain('<em class="stamp stamp-quiet">Sales ended</em>');
    expect(itemOf(text, open)).toContain('until');
    for (const closed of [later, over]) {
      const path = `/memberships/${closed.priceId}`;
      expect(text).not.toContain(`href="${path}"`);
      const page = await forms.get(path);
      expect([page.status, page.text.includes('name="form"'), /Sales (open on|ended)/.test(page.text)]).toEqual([200, false, true]);
      const sent = await forms.post(path, Object.entries({ form: 'x', email: 'ada@example.org' }));
      expect([sent.status, /Sales (open on|ended)/.test(sent.text)]).toEqual([409, true]);
    }
  });

  it('say nothing of the cart beside a price that costs something, and bind renewals', async () => {
    const event = await newEvent(test, tenant);
    await newPrice(test, tenant, event.id, { amount: '5.00' });
    const paid = await plan('12.00', { salesFrom: new Date(Date.now() + hour) });
    const free = await plan('0.00');
    const { text } = await forms.get('/memberships');
    expect([itemOf(text, paid).includes('it costs nothing'), itemOf(text, free).includes('it costs nothing')]).toEqual([false, true]);
    const { id } = await inside(() =>
      test.app.get(MembershipsService).create({ priceId: paid.priceId, email: 'eve@example.org', paymentMethod: 'cash' }),
    );
    const path = await inside(() => Promise.resolve(`${test.app.get(HolderLinks).pathTo({ membershipId: id })}/renew`));
    const upcoming = await forms.get(path);
    expect([upcoming.text.includes('Sales open on'), upcoming.text.includes('<form class="sheet')]).toEqual([true, false]);
    const sent = await forms.post(path, []);
    expect([sent.status, sent.headers['location']]).toEqual([303, path]);
    await sql('update price set sales_from = null where id = $1', [paid.priceId]);
    expect((await forms.get(path)).text).toContain('<form class="sheet');
    expect((await forms.post(path, [])).headers['location']).toContain(test.stripe.url);
  });
});

/** The item of an offer in the list. */
const itemOf = (html: string, { priceId }: Plan): string =>
  html.split('<li class="price price-shut">').find((item) => item.includes(`id="n-${priceId}"`)) ?? '';

describe('a form to join', () => {
  it('shows the form as it was typed when the payment page cannot be opened, and the second try works', async () => {
    const paid = await plan('20.00', { maxPerUser: 1 });
    test.stripe.fault = 'cut';
    const { token, answer } = await join(paid, 'lin@example.org');
    test.stripe.fault = undefined;
    expect(answer.status).toBe(503);
    for (const text of ['The payment page could not be opened', 'value="lin@example.org"', 'value="Ada"'])
      expect(answer.text).toContain(text);
    expect(answer.text).not.toContain('href="#email"');
    // Also when the page before is sent again: it has the form of the cancelled membership.
    const old = await forms.post(`/memberships/${paid.priceId}`, Object.entries({ form: token, email: 'lin@example.org' }));
    expect([old.status, old.text.includes('Send the form again'), tokenIn(old.text) === token]).toEqual([409, true, false]);
    const again = await forms.post(
      `/memberships/${paid.priceId}`,
      Object.entries({ form: tokenIn(answer.text), email: 'lin@example.org' }),
    );
    expect([again.status, again.headers['location']]).toEqual([303, test.lastSession()['url']]);
    expect(await statesOf(paid)).toEqual(['cancelled', 'pending']);
  });

  it('begins anew with what was typed when somebody comes back after the time to pay', async () => {
    const paid = await plan('20.00', { maxPerUser: 1 });
    const { token } = await join(paid, 'kim@example.org');
    await sql(`update membership set expires_at = now() - interval '1 second' where product_id = $1`, [paid.productId]);
    const fields = { email: 'kim@example.org', first_name: 'Kim' };
    const late = await forms.post(`/memberships/${paid.priceId}`, Object.entries({ form: token, ...fields }));
    expect(late.status).toBe(409);
    for (const text of ['The time to pay for this membership', 'value="kim@example.org"', 'value="Kim"']) expect(late.text).toContain(text);
    const again = await forms.post(`/memberships/${paid.priceId}`, Object.entries({ form: tokenIn(late.text), ...fields }));
    expect([again.status, again.headers['location']]).toEqual([303, test.lastSession()['url']]);
    expect(await statesOf(paid)).toHaveLength(2);
  });

  it('answers no form with a card that is not made, when the same form is sent several times and no payment page opens', async () => {
    const paid = await plan('20.00');
    const { text } = await forms.get(`/memberships/${paid.priceId}`);
    const fields = Object.entries({ form: tokenIn(text), email: 'max@example.org' });
    test.stripe.fault = 'cut';
    const answers = await Promise.all(crowd(5, () => forms.post(`/memberships/${paid.priceId}`, fields)));
    test.stripe.fault = undefined;
    for (const answer of answers) expect([409, 503]).toContain(answer.status);
  });
});
