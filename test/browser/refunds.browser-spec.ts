import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReservationChanges } from '#booking';
import { Users, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type PageWatch, type TestBrowser } from './chromium.js';

let test: TestApp;
let chromium: TestBrowser;
let venue: TenantIdentity;
let person: { email: string; password: string };

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  venue = await test.newTenant({ name: 'Venue' });
  const users = test.app.get(Users);
  const made = await users.create({ email: 'staff@example.org', name: 'Zoé Staff' });
  await users.grant(made.id, { tenantId: venue.id });
  person = made;
  const event = await newEvent(test, venue, { name: 'The long night of the short songs' });
  for (const [firstName, paymentMethod, quantity] of [
    ['Ada', 'cash', 1],
    ['Grace', 'card', 2],
    ['Zoé', 'cash', 3],
  ] as const) {
    // prettier-ignore
    const { id } = await book(test, venue, event, { firstName, lastName: 'Example', quantity, confirmed: true, paymentMethod }); // prettier-ignore
    await test.inside(venue, () => test.app.get(ReservationChanges).cancel(id, { reason: 'event', note: 'Flooded' }));
  }
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

async function signIn(locale: string): Promise<PageWatch> {
  const watch = await watchedPage(chromium.browser, locale);
  const { page } = watch;
  await page.goto(`http://${venue.host}:${test.port}/admin`);
  await page.fill('input[name=email]', person.email);
  await page.fill('input[name=password]', person.password);
  await page.click('button[type=submit]');
  await page.waitForSelector('h1');
  return watch;
}

describe('refunds in Chromium', () => {
  it.each([
    ['en-GB', 1280, 'refunds are to be given back', 'Sum: €75.00', 'Settle several', 'Note as given back'],
    ['fr-FR', 390, 'à rendre à la main', 'Total : 25,00', 'Solder plusieurs', 'Noter comme rendu'],
  ])('lead from the start page to settling several (%s, %d px)', async (locale, width, due, sum, settle, note) => {
    const watch = await signIn(locale);
    const { page } = watch;
    await page.setViewportSize({ width, height: 800 });
    const picture = async (name: string): Promise<void> => {
      const folder = process.env['SCREENSHOTS'];
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    };
    await picture('start');
    await page.click(`.gt-alerts a:has-text("${due}")`);
    await page.waitForSelector('.gt-list-sum');
    expect(await page.textContent('.gt-list-sum')).toContain(sum);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await picture('list');
    await page.click(`text="${settle}"`);
    await page.waitForSelector('input[type=checkbox]');
    await picture('settle');
    await page.click('input[type=checkbox] >> nth=0');
    if (width > 1000) await page.click('input[type=checkbox] >> nth=-1');
    await page.click(`button:has-text("${note}")`);
    await page.waitForSelector('.gt-list-sum, .gt-nothing');
    await picture('after');
    expect(watch.faults).toEqual([]);
    await watch.page.context().close();
  });
});
