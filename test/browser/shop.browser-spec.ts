import { MembershipsService } from '#memberships';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AccountVisits } from '../support/accounts.js';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { atDesk, onPhone, seenAs, ShopVenue } from './shop-venue.js';

const venue = new ShopVenue();

beforeAll(() =>
  venue.sql('insert into configuration (id, pay_at_venue_hours) values (1, 1) on conflict (id) do update set pay_at_venue_hours = 1'),
);

describe('booking', () => {
  it.concurrent.each([true, false])(
    'has the lowest price and the next step in a bar of a phone, scripts %p',
    async (javaScriptEnabled) => {
      const { test, tenant } = venue;
      const event = await newEvent(test, tenant, { capacity: 8 });
      const reduced = await newPrice(test, tenant, event.id, { name: 'Reduced', amount: '5.00' });
      const buyer = await venue.buyer({ width: 390, javaScriptEnabled, axe: false });
      const { page } = buyer;
      await buyer.open(`/event/${event.slug}`);
      const bar = page.locator('.stub');
      expect((await bar.innerText()).split('\n')).toEqual(['From €5', 'Choose tickets']);
      expect((await bar.boundingBox())!.y).toBeLessThan(page.viewportSize()!.height);
      await bar.getByText('Choose tickets').click();
      // The first number shows that it is meant.
      if (javaScriptEnabled) expect(await page.locator('.stepper[style*=outline] button:focus').count()).toBe(1);
      else expect(page.url()).toMatch(/#tickets$/);
      await page.fill(`#q-${reduced}`, '3');
      const said = javaScriptEnabled ? ['3 tickets', '€15', 'Continue'] : ['From €5', 'Continue'];
      expect((await bar.innerText()).split('\n')).toEqual(said);
      await bar.getByRole('button').click();
      await page.waitForURL('**/order/**');
    },
    90_000,
  );

  it('has the prices beside the story on a desk', async () => {
    const { test, tenant } = venue;
    const event = await newEvent(test, tenant, { capacity: 8 });
    const buyer = await venue.buyer({ width: 1280, javaScriptEnabled: false, axe: false });
    const { page } = buyer;
    await buyer.open(`/event/${event.slug}`);
    const [name, number, button] = await Promise.all(
      ['h1', '.stepper', '.stub .go'].map(async (part) => (await page.locator(part).first().boundingBox())!),
    );
    expect(number!.x).toBeGreaterThan(name!.x + name!.width);
    expect(button!.y + button!.height).toBeLessThan(page.viewportSize()!.height);
    expect(await page.locator('.choose').isVisible()).toBe(false);
  });

  it.concurrent.each(onPhone)(
    `leads members to the checkout and to their tickets, at the full, the members’ and a free price, ${seenAs}`,
    async (seen) => {
      const { test, tenant } = venue;
      const email = `ada-${seen.width}-${seen.javaScriptEnabled}@example.org`;
      const event = await newEvent(test, tenant, { capacity: 8 });
      const plan = await newPlan(test, tenant, '0.00');
      const members = await newMemberPrice(test, tenant, event, plan, '5.00');
      const free = await newPrice(test, tenant, event.id, { name: 'Support', amount: '5.00', freeAmount: true });
      await venue.inside(() => test.app.get(MembershipsService).create({ priceId: plan.priceId, email }));
      const buyer = await venue.buyer(seen);
      const { page } = buyer;
      await buyer.open(await new AccountVisits(test, tenant).linkFor(email));
      await page.click('.step button');
      await page.locator('#coming').waitFor();
      await buyer.open(`/event/${event.slug}`);
      expect(await buyer.text()).toContain('You are signed in as a member.');
      await buyer.look('shop-1-event');
      // Nothing is chosen: the button of a phone leads to the prices, the key sends the form.
      await page.press(`#q-${event.priceId}`, 'Enter');
      await page.locator('.summary').waitFor();
      const colourOf = (part: string) => page.evaluate<string>(`getComputedStyle(document.querySelector('${part}')).color`);
      expect(await colourOf('#tickets-fault')).not.toBe(await colourOf('body'));
      await page.fill(`#q-${event.priceId}`, '1');
      await page.fill(`#q-${members}`, '1');
      await page.fill(`#q-${free}`, '1');
      await page.fill(`#a-${free}`, '1');
      await page.click('form.booking button.go');
      await page.locator('.summary').waitFor();
      expect(await page.inputValue(`#q-${members}`)).toBe('1');
      await buyer.look('shop-2-refused');
      await page.fill(`#a-${free}`, '7,50');
      await page.press(`#a-${free}`, 'Enter');
      await page.waitForURL('**/order/**');
      if (seen.javaScriptEnabled) await page.locator('[data-clock]:has-text("Time left: 14:")').waitFor();
      await buyer.look('shop-3-contact');
      expect(await page.inputValue('#email')).toBe(email);
      await page.fill('#email', '');
      await page.press('#email', 'Enter');
      await page.locator('.summary').waitFor();
      await page.fill('#email', email);
      const paid = await buyer.payBy(() => page.click('form.order button.button'));
      expect(paid.amount).toBe(2500);
      await buyer.comeBack(paid);
      await page.locator('[data-again]').waitFor();
      await buyer.look('shop-4-waiting');
      await venue.deliver(venue.stripe.pay(paid.id));
      // The page looks again by itself.
      await page.locator('.done').waitFor();
      await buyer.look('shop-5-done');
      await page.click('.done .button');
      await page.locator('.tickets svg').first().waitFor();
      expect(await page.locator('.tickets svg').count()).toBe(3);
      await buyer.look('shop-6-tickets');
      await buyer.leave();
    },
    240_000,
  );

  it.concurrent.each(atDesk)(
    `reserves tickets to pay at the venue, ${seenAs}`,
    async (seen) => {
      const event = await newEvent(venue.test, venue.tenant, { startsAt: new Date(Date.now() + 5 * 3_600_000) });
      const buyer = await venue.buyer(seen);
      const { page } = buyer;
      await buyer.open(`/event/${event.slug}`);
      await page.click('form.booking button.go');
      await page.fill('#email', `grace-${seen.width}-${seen.javaScriptEnabled}@example.org`);
      await page.check('#payment-venue');
      await page.click('form.order button.button');
      await page.locator('.inbox').waitFor();
      expect(await page.locator('.inbox').textContent()).toContain('Once you have confirmed, your order is kept until');
      await buyer.look('venue-1-sent');
      // The link of the mail.
      await buyer.open(await venue.pathOf(buyer.order));
      await buyer.look('venue-2-confirm');
      await page.click('form[action$="/confirm"] button');
      await page.waitForURL('**/reservation/**');
      await page.getByRole('heading', { name: /reserved/ }).waitFor();
      await buyer.look('venue-3-reserved');
      await buyer.leave();
    },
    240_000,
  );
});
