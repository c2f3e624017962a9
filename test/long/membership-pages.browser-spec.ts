import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { HolderLinks } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from '../browser/chromium.js';
import { visit, visitTimeout } from '../browser/visitor-pages.js';

let test: TestApp;
let tenant: TenantIdentity;
let chromium: TestBrowser;
let base: string;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  tenant = await test.newTenant({ language: 'en' });
  base = `http://${tenant.host}:${test.port}`;
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));

describe('the pages of memberships', () => {
  it(
    'fit phones and desks, and have no findings of axe',
    async () => {
      const [productId, priceId] = await inside(async () => {
        const products = test.app.get(ProductsService);
        const prices = test.app.get(PricesService);
        const friends = await products.create({ name: 'Friends', category: 'A', published: true, shortDescription: 'See concerts first.' });
        const year = { productId: friends.id, subscriptionType: 'Y', published: true } as const;
        await prices.create({ ...year, name: 'Supporter', amount: '50.00' });
        const price = await prices.create({ ...year, name: 'Reduced', amount: '0.00' });
        return [friends.id, price.id];
      });
      await sql(`update configuration set terms = '<p>Be kind</p>'`);
      expect(await visit(chromium, base, 'members-1-offers', '/memberships')).toEqual([]);
      expect(await visit(chromium, base, 'members-2-form', `/memberships/${priceId}`)).toEqual([]);
      const faults = await visit(chromium, base, 'members-3-faults', async (page, home) => {
        await page.goto(`${home}/memberships/${priceId}`);
        await page.click('form.sheet button.button');
        await page.waitForSelector('.summary');
      });
      expect(faults).toEqual([]);
      const event = await newEvent(test, tenant);
      await newPrice(test, tenant, event.id, { name: 'Members', amount: '0.00', requiredMembershipId: productId });
      expect(await visit(chromium, base, 'members-4-event', `/event/${event.slug}`)).toEqual([]);
      const made = await inside(() => test.app.get(MembershipsService).create({ priceId, email: 'ada@example.org', firstName: 'Ada' }));
      const path = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ membershipId: made.id })));
      expect(await visit(chromium, base, 'members-5-renew', `${path}/renew`)).toEqual([]);
      await sql(`update membership set status = 'pending', expires_at = now() + interval '10 minutes' where id = $1`, [made.id]);
      const confirm = path.replace('/membership/', '/memberships/confirm/');
      expect(await visit(chromium, base, 'members-6-confirm', confirm)).toEqual([]);
    },
    visitTimeout,
  );
});
