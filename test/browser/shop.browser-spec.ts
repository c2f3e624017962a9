import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HolderLinks } from '#booking';
import { PaymentAccountsService } from '#payments';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type { BrowserContext, Page } from 'playwright-core';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { StripeServer } from '../support/stripe-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { pageFaults } from './page-faults.js';

/** A host that does not exist: only that the browser goes there matters. */
const checkout = 'https://checkout.invalid';
const phone = { width: 390, height: 844 };

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
  checker = await chromium.browser.newContext({ bypassCSP: true, viewport: phone });
  base = `http://${tenant.host}:${test.port}`;
  const keys = { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret };
  await test.inside(tenant, async () => {
    await test.app.get(PaymentAccountsService).save(keys);
    await test.app
      .get(TenantDb)
      .transaction((tx) =>
        tx.query('insert into configuration (id, pay_at_venue_hours) values (1, 1) on conflict (id) do update set pay_at_venue_hours = 1'),
      );
  });
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
  await stripe?.stop();
});

/** A phone, and what its browser refused. */
async function openPhone(javaScriptEnabled: boolean): Promise<{ page: Page; refused: string[]; close: () => Promise<void> }> {
  const context = await chromium.browser.newContext({ locale: 'en-GB', javaScriptEnabled, viewport: phone });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    // Ignores Chromium's messages about responses of 400 and more, and about the host that does not exist.
    if (!/the server responded with a status of|ERR_NAME_NOT_RESOLVED/.test(message.text())) refused.push(message.text());
  });
  page.on('pageerror', (error) => refused.push(error.message));
  return { page, refused, close: () => context.close() };
}

describe('booking on a phone', () => {
  it('leads to the checkout and to the tickets with the keyboard alone, with scripts', async () => {
    const event = await newEvent(test, tenant, { capacity: 8 });
    const free = await newPrice(test, tenant, event.id, { name: 'Support', amount: '5.00', freeAmount: true });
    const { page, refused, close } = await openPhone(true);
    await page.goto(`${base}/event/${event.slug}`);
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.focus(`#q-${event.priceId}`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.inputValue(`#q-${event.priceId}`)).toBe('2');
    await page.fill(`#q-${free}`, '1');
    await page.fill(`#a-${free}`, '1');
    await page.press(`#a-${free}`, 'Enter');
    await page.locator('.summary').waitFor();
    expect(await page.inputValue(`#q-${event.priceId}`)).toBe('2');
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.fill(`#a-${free}`, '7,50');
    await page.press(`#a-${free}`, 'Enter');
    await page.waitForURL('**/order/**');
    await page.locator('[data-clock]:has-text(":")').waitFor();
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.press('#email', 'Enter');
    await page.locator('.summary').waitFor();
    await page.locator('.summary:focus').waitFor();
    await page.fill('#email', 'ada@example.org');
    const [paying] = await Promise.all([
      page.waitForRequest((request) => request.url().startsWith(checkout)),
      page.press('#email', 'Enter'),
    ]);
    expect(paying.isNavigationRequest()).toBe(true);
    const asked = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!.parameters;
    const back = new URL(asked['success_url']!);
    // Chromium may still be on the way to its error page, because the host of the checkout does not exist.
    await vi.waitFor(() => page.goto(`${base}${back.pathname}${back.search}`), 20_000);
    await page.locator('[data-again]').waitFor();
    const [session] = [...stripe.sessions.values()].slice(-1);
    await stripe.deliver(stripe.pay(session!.id), `http://127.0.0.1:${test.port}/payments/stripe/`, tenant.host);
    // The page looks again by itself.
    await page.locator('.tickets svg').first().waitFor();
    expect(await page.locator('.tickets svg').count()).toBe(3);
    expect(refused).toEqual([]);
    await close();
  });

  it('reserves tickets to pay at the venue, without scripts', async () => {
    const event = await newEvent(test, tenant, { startsAt: new Date(Date.now() + 5 * 3_600_000) });
    const { page, refused, close } = await openPhone(false);
    await page.goto(`${base}/event/${event.slug}`);
    await page.click('form.booking button.button');
    await page.fill('#email', 'ada@example.org');
    await page.check('#payment-venue');
    await page.click('form.order button.button');
    await page.locator('.step').waitFor();
    expect(await page.locator('.step').textContent()).toContain('Once you have confirmed, they are kept until');
    expect(await pageFaults(page, checker)).toEqual([]);
    // The link of the mail.
    const reservationId = page.url().split('/')[4] as string;
    await page.goto(base + (await test.inside(tenant, async () => test.app.get(HolderLinks).pathTo({ reservationId }))));
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.click('form[action$="/confirm"] button');
    await page.waitForURL('**/reservation/**');
    await page.getByText('Pay at the venue.').waitFor();
    expect(await pageFaults(page, checker)).toEqual([]);
    expect(refused).toEqual([]);
    await close();
  });
});
