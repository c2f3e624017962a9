import { MembershipsService } from '#memberships';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountVisits } from '../support/accounts.js';
import { expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { newMemberPrice, newPlan, type Plan } from '../support/membership-plans.js';
import { wordsOf } from '../support/public-pages.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startStripeApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
});
beforeEach(async () => {
  tenant = await test.newVenue({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));

/** A cart with a ticket for 12.50, which members get for less. @returns its path and cookie */
async function cartWith(...prices: readonly { readonly plan: Plan; readonly amount: string }[]): Promise<{ path: string; cookie: string }> {
  const event = await newEvent(test, tenant);
  for (const { plan, amount } of prices) await newMemberPrice(test, tenant, event, plan, amount, { name: randomUUID() });
  return forms.collect([event]);
}

const pageOf = async (path: string, cookie = ''): Promise<{ html: string; words: string }> => {
  const { text } = await test.on(tenant).get(path).set('Cookie', cookie).buffer(true);
  return { html: text, words: wordsOf(text) };
};
const nameOf = async ({ productId }: Plan): Promise<string> =>
  (await sql<{ name: string }>('select name from product where id = $1', [productId]))[0]!.name;

describe('a cart that would be cheaper with a membership that people join in its own form', () => {
  it('says what a free one saves, and leads to its form', async () => {
    const plan = await newPlan(test, tenant, '0.00');
    const { path } = await cartWith({ plan, amount: '5.00' });
    const { html, words } = await pageOf(path);
    expect(words).toContain(`With ${await nameOf(plan)} (Free) this cart would cost €5 instead of €12.50: you would save €7.50.`);
    expect(html).toContain(`href="/memberships/${plan.priceId}"`);
    expect(html).not.toContain(`${path}/save`);
    expect((await forms.get(`/memberships/${plan.priceId}`)).status).toBe(200);
  });

  it('counts the minimum of one whose amount is free to choose, where that can be paid', async () => {
    const plan = await newPlan(test, tenant, '2.00', { freeAmount: true });
    const { path } = await cartWith({ plan, amount: '5.00' });
    expect((await pageOf(path)).words).toContain(
      `With ${await nameOf(plan)} (From €2) this cart would cost €7 instead of €12.50: you would save €5.50.`,
    );
    await test.removeAccount(tenant);
    expect((await pageOf(path)).words).not.toContain('you would save');
  });

  it('names it beside a membership of the cart only when it saves more', async () => {
    const [sold, free] = [await newPlan(test, tenant, '2.00'), await newPlan(test, tenant, '0.00')];
    const better = await cartWith({ plan: sold, amount: '4.00' }, { plan: free, amount: '5.00' });
    const both = (await pageOf(better.path)).words;
    for (const text of ['you save €6.50', 'you would save €7.50']) expect(both).toContain(text);
    const worse = await cartWith({ plan: sold, amount: '4.00' }, { plan: free, amount: '9.00' });
    const one = (await pageOf(worse.path)).words;
    expect(one).toContain('you save €6.50');
    expect(one).not.toContain('you would save');
  });

  it('does not name what nobody can join, or the visitor has', async () => {
    const plan = await newPlan(test, tenant, '0.00');
    const { path } = await cartWith({ plan, amount: '5.00' });
    await inside(() => test.app.get(MembershipsService).create({ priceId: plan.priceId, email: 'nora@example.org' }));
    const signedIn = await new AccountVisits(test, tenant).signIn('nora@example.org');
    const { words } = await pageOf(path, signedIn);
    expect(words).toContain('With the prices for members this cart costs €5');
    expect(words).not.toContain('you would save');
    await sql(`update price set sales_until = now() - interval '1 hour' where id = $1`, [plan.priceId]);
    expect((await pageOf(path)).words).not.toContain('you would save');
  });
});
