import { MembershipsService } from '#booking';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountVisits } from '../support/accounts.js';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newPlan } from '../support/membership-plans.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let visits: AccountVisits;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'en' });
  visits = new AccountVisits(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

describe('a free price for members', () => {
  it('gives tickets at once to the member who is signed in; who only knows the address of a member does not get them', async () => {
    const { productId, priceId } = await newPlan(test, tenant, '0.00');
    await test.inside(tenant, () => test.app.get(MembershipsService).create({ priceId, email: 'nora@example.org' }));
    const event = await newEvent(test, tenant);
    const forMembers = await newPrice(test, tenant, event.id, { name: 'Members', amount: '0.00', requiredMembershipId: productId });
    const cookie = await visits.signIn('nora@example.org');
    const other = await visits.signIn('nils@example.org');
    const book = async (session: string, email = 'nora@example.org'): Promise<string> => {
      const path = await visits.forms.begin(event.slug, forMembers, '1');
      await visits.forms.complete(path, { email }, session);
      return path;
    };
    expect((await visits.forms.get(await book(cookie, ' Nora@example.org'))).headers['location']).toContain('/reservation/');
    for (const session of ['', other]) {
      const page = await visits.forms.get(await book(session));
      expect([page.status, page.headers['location'], page.text.includes('the link to confirm')]).toEqual([200, undefined, true]);
    }
    const states = await visits.sql<{ status: string }>(
      `select status from reservation where event_id = $1 and not is_draft order by created_at`,
      [event.id],
    );
    expect(states.map(({ status }) => status === 'F')).toEqual([false, true, true]);
  });
});
