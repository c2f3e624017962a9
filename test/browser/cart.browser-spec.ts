import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PaymentAccountsService } from '#payments';
import type { TenantIdentity } from '#tenancy';
import { mkdirSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { StripeServer } from '../support/stripe-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { pageFaults } from './page-faults.js';

/** A host that does not exist: only that the browser goes there matters. */
const checkout = 'https://checkout.invalid';
/** Folder for pictures of the pages; none are made without it. */
const pictures = process.env['CART_PICTURES'];

let test: TestApp;
let tenant: TenantIdentity;
let stripe: StripeServer;
let chromium: TestBrowser;
let checker: BrowserContext;
let base: string;

beforeAll(async () => {
  stripe = await StripeServer.start();
  stripe.pages = checkout;
  [test, chromium] = await Promise.all([startTestApp({ environment: { STRIPE_API_BASE: stripe.url } }), openChromium()]);
  tenant = await test.newTenant({ language: 'en' });
  checker = await chromium.browser.newContext({ bypassCSP: true, viewport: { width: 390, height: 844 } });
  base = `http://${tenant.host}:${test.port}`;
  const keys = { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret };
  await test.inside(tenant, () => test.app.get(PaymentAccountsService).save(keys));
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
  await stripe?.stop();
});

/** Faults of accessibility, and whether the page is wider than its window. Takes a picture of it. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  }
  return pageFaults(page, checker);
}

const browsers = [
  { locale: 'en-GB', width: 390, javaScriptEnabled: true },
  { locale: 'de-DE', width: 1280, javaScriptEnabled: false },
  ...(pictures
    ? [
        { locale: 'en-GB', width: 1280, javaScriptEnabled: true },
        { locale: 'de-DE', width: 390, javaScriptEnabled: true },
      ]
    : []),
];

/** Pays the checkout that was opened last, and returns to the shop. @returns the amount in cents */
async function payAndReturn(page: Page): Promise<number> {
  const session = [...stripe.sessions.values()].at(-1)!;
  const asked = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!.parameters;
  await stripe.deliver(stripe.pay(session.id), `http://127.0.0.1:${test.port}/payments/stripe/`, tenant.host);
  const back = new URL(asked['success_url']!);
  // Chromium may still be on the way to its error page, because the host of the checkout does not exist.
  await vi.waitFor(() => page.goto(`${base}${back.pathname}${back.search}`), 20_000);
  return session.amount_total;
}

it.each(browsers)(
  'sells two events in one order, $locale, $width px, scripts $javaScriptEnabled',
  async ({ locale, width, javaScriptEnabled }) => {
    const events = [await newEvent(test, tenant), await newEvent(test, tenant), await newEvent(test, tenant)];
    const context = await chromium.browser.newContext({ locale, javaScriptEnabled, viewport: { width, height: 844 } });
    const page = await context.newPage();
    const faults: Record<string, string[]> = {};
    const look = async (name: string): Promise<void> => {
      faults[name] = await faultsOf(page, `${name}-${locale.slice(0, 2)}-${width}`);
    };
    for (const event of events) {
      await page.goto(`${base}/event/${event.slug}`);
      if (event === events[0]) await look('event');
      await page.fill(`#q-${event.priceId}`, '2');
      await page.click('button[formaction]');
      await page.waitForURL('**/cart/**');
    }
    expect(await page.locator('.part').count()).toBe(3);
    await look('cart');
    await page.locator('.part .link').first().click();
    await page.waitForFunction('document.querySelectorAll(".part").length === 2').catch(() => undefined);
    expect(await page.locator('.part').count()).toBe(2);
    // The cart is found again from any event.
    await page.goto(`${base}/event/${events[0]!.slug}`);
    await page.click('a[href="/cart"]');
    await page.click('.ways .button');
    await page.locator('#email').waitFor();
    await look('contact');
    await page.fill('#email', 'ada@example.org');
    const [paying] = await Promise.all([
      page.waitForRequest((request) => request.url().startsWith(checkout)),
      page.press('#email', 'Enter'),
    ]);
    expect(paying.isNavigationRequest()).toBe(true);
    expect(await payAndReturn(page)).toBe(5000);
    expect(await page.locator('a[href^="/reservation/"]').count()).toBe(2);
    await look('done');
    expect(Object.values(faults).flat(), JSON.stringify(faults)).toEqual([]);
    await page.goto(`${base}/cart`);
    await look('after');
    await context.close();
  },
);

it.each(browsers)(
  'sells a membership with the tickets that it makes cheaper, $locale, $width px, scripts $javaScriptEnabled',
  async ({ locale, width, javaScriptEnabled }) => {
    const plan = await newPlan(test, tenant, '20.00');
    const events = [await newEvent(test, tenant), await newEvent(test, tenant)];
    for (const event of events) await newMemberPrice(test, tenant, event, plan, '5.00');
    const shirt = await newPrice(test, tenant, events[0]!.id, { name: 'Size M', amount: '15.00' }, 'T');
    const context = await chromium.browser.newContext({ locale, javaScriptEnabled, viewport: { width, height: 844 } });
    const page = await context.newPage();
    const faults: Record<string, string[]> = {};
    const look = async (name: string): Promise<void> => {
      faults[name] = await faultsOf(page, `${name}-${locale.slice(0, 2)}-${width}`);
    };
    for (const event of events) {
      await page.goto(`${base}/event/${event.slug}`);
      await page.fill(`#q-${event.priceId}`, '2');
      await page.click('button[formaction]');
      await page.waitForURL('**/cart/**');
    }
    await look('saving');
    await page.click('.ways a[href="/shop"]');
    await look('shop');
    await page.fill(`#q-${shirt}`, '1');
    await page.click(`form:has(#q-${shirt}) button.button`);
    await page.waitForURL('**/cart/**');
    await page.click('form[action$="/save"] button');
    await page.locator('form[action$="/save"]').waitFor({ state: 'detached' });
    expect(await page.locator('.part').count()).toBe(3);
    await look('saved');
    // Without the membership, the tickets stay.
    await page.locator('.part .link').last().click();
    await page.locator('.part a[href="/memberships"]').first().waitFor();
    await look('without-membership');
    await page.locator('.part a[href="/memberships"]').first().click();
    await look('memberships');
    await page.click(`form[action="/cart/membership/${plan.priceId}"] button`);
    await page.waitForURL('**/cart/**');
    await page.click('.ways .button');
    await page.fill('#email', 'grace@example.org');
    await look('contact-membership');
    await Promise.all([page.waitForRequest((request) => request.url().startsWith(checkout)), page.press('#email', 'Enter')]);
    expect(await payAndReturn(page)).toBe(5500);
    expect(await page.locator('a[href^="/membership/"]').count()).toBe(1);
    await look('done-membership');
    expect(Object.values(faults).flat(), JSON.stringify(faults)).toEqual([]);
    await context.close();
  },
);
