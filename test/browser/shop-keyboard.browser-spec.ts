import { ReservationChangesService } from '#tickets';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { freeEvent } from '../support/cart-forms.js';
import { inLongRuns } from '../support/long-run.js';
import { WaitingLists } from '../support/waiting-list.js';
import { Keyboard } from './keyboard.js';
import { ShopVenue, type Buyer } from './shop-venue.js';

const venue = new ShopVenue();
/** What axe finds is looked at elsewhere. */
const phones = [true, false].map((javaScriptEnabled) => ({ width: 390, javaScriptEnabled, axe: false }));
const withScripts = inLongRuns(phones, phones.slice(0, 1));
const withoutScripts = inLongRuns(phones, phones.slice(1));

beforeAll(() =>
  venue.sql(`insert into configuration (id, terms, pay_at_venue_hours) values (1, '<p>No refunds</p>', 1)
    on conflict (id) do update set terms = excluded.terms, pay_at_venue_hours = 1`),
);

/** Pays with Enter in the contact form, and returns. */
async function pay(buyer: Buyer, keys: Keyboard): Promise<void> {
  const paid = await buyer.payBy(() => keys.press('Enter'));
  await venue.deliver(venue.stripe.pay(paid.id));
  await buyer.comeBack(paid);
}

describe('by keyboard alone', () => {
  it.concurrent.each(withScripts)(
    'tickets are chosen, refused, corrected and paid, scripts $javaScriptEnabled',
    async (seen) => {
      const startsAt = new Date(Date.now() + 5 * 3_600_000);
      const event = await newEvent(venue.test, venue.tenant, { capacity: 8, startsAt });
      const free = await newPrice(venue.test, venue.tenant, event.id, { name: 'Support', amount: '5.00', freeAmount: true });
      const buyer = await venue.buyer(seen);
      const keys = new Keyboard(buyer.page);
      await buyer.open('/');
      // Past the links of the top and the filters.
      await keys.go('.skip');
      await keys.go(`main a[href="/event/${event.slug}"]`);
      await keys.reach(`#q-${event.priceId}`);
      if (seen.javaScriptEnabled) {
        // The button beside the field.
        await keys.press('Tab');
        await keys.press('Enter');
        await keys.press('Space');
      } else await keys.press('ArrowUp').then(() => keys.press('ArrowUp'));
      expect(await buyer.page.inputValue(`#q-${event.priceId}`)).toBe('2');
      await keys.type(`#q-${free}`, '1');
      await keys.type(`#a-${free}`, '1');
      await keys.press('Enter');
      await keys.focused('.summary');
      // The link of the summary leads to the field.
      await keys.go(`.summary a[href="#a-${free}"]`);
      await keys.focused(`#a-${free}`);
      await keys.press('Control+A');
      await buyer.page.keyboard.type('7,50');
      await keys.go('form.booking button.go');
      await buyer.page.waitForURL('**/order/**');
      await keys.reach('#email');
      await keys.press('Enter');
      await keys.focused('.summary');
      await keys.type('#email', 'ada@example.org');
      await keys.reach('#payment-online');
      // Arrows choose between the ways to pay.
      await keys.press('ArrowDown');
      expect(await buyer.page.isChecked('#payment-venue')).toBe(true);
      await keys.press('ArrowUp');
      await keys.reach('#terms');
      await keys.press('Space');
      await keys.reach('#email', 'Shift+Tab');
      await keys.reach('form.order button.button');
      await pay(buyer, keys);
      await keys.go('.done .button');
      await buyer.page.locator('.tickets svg').first().waitFor();
      expect(await buyer.page.locator('.tickets svg').count()).toBe(3);
      await buyer.leave();
    },
    240_000,
  );

  it.concurrent.each(withoutScripts)(
    'a cart is filled, shortened and paid, scripts $javaScriptEnabled',
    async (seen) => {
      const events = [await newEvent(venue.test, venue.tenant), await newEvent(venue.test, venue.tenant)];
      const buyer = await venue.buyer(seen);
      const keys = new Keyboard(buyer.page);
      for (const event of events) {
        await buyer.open(`/event/${event.slug}`);
        await keys.type(`#q-${event.priceId}`, '2');
        await keys.go('button[formaction]');
        await buyer.page.waitForURL('**/cart/**');
      }
      await keys.go('.part:nth-of-type(2) button.link');
      await buyer.page.locator('.part >> nth=1').waitFor({ state: 'detached' });
      await keys.go('.ways .button');
      await keys.type('#email', 'ada@example.org');
      await keys.reach('#terms');
      await keys.press('Space');
      await keys.reach('form.order button.button');
      await pay(buyer, keys);
      await buyer.page.locator('a[href^="/reservation/"]').waitFor();
      await keys.go('a[href^="/reservation/"]');
      await buyer.page.locator('.tickets svg').first().waitFor();
      expect(await buyer.page.locator('.tickets svg').count()).toBe(2);
      await buyer.leave();
    },
    240_000,
  );

  it.concurrent.each(withScripts)(
    'a ticket is given to somebody else, scripts $javaScriptEnabled',
    async (seen) => {
      const event = await newEvent(venue.test, venue.tenant);
      const paid = { confirmed: true, paymentMethod: 'cash', quantity: 2 } as const;
      const { id, tickets } = await book(venue.test, venue.tenant, event, paid);
      const buyer = await venue.buyer(seen);
      const keys = new Keyboard(buyer.page);
      await buyer.open(await venue.pathOf(id));
      await keys.go('#ticket-1 .turn a');
      await keys.go(`#ticket-2 a[href$="${tickets[1]!.id}/transfer"]`);
      await keys.reach('#email');
      await keys.press('Enter');
      await keys.focused('.summary');
      await keys.type('#email', 'zoe@elsewhere.example');
      await keys.type('#first_name', 'Zoë');
      await keys.go('form.part button.button');
      // Looks at it once more before the mail is sent.
      await buyer.page.locator('input[type=hidden][name=email]').waitFor({ state: 'attached' });
      await keys.go('form[action$="/transfer"] button.button');
      await buyer.page.locator('#ticket-2:has-text("has not accepted yet")').waitFor();
      await buyer.leave();
    },
    240_000,
  );

  it.concurrent.each(withoutScripts)(
    'a place on the waiting list is taken, and booked when it is offered, scripts $javaScriptEnabled',
    async (seen) => {
      const { test, tenant } = venue;
      const startsAt = new Date(Date.now() + 30 * 86_400_000);
      const event = await freeEvent(test, tenant, 1, { startsAt });
      const sale = await book(test, tenant, event, { confirmed: true });
      const email = `grace-${seen.javaScriptEnabled}@example.org`;
      const buyer = await venue.buyer(seen);
      const keys = new Keyboard(buyer.page);
      await buyer.open(`/event/${event.slug}`);
      await keys.reach('#wait-price');
      for (let presses = 0; (await buyer.page.inputValue('#wait-price')) !== event.priceId && presses < 5; presses += 1)
        await keys.press('ArrowDown');
      expect(await buyer.page.inputValue('#wait-price')).toBe(event.priceId);
      await keys.type('#wait-email', email);
      await keys.press('Enter');
      await buyer.page.locator('.step').waitFor();
      const lists = new WaitingLists(test, tenant);
      const [entry] = await lists.rows(event.id);
      await buyer.open(await lists.pathTo(entry!.id));
      await keys.go('form[action$="/confirm"] button');
      await buyer.page.locator('form[action$="/leave"] button').waitFor();
      await venue.inside(() => test.app.get(ReservationChangesService).cancel(sale.id, { reason: 'staff' }));
      await lists.serve(event.id);
      await buyer.page.reload();
      await keys.go('form[action$="/book"] button');
      await buyer.page.locator('.passes svg').waitFor();
      expect(await venue.bookedOf(event.id)).toBe(1);
      await buyer.leave();
    },
    240_000,
  );
});
