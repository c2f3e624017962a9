import { ReservationChangesService } from '#tickets';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { freeEvent } from '../support/cart-forms.js';
import { endHold } from '../support/drafts.js';
import { WaitingLists } from '../support/waiting-list.js';
import { atDesk, onPhone, seenAs, ShopVenue } from './shop-venue.js';

const venue = new ShopVenue();
const { sql } = venue;
const inAMonth = (): { startsAt: Date } => ({ startsAt: new Date(Date.now() + 30 * 86_400_000) });

beforeAll(() =>
  sql(`insert into configuration (id, terms) values (1, '<p>No refunds</p>') on conflict (id) do update set terms = excluded.terms`),
);

describe('buyers of the last places', () => {
  it.concurrent.each(onPhone)(
    `read what is still possible, lose neither text nor places, book, and cancel, ${seenAs}`,
    async (seen) => {
      const { test, tenant } = venue;
      // Addresses that were verified are not asked again.
      const ada = `ada-${seen.width}-${seen.javaScriptEnabled}@example.org`;
      const event = await freeEvent(test, tenant, 3, inAMonth());
      const buyer = await venue.buyer(seen);
      const { page } = buyer;
      await buyer.open(`/event/${event.slug}`);
      await page.fill(`#q-${event.priceId}`, '3');
      // Sold between the pages.
      await book(test, tenant, event, { confirmed: true });
      await page.click('form.booking button.go');
      await page.locator('.summary').waitFor();
      expect(await page.locator('.summary').textContent()).toContain('Only 2 are left.');
      expect(await page.inputValue(`#q-${event.priceId}`)).toBe('3');
      await buyer.look('last-1-few');
      await page.fill(`#q-${event.priceId}`, '2');
      await page.click('form.booking button.go');
      await page.waitForURL('**/order/**');

      // The hold ends while the buyer fills in the last page.
      if (seen.javaScriptEnabled) {
        await page.clock.install();
        await page.reload();
      }
      await page.fill('#email', 'ada@');
      await page.fill('#first_name', 'Ada');
      await endHold(test, tenant, buyer.order);
      if (seen.javaScriptEnabled) {
        await page.clock.fastForward('01:00:00');
        await page.locator('.hold [aria-live]:has-text("The time has ended.")').waitFor({ state: 'attached' });
      }
      await page.press('#email', 'Enter');
      await page.locator('.summary').waitFor();
      expect(await page.locator('.summary a').count()).toBe(2);
      expect([await page.inputValue('#email'), await page.inputValue('#first_name')]).toEqual(['ada@', 'Ada']);
      expect(await buyer.text()).toContain('Your tickets were held until');
      await buyer.look('last-2-hold-ended');
      await page.fill('#email', ada);
      await page.check('#terms');
      await page.press('#email', 'Enter');
      await page.locator('.inbox').waitFor();
      // A reload of the last page, and the pages behind the Back button, book nothing else.
      const id = buyer.order;
      await page.reload();
      await page.locator('.inbox').waitFor();
      expect(await sql('select id from reservation where event_id = $1 and email = $2', [event.id, ada])).toEqual([{ id }]);

      // The link of the mail.
      await buyer.open(await venue.pathOf(id));
      await page.click('form[action$="/confirm"] button');
      expect(await buyer.text()).toContain('You’re in!');
      await page.click('.done .button');
      await page.locator('.passes svg').first().waitFor();
      expect(await page.locator('.passes svg').count()).toBe(2);
      await page.locator('#ticket-2').getByRole('link', { name: 'Cancel the ticket' }).click();
      expect(await buyer.text()).toContain('Nothing was paid');
      await page.getByRole('button', { name: 'Yes, cancel' }).click();
      await page.locator('#ticket-2:not(:has(.pass-code))').waitFor();
      expect(await page.locator('.passes svg').count()).toBe(1);
      expect(await venue.bookedOf(event.id)).toBe(2);
      await buyer.leave();
    },
    240_000,
  );

  it.concurrent.each(atDesk)(
    `keep what they typed when the last place is gone, wait, and book the place that becomes free with one click, ${seenAs}`,
    async (seen) => {
      const { test, tenant } = venue;
      const grace = `grace-${seen.width}-${seen.javaScriptEnabled}@example.org`;
      const event = await freeEvent(test, tenant, 1, inAMonth());
      const buyer = await venue.buyer(seen);
      const { page } = buyer;
      await buyer.open(`/event/${event.slug}`);
      await page.fill(`#q-${event.priceId}`, '1');
      await page.click('form.booking button.go');
      await page.waitForURL('**/order/**');
      await endHold(test, tenant, buyer.order);
      const sale = await book(test, tenant, event, { confirmed: true });
      await page.fill('#email', grace);
      await page.fill('#first_name', 'Grace');
      await page.check('#terms');
      await page.press('#email', 'Enter');
      await page.locator('.summary').waitFor();
      expect(await buyer.text()).toContain('There are none left. Choose other tickets.');
      expect(await page.inputValue('#first_name')).toBe('Grace');
      expect(await page.isChecked('#terms')).toBe(true);

      await buyer.open(`/event/${event.slug}`);
      // Browsers keep the page of an event for up to a minute.
      await page.reload();
      expect(await buyer.text()).toContain('Sold out');
      await page.selectOption('#wait-price', event.priceId);
      await page.fill('#wait-email', grace);
      await page.press('#wait-email', 'Enter');
      await page.locator('.step').waitFor();
      const lists = new WaitingLists(test, tenant);
      const entry = (await lists.rows(event.id)).find(({ email }) => email === grace)!.id;
      await buyer.open(await lists.pathTo(entry));
      await page.click('form[action$="/confirm"] button');
      await page.locator('form[action$="/leave"] button').waitFor();
      await test.inside(tenant, () => test.app.get(ReservationChangesService).cancel(sale.id, { reason: 'staff' }));
      await lists.serve(event.id);
      await page.reload();
      await page.click('form[action$="/book"] button');
      await page.locator('.passes svg').waitFor();
      expect(await venue.bookedOf(event.id)).toBe(1);
      await buyer.leave();
    },
    240_000,
  );
});
