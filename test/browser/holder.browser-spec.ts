import { HolderLinks, ReservationsService } from '#booking';
import type { TenantIdentity } from '#tenancy';
import { WalletAccountsService } from '#wallet';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newApple, newGoogle } from '../support/wallet-keys.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { pageFaults } from './page-faults.js';

const phone = { width: 390, height: 844 };
const folder = process.env['SCREENSHOTS'];

let test: TestApp;
let venue: TenantIdentity;
let chromium: TestBrowser;
let base: string;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  venue = await test.newTenant({ name: 'Le Hangar', language: 'en' });
  await test.inside(venue, () => test.app.get(WalletAccountsService).saveApple(newApple()));
  await test.inside(venue, () => test.app.get(WalletAccountsService).saveGoogle(newGoogle()));
  base = `http://${venue.host}:${test.port}`;
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

async function open(options: BrowserContextOptions): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await chromium.browser.newContext(options);
  return { page: await context.newPage(), close: () => context.close() };
}

async function keep(page: Page, name: string, fullPage = true): Promise<void> {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage });
}

/** The page of a paid reservation of three tickets. */
async function sold(): Promise<{ path: string; id: string }> {
  const event = await newEvent(test, venue, { name: 'Nuit du jazz: trio Łukasiewicz', startsAt: new Date(Date.now() + 864_000_000) });
  const paid = { confirmed: true, paymentMethod: 'cash', firstName: 'Ada', lastName: 'Martin', email: 'ada@example.org' } as const;
  const { id } = await book(test, venue, event, { quantity: 3, ...paid });
  return { id, path: await test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ reservationId: id })) };
}

describe("the holder's page on a phone", () => {
  it('turns from ticket to ticket, renames and gives one away without scripts, in both colour schemes', async () => {
    const { id, path } = await sold();
    const { page, close } = await open({ locale: 'en-GB', javaScriptEnabled: false, viewport: phone });
    await page.goto(base + path);
    const code = page.locator('#ticket-1 .code svg');
    expect((await code.boundingBox())!.width).toBeGreaterThan(300);
    for (const name of ['Add to Apple Wallet', 'Add to Google Wallet'])
      expect((await page.locator('#ticket-1').getByRole('link', { name }).boundingBox())!.height).toBeGreaterThan(43);
    await page.getByRole('link', { name: 'Next ticket' }).first().click();
    const second = page.locator('#ticket-2');
    await expect.poll(async () => Math.round((await second.boundingBox())!.x)).toBeLessThan(30);
    await second.getByRole('link', { name: 'Change the name' }).click();
    await page.getByLabel('First name').fill('Zoë');
    await keep(page, 'rename-en');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => second.locator('.who').textContent()).toContain('Zoë');
    await second.getByRole('link', { name: 'Give to somebody else' }).click();
    await page.getByLabel('E-mail address of the new holder').fill('zoe@elsewhere.example');
    await page.getByLabel('First name').fill('Zoë');
    await keep(page, 'transfer-en');
    await page.getByRole('button', { name: 'Give the ticket away' }).click();
    await expect.poll(() => second.textContent()).toContain('Given to z•••@e•••.example');
    expect(await second.locator('svg').count()).toBe(0);
    await close();

    const ticketId = (await test.inside(venue, async () => (await test.app.get(ReservationsService).find(id))!.tickets[1]!)).id;
    const given = await test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ ticketId }, 1));
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const locale of ['en-GB', 'de-DE']) {
        const seen = await open({ locale, viewport: phone, colorScheme, bypassCSP: true });
        for (const [name, address] of [
          ['reservation', path],
          ['ticket', given],
          ['transfer', `${given}/transfer`],
          ['cancel', `${path}/cancel`],
        ] as const) {
          await seen.page.goto(base + address);
          expect([name, locale, colorScheme, ...(await pageFaults(seen.page))]).toEqual([name, locale, colorScheme]);
          await keep(seen.page, `${name}-${locale}-${colorScheme}`);
        }
        await seen.close();
      }
    }
    const desk = await open({ locale: 'fr-FR', viewport: { width: 1280, height: 900 }, bypassCSP: true });
    for (const [name, address] of [
      ['reservation', path],
      ['ticket', given],
      ['transfer', `${given}/transfer`],
      ['cancel', `${path}/cancel`],
    ] as const) {
      await desk.page.goto(base + address);
      expect([name, ...(await pageFaults(desk.page))]).toEqual([name]);
      await keep(desk.page, `desk-${name}-fr`);
    }
    await desk.close();
  }, 240_000);
});
