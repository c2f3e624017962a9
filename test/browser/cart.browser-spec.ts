import { describe, expect, it } from '@jest/globals';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { atDesk, onPhone, seenAs, ShopVenue, type Buyer, type Look } from './shop-venue.js';

const venue = new ShopVenue();
/** The texts of another language have other lengths. */
const withLocale = (look: Look): Look => ({ ...look, locale: look.javaScriptEnabled ? 'en-GB' : 'de-DE' });

/** Adds two tickets of each event to the cart. */
async function collect(buyer: Buyer, events: readonly { readonly slug: string; readonly priceId: string }[]): Promise<void> {
  for (const event of events) {
    await buyer.open(`/event/${event.slug}`);
    if (event === events[0]) await buyer.look('cart-0-event');
    await buyer.page.fill(`#q-${event.priceId}`, '2');
    await buyer.page.click('button[formaction]');
    await buyer.page.waitForURL('**/cart/**');
  }
}

/** Pays for the cart whose contact form is shown, and returns. @returns the amount in cents */
async function pay(buyer: Buyer, email: string): Promise<number> {
  await buyer.page.fill('#email', email);
  const paid = await buyer.payBy(() => buyer.page.press('#email', 'Enter'));
  await venue.deliver(venue.stripe.pay(paid.id));
  await buyer.comeBack(paid);
  return paid.amount;
}

describe('a cart', () => {
  it.concurrent.each(onPhone.map(withLocale))(
    `sells two events in one order, $locale, ${seenAs}`,
    async (seen) => {
      const { test, tenant } = venue;
      const events = [await newEvent(test, tenant), await newEvent(test, tenant), await newEvent(test, tenant)];
      const buyer = await venue.buyer(seen);
      const { page } = buyer;
      await collect(buyer, events);
      expect(await page.locator('.part').count()).toBe(3);
      await buyer.look('cart-1-parts');
      await page.locator('.part .link').first().click();
      await page.locator('.part >> nth=2').waitFor({ state: 'detached' });
      expect(await page.locator('.part').count()).toBe(2);
      // The cart is found again from any event.
      await buyer.open(`/event/${events[0]!.slug}`);
      await page.click('a[href="/cart"]');
      await page.click('.ways .button');
      await page.locator('#email').waitFor();
      await buyer.look('cart-2-contact');
      expect(await pay(buyer, 'ada@example.org')).toBe(5000);
      expect(await page.locator('a[href^="/reservation/"]').count()).toBe(2);
      await buyer.look('cart-3-done');
      await buyer.open('/cart');
      await buyer.look('cart-4-after');
      await buyer.leave();
    },
    240_000,
  );

  it.concurrent.each(atDesk.map(withLocale))(
    `sells a membership with the tickets that it makes cheaper, $locale, ${seenAs}`,
    async (seen) => {
      const { test, tenant } = venue;
      const plan = await newPlan(test, tenant, '20.00');
      const events = [await newEvent(test, tenant), await newEvent(test, tenant)];
      for (const event of events) await newMemberPrice(test, tenant, event, plan, '5.00');
      const shirt = await newPrice(test, tenant, events[0]!.id, { name: 'Size M', amount: '15.00' }, 'T');
      const buyer = await venue.buyer(seen);
      const { page } = buyer;
      await collect(buyer, events);
      await buyer.look('saving-1-cart');
      await page.click('.ways a[href="/shop"]');
      await page.fill(`#q-${shirt}`, '1');
      await buyer.look('saving-2-shop');
      await page.click(`form:has(#q-${shirt}) button.button`);
      await page.waitForURL('**/cart/**');
      await page.click('form[action$="/save"] button');
      await page.locator('form[action$="/save"]').waitFor({ state: 'detached' });
      expect(await page.locator('.part').count()).toBe(3);
      await buyer.look('saving-3-saved');
      // Without the membership, the tickets stay.
      await page.locator('.part .link').last().click();
      await page.locator('.part a[href="/memberships"]').first().waitFor();
      await buyer.look('saving-4-without-membership');
      await page.locator('.part a[href="/memberships"]').first().click();
      await page.locator(`form[action="/cart/membership/${plan.priceId}"]`).waitFor();
      await buyer.look('saving-5-memberships');
      await page.click(`form[action="/cart/membership/${plan.priceId}"] button`);
      await page.waitForURL('**/cart/**');
      await page.click('.ways .button');
      await page.locator('#email').waitFor();
      await buyer.look('saving-6-contact');
      expect(await pay(buyer, `grace-${seen.width}-${seen.javaScriptEnabled}@example.org`)).toBe(5500);
      expect(await page.locator('a[href^="/membership/"]').count()).toBe(1);
      await buyer.look('saving-7-done');
      await buyer.leave();
    },
    240_000,
  );
});
