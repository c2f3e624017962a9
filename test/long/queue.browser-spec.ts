import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import type { BrowserContext } from 'playwright-core';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { tenantWork } from '../support/tenant-work.js';
import { inLongRuns } from '../support/long-run.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from '../browser/chromium.js';
import { pageFaults } from '../browser/page-faults.js';

const phone = { width: 390, height: 844 };
/** A little more than are let in at the same time, so that the page looks again soon. */
const others = 305;

let test: TestApp;
let tenant: TenantIdentity;
let chromium: TestBrowser;
let checker: BrowserContext;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  tenant = await test.newTenant({ language: 'en' });
  checker = await chromium.browser.newContext({ bypassCSP: true, viewport: phone });
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

const { sql } = tenantWork(() => ({ test, tenant }));

describe('the queue on a phone', () => {
  it.each(inLongRuns([true, false], [true]))(
    'shows the position, has no faults, and leads to the order (scripts: %s)',
    async (scripts) => {
      const event = await newEvent(test, tenant);
      await newPrice(test, tenant, event.id, { name: 'Entry', amount: '0.00' });
      await sql(
        `insert into booking_queue (id, event_id, network, choice, arrived_at, ask_by)
         select gen_random_uuid(), $1::uuid, 'others ' || n, '{"lines":[],"options":[]}', now() - interval '1 minute',
           now() + interval '1 hour' from generate_series(1, $2) n`,
        [event.id, others],
      );
      const context = await chromium.browser.newContext({ locale: 'en-GB', javaScriptEnabled: scripts, viewport: phone });
      const page = await context.newPage();
      const refused: string[] = [];
      page.on('console', (message) => refused.push(message.text()));
      await page.goto(`http://${tenant.host}:${test.port}/event/${event.slug}`);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText(`You are number ${others + 1}.`).waitFor();
      expect(await pageFaults(page, checker)).toEqual([]);
      if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/queue-${scripts}.png`, fullPage: true });
      const address = page.url();
      await page.reload();
      await page.getByText(`You are number ${others + 1}.`).waitFor();
      expect(page.url()).toBe(address);
      if (scripts) {
        // Only the text changes.
        await sql(`update booking_queue set served_at = now() where event_id = $1 and network in ('others 1', 'others 2')`, [event.id]);
        await page.getByText(`You are number ${others - 1}.`).waitFor({ timeout: 45_000 });
      }
      await sql(`update booking_queue set served_at = now() where event_id = $1 and network like 'others %'`, [event.id]);
      await page.waitForURL(/\/order\//, { timeout: 45_000 });
      expect(await page.getByLabel('E-mail address').count()).toBeGreaterThan(0);
      expect(refused).toEqual([]);
      await context.close();
    },
    90_000,
  );
});
