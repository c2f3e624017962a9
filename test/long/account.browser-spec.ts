import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { CardsService } from '#cards';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { AccountVisits } from '../support/accounts.js';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { inLongRuns } from '../support/long-run.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from '../browser/chromium.js';
import { Keyboard } from '../browser/keyboard.js';
import { pageFaults } from '../browser/page-faults.js';
import { visit, visitTimeout } from '../browser/visitor-pages.js';
import { giveTicket } from '../support/given-tickets.js';

const email = 'ada@example.org';

let test: TestApp;
let tenant: TenantIdentity;
let chromium: TestBrowser;
let checker: BrowserContext;
let visits: AccountVisits;
let base: string;
/** The page of an event with a price for members. */
let slug: string;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  tenant = await test.newTenant({ language: 'en' });
  visits = new AccountVisits(test, tenant);
  checker = await chromium.browser.newContext({ bypassCSP: true, viewport: { width: 390, height: 844 } });
  base = `http://${tenant.host}:${test.port}`;
  slug = await fillAccount();
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

/** Bookings of each kind, a membership and a card. @returns the slug of an event with a price for members */
async function fillAccount(): Promise<string> {
  const day = (count: number): Date => new Date(Date.now() + count * 86_400_000);
  const soon = await newEvent(test, tenant, { name: 'Night of the long improvised quartets', startsAt: day(3) });
  const other = await newEvent(test, tenant, { name: 'Open stage', startsAt: day(8) });
  await book(test, tenant, soon, { email, confirmed: true, quantity: 2 });
  await book(test, tenant, other, { email });
  const gift = await book(test, tenant, other, { confirmed: true });
  const past = await newEvent(test, tenant, { name: 'Matinée', startsAt: day(2) });
  await book(test, tenant, past, { email, confirmed: true });
  await visits.sql(`update event set starts_at = now() - interval '3 days' where id = $1`, [past.id]);
  const productId = await test.inside(tenant, async () => {
    await giveTicket(test.app, gift.tickets[0]!, { email, firstName: 'Ada', lastName: '' });
    const product = await test.app.get(ProductsService).create({ name: 'Friends of the house', category: 'A', published: true });
    const year = { productId: product.id, name: 'Year', amount: '0.00', subscriptionType: 'Y', published: true } as const;
    const price = await test.app.get(PricesService).create(year);
    await test.app.get(MembershipsService).create({ priceId: price.id, email });
    return product.id;
  });
  await test.app.get(CardsService).create({ tag: randomBytes(7).toString('hex'), number: 'N-77', ownerEmail: email });
  await newPrice(test, tenant, soon.id, { name: 'Members', amount: '0.00', requiredMembershipId: productId });
  return soon.slug;
}

describe.each(inLongRuns([true, false], [true]))('the account, with scripts: %s', (javaScriptEnabled) => {
  it('is opened with the keyboard alone, shows a price for members, and is left', async () => {
    const context = await chromium.browser.newContext({ locale: 'en-GB', javaScriptEnabled, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (!message.text().includes('the server responded with a status of')) refused.push(message.text());
    });
    await page.goto(base);
    const keys = new Keyboard(page);
    await keys.go('header a[href="/account"]');
    await page.waitForURL('**/account');
    await keys.go('#email');
    await keys.focused('.summary');
    expect(await pageFaults(page, checker)).toEqual([]);
    // A script asks about an address with a likely typing error, and about no other.
    const doubted = { 'ada@gmial.com': 'ada@gmail.com', 'ada@hotmail.con': 'ada@hotmail.com', 'ada@laposte.fr': 'ada@laposte.net' };
    for (const [typed, meant] of Object.entries(javaScriptEnabled ? doubted : {})) {
      await page.fill('#email', typed);
      await page.keyboard.press('Tab');
      expect(await page.textContent('.doubt button')).toBe(`Did you mean ${meant}?`);
      expect(await pageFaults(page, checker)).toEqual([]);
      await page.click('.doubt button');
      expect(await page.inputValue('#email')).toBe(meant);
    }
    for (const typed of ['ada@mail.com', 'ada@gmx.at', 'ada@example.org', '']) {
      await page.fill('#email', typed);
      await page.keyboard.press('Tab');
      expect(await page.locator('.doubt button').count()).toBe(0);
    }
    await keys.type('#email', email);
    await keys.press('Enter');
    await page.locator('.step').waitFor();
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.goto(base + (await visits.linkFor(email)));
    expect(await pageFaults(page, checker)).toEqual([]);
    await keys.go('.step button');
    await page.locator('#coming').waitFor();
    expect(await page.textContent('main')).toContain(`You are signed in as ${email}.`);
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.goto(`${base}/event/${slug}`);
    expect(await page.textContent('main')).toContain('You are signed in as a member.');
    await page.goto(`${base}/account/erase`);
    expect(await page.textContent('main')).toContain('You have upcoming bookings');
    await keys.go('.back a');
    await page.waitForURL('**/account');
    await keys.go('main button.quiet');
    await page.locator('#email').waitFor();
    expect(refused).toEqual([]);
    await context.close();
  }, 60_000);
});

describe('the pages of an account', () => {
  it(
    'fit phones and desks, and have no findings of axe',
    async () => {
      expect(await visit(chromium, base, 'account-1-ask', '/account')).toEqual([]);
      const link = await visits.linkFor(email);
      expect(await visit(chromium, base, 'account-2-open', link)).toEqual([]);
      const [name, value] = (await visits.signIn(email)).split('=') as [string, string];
      const signedIn = (path: string) => async (page: Page, home: string) => {
        await page.context().addCookies([{ name, value, url: home }]);
        await page.goto(home + path);
      };
      expect(await visit(chromium, base, 'account-3-page', signedIn('/account'))).toEqual([]);
      expect(await visit(chromium, base, 'account-4-event', signedIn(`/event/${slug}`))).toEqual([]);
      expect(await visit(chromium, base, 'account-5-refused', signedIn('/account/erase'))).toEqual([]);
      await visits.sql(`update event set starts_at = now() - interval '3 days', ends_at = null`);
      expect(await visit(chromium, base, 'account-6-erase', signedIn('/account/erase'))).toEqual([]);
    },
    visitTimeout,
  );
});
