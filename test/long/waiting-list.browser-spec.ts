import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WaitingLists } from '../support/waiting-list.js';
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

const { sql } = tenantWork(() => ({ test, tenant }));

describe('the pages of a waiting list', () => {
  it(
    'fit phones and desks, and have no findings of axe, in every state',
    async () => {
      const { id, slug } = await newEvent(test, tenant, { capacity: 3, startsAt: new Date(Date.now() + 3 * 86_400_000) });
      const priceId = await newPrice(test, tenant, id, { name: 'Entry', amount: '0.00', stock: 2 });
      await newPrice(test, tenant, id, { name: 'Front row', amount: '0.00', stock: 1 });
      const event = { id, priceId };
      const sale = await book(test, tenant, event, { confirmed: true, quantity: 2 });
      await sql(`update configuration set terms = '<p>No refunds</p>'`);
      expect(await visit(chromium, base, 'waiting-1-event-with-others', `/event/${slug}`)).toEqual([]);
      await sql(`update price set stock = 0 where name = 'Front row'`);
      expect(await visit(chromium, base, 'waiting-2-event', `/event/${slug}`)).toEqual([]);
      const faults = await visit(chromium, base, 'waiting-3-faults', async (page, home) => {
        await page.goto(`${home}/event/${slug}`);
        await page.fill('#wait-email', 'ada');
        await page.click('form.booking button.button');
      });
      expect(faults).toEqual([]);
      const sent = await visit(chromium, base, 'waiting-4-sent', async (page, home) => {
        await page.goto(`${home}/event/${slug}`);
        await page.fill('#wait-email', 'ada@example.org');
        await page.click('form.booking button.button');
        await page.waitForSelector('section.step');
      });
      expect(sent).toEqual([]);
      const lists = new WaitingLists(test, tenant);
      const entry = await lists.join(event, { quantity: 2 });
      const path = await lists.pathTo(entry);
      expect(await visit(chromium, base, 'waiting-5-confirm', path)).toEqual([]);
      await lists.wait(event, { email: (await lists.rows(id)).find((row) => row.id === entry)!.email });
      expect(await visit(chromium, base, 'waiting-6-waiting', path)).toEqual([]);
      await test.inside(tenant, () => test.app.get(ReservationChangesService).cancel(sale.id, { reason: 'holder' }));
      await lists.serve(id);
      expect(await visit(chromium, base, 'waiting-7-offered', path)).toEqual([]);
    },
    visitTimeout,
  );
});
