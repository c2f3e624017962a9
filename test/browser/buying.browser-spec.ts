import { HolderLinks, ReservationChangesService } from '#booking';
import type { TenantIdentity } from '#tenancy';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { endHold } from '../support/drafts.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WaitingLists } from '../support/waiting-list.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { pageFaults } from './page-faults.js';

let test: TestApp;
let tenant: TenantIdentity;
let chromium: TestBrowser;
let checker: BrowserContext;
let base: string;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  tenant = await test.newTenant({ language: 'en' });
  checker = await chromium.browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 900 } });
  base = `http://${tenant.host}:${test.port}`;
  await sql(`insert into configuration (id, terms) values (1, '<p>No refunds</p>') on conflict (id) do update set terms = excluded.terms`);
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

const { sql } = tenantWork(() => ({ test, tenant }));

async function freeEvent(capacity: number): Promise<{ id: string; slug: string; priceId: string }> {
  const { id, slug } = await newEvent(test, tenant, { capacity, startsAt: new Date(Date.now() + 30 * 86_400_000) });
  return { id, slug, priceId: await newPrice(test, tenant, id, { name: 'Entry', amount: '0.00' }) };
}

const pathOf = (reservationId: string): Promise<string> =>
  test.inside(tenant, () => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId })));
const orderIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] as string;
const textOf = async (page: Page): Promise<string> => (await page.textContent('main')) ?? '';

describe.each([
  { width: 1280, javaScriptEnabled: true },
  { width: 390, javaScriptEnabled: false },
])('buyers of the last places, $width px, scripts $javaScriptEnabled', ({ width, javaScriptEnabled }) => {
  let context: BrowserContext;
  let page: Page;
  // Addresses that were verified are not asked again.
  const [ada, grace] = [`ada-${width}@example.org`, `grace-${width}@example.org`];

  beforeAll(async () => {
    context = await chromium.browser.newContext({ locale: 'en-GB', javaScriptEnabled, viewport: { width, height: 900 } });
    page = await context.newPage();
  });
  afterAll(async () => {
    await context.close();
    await expectNoDrift(test, tenant);
  });

  it('read what is still possible, lose neither text nor places, book, and cancel', async () => {
    const event = await freeEvent(3);
    await page.goto(`${base}/event/${event.slug}`);
    await page.fill(`#q-${event.priceId}`, '3');
    // Sold between the pages.
    await book(test, tenant, event, { confirmed: true });
    await page.click('form.booking button.button');
    await page.locator('.summary').waitFor();
    expect(await page.locator('.summary').textContent()).toContain('Only 2 are left.');
    expect(await page.inputValue(`#q-${event.priceId}`)).toBe('3');
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.fill(`#q-${event.priceId}`, '2');
    await page.click('form.booking button.button');
    await page.waitForURL('**/order/**');

    // The hold ends while the buyer fills in the last page.
    await sql(`update reservation set expires_at = now() + interval '3 seconds' where id = $1`, [orderIn(page)]);
    await page.reload();
    await page.fill('#email', 'ada@');
    await page.fill('#first_name', 'Ada');
    if (javaScriptEnabled) await page.locator('.hold [aria-live]:has-text("The time has ended.")').waitFor({ state: 'attached' });
    else await endHold(test, tenant, orderIn(page));
    await page.press('#email', 'Enter');
    await page.locator('.summary').waitFor();
    expect(await page.locator('.summary a').count()).toBe(2);
    expect([await page.inputValue('#email'), await page.inputValue('#first_name')]).toEqual(['ada@', 'Ada']);
    expect(await textOf(page)).toContain('Your tickets were held until');
    expect(await pageFaults(page, checker)).toEqual([]);
    await page.fill('#email', ada);
    await page.check('#terms');
    await page.press('#email', 'Enter');
    await page.locator('.step').waitFor();
    // A reload of the last page, and the pages behind the Back button, book nothing else.
    const id = orderIn(page);
    await page.reload();
    await page.locator('.step').waitFor();
    expect(await sql('select id from reservation where event_id = $1 and email = $2', [event.id, ada])).toEqual([{ id }]);

    // The link of the mail.
    await page.goto(base + (await pathOf(id)));
    await page.click('form[action$="/confirm"] button');
    await page.locator('.passes svg').first().waitFor();
    expect(await page.locator('.passes svg').count()).toBe(2);
    await page.locator('#ticket-2').getByRole('link', { name: 'Cancel the ticket' }).click();
    expect(await textOf(page)).toContain('Nothing was paid');
    await page.getByRole('button', { name: 'Yes, cancel' }).click();
    await page.locator('#ticket-2 .state').waitFor();
    expect(await page.locator('.passes svg').count()).toBe(1);
    expect(await sql('select booked from event where id = $1', [event.id])).toEqual([{ booked: 2 }]);
  }, 60_000);

  it('keep what they typed when the last place is gone, wait, and book the place that becomes free with one click', async () => {
    const event = await freeEvent(1);
    await page.goto(`${base}/event/${event.slug}`);
    await page.click('form.booking button.button');
    await page.waitForURL('**/order/**');
    await endHold(test, tenant, orderIn(page));
    const sale = await book(test, tenant, event, { confirmed: true });
    await page.fill('#email', grace);
    await page.fill('#first_name', 'Grace');
    await page.check('#terms');
    await page.press('#email', 'Enter');
    await page.locator('.summary').waitFor();
    expect(await textOf(page)).toContain('There are none left. Choose other tickets.');
    expect(await page.inputValue('#first_name')).toBe('Grace');
    expect(await page.isChecked('#terms')).toBe(true);

    await page.goto(`${base}/event/${event.slug}`);
    // Browsers keep the page of an event for up to a minute.
    await page.reload();
    expect(await textOf(page)).toContain('Sold out');
    await page.fill('#wait-email', grace);
    await page.press('#wait-email', 'Enter');
    await page.locator('.step').waitFor();
    const lists = new WaitingLists(test, tenant);
    const entry = (await lists.rows(event.id)).find(({ email }) => email === grace)!.id;
    await page.goto(base + (await lists.pathTo(entry)));
    await page.click('form[action$="/confirm"] button');
    await page.locator('form[action$="/leave"] button').waitFor();
    await test.inside(tenant, () => test.app.get(ReservationChangesService).cancel(sale.id, { reason: 'staff' }));
    await lists.serve(event.id);
    await page.reload();
    await page.click('form[action$="/book"] button');
    await page.locator('.passes svg').waitFor();
    expect(await sql('select booked from event where id = $1', [event.id])).toEqual([{ booked: 1 }]);
  }, 60_000);
});
