import { describe, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { ShopVenue } from './shop-venue.js';

const venue = new ShopVenue();

/** The page of a paid reservation of one ticket. */
async function sold(): Promise<string> {
  const event = await newEvent(venue.test, venue.tenant);
  const { id } = await book(venue.test, venue.tenant, event, { confirmed: true, paymentMethod: 'cash' });
  return venue.pathOf(id);
}

describe("the holder's page", () => {
  it('opens without a network after the first visit, alone, until the visitor signs out', async () => {
    const [path, other] = [await sold(), await sold()];
    const context = await venue.chromium.browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(venue.base + path);
    const kept = () => page.evaluate(() => caches.keys());
    await eventually(async () => expect(await kept()).toEqual([`pass ${path}`]));
    const names = () =>
      page.evaluate(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname), `pass ${path}`);
    await eventually(async () => expect(await names()).toContain(path));
    expect((await names()).filter((name) => name !== path && !name.startsWith('/assets/'))).toEqual([]);

    await context.setOffline(true);
    await page.reload();
    expect(await page.locator('.pass-code svg').count()).toBe(1);
    expect(await page.locator('.pass-code').evaluate((code) => getComputedStyle(code).backgroundColor)).toBe('rgb(255, 255, 255)');
    for (const foreign of [other, '/', `${path}/cancel`])
      await expect(page.goto(venue.base + foreign)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');

    await context.setOffline(false);
    await page.goto(`${venue.base}/account`);
    // What a signed-in visitor has on this page.
    await page.evaluate(() => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = '/account/sign-out';
      form.id = 'leave';
      document.body.append(form);
      const script = document.querySelector<HTMLScriptElement>('script[src^="/assets/pass."]')!;
      const again = document.createElement('script');
      again.src = script.src;
      document.head.append(again);
      return new Promise((resolve) => again.addEventListener('load', resolve));
    });
    await page.evaluate(() => document.querySelector<HTMLFormElement>('#leave')!.requestSubmit());
    // The page changes meanwhile.
    await eventually(async () => expect(await kept()).toEqual([]));
    await page.waitForLoadState();
    await context.setOffline(true);
    await expect(page.goto(venue.base + path)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    await context.close();
  });
});
