import { JobRunner } from '#jobs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { atDesk, onPhone, seenAs, ShopVenue, type Buyer, type Checkout, type Look } from './shop-venue.js';

const venue = new ShopVenue();

beforeAll(() => venue.test.app.get(JobRunner).start());

type SoldEvent = Awaited<ReturnType<typeof newEvent>>;

interface Bought {
  readonly buyer: Buyer;
  readonly event: SoldEvent;
  readonly id: string;
  /** The path of the order before its payment. */
  readonly path: string;
  readonly checkout: Checkout;
}

/** Buys two tickets up to the page of the payment provider. */
async function buy(seen: Look): Promise<Bought> {
  const event = await newEvent(venue.test, venue.tenant);
  const buyer = await venue.buyer(seen);
  const { page } = buyer;
  await buyer.open(`/event/${event.slug}`);
  await page.fill(`#q-${event.priceId}`, '2');
  await page.click('form.booking button.go');
  await page.waitForURL('**/order/**');
  await page.fill('#email', 'ada@example.org');
  const { pathname } = new URL(page.url());
  const id = buyer.order;
  const checkout = await buyer.payBy(() => page.click('form.order button.button'));
  return { buyer, event, id, path: pathname, checkout };
}

/** The page after the order leads to the tickets. */
async function showTickets({ page }: Buyer): Promise<void> {
  const done = page.locator('.done .button').first();
  await done.or(page.locator('.tickets svg').first()).waitFor();
  if (await done.isVisible()) await done.click();
  await page.locator('.tickets svg').first().waitFor();
}

/** The tickets stand there once, and the money was taken once, also when the buyer goes back to the order. */
async function expectOnce({ buyer, event, id, path, checkout }: Bought): Promise<void> {
  const { stripe, test, tenant, sql } = venue;
  for (const again of [(): Promise<unknown> => buyer.page.reload(), (): Promise<unknown> => buyer.open(path)]) {
    await again();
    await showTickets(buyer);
    expect(await buyer.page.locator('.tickets svg').count()).toBe(2);
    expect(await buyer.page.locator('[data-again]').count()).toBe(0);
  }
  expect(await sql('select kind, status, amount from payment where reservation_id = $1', [id])).toEqual([
    { kind: 'payment', status: 'paid', amount: '25.00' },
  ]);
  expect(await ticketsBy(test, tenant, event.id)).toEqual({ K: 2 });
  const reference = stripe.sessions.get(checkout.id)!['client_reference_id'];
  const paid = [...stripe.sessions.values()].filter((session) => session['client_reference_id'] === reference);
  expect(paid.map(({ id: session, payment_status: status }) => [session, status])).toEqual([[checkout.id, 'paid']]);
  const charges = [...stripe.charges.values()].filter(({ payment_intent: of }) => of === paid[0]!.payment_intent);
  expect(charges).toMatchObject([{ amount: 2500, amount_refunded: 0 }]);
}

describe('a payment whose event', () => {
  it.concurrent.each(onPhone)(
    `is lost shows the tickets on the page to which the buyer returns; the event that arrives late and twice changes nothing, ${seenAs}`,
    async (seen) => {
      const bought = await buy(seen);
      const { buyer, checkout } = bought;
      const lost = venue.stripe.pay(checkout.id);
      await buyer.comeBack(checkout);
      // The page waits, the server asks the provider, and the page looks again.
      await showTickets(buyer);
      await expectOnce(bought);
      for (const { status } of await Promise.all([lost, lost].map(venue.deliver))) expect(status).toBe(200);
      await expectOnce(bought);
      await buyer.leave();
    },
    240_000,
  );

  it.concurrent.each(atDesk)(
    `comes twice at once, before the ones that precede it, shows the tickets once, ${seenAs}`,
    async (seen) => {
      const { stripe, deliver } = venue;
      const bought = await buy(seen);
      const { buyer, checkout } = bought;
      // A bank confirms the payment later; its event overtakes the one of the checkout.
      const first = stripe.payLater(checkout.id);
      await buyer.comeBack(checkout);
      await buyer.page.locator('.step').waitFor();
      expect(await buyer.page.locator('.tickets svg').count()).toBe(0);
      const second = stripe.settle(checkout.id, 'succeeded');
      expect((await Promise.all([second, second].map(deliver))).map(({ status }) => status)).toEqual([200, 200]);
      await showTickets(buyer);
      await expectOnce(bought);
      const expired = stripe.event('checkout.session.expired', { ...stripe.sessions.get(checkout.id), status: 'expired' });
      for (const late of [first, expired, first, second]) expect((await deliver(late)).status).toBe(200);
      await expectOnce(bought);
      await buyer.leave();
    },
    240_000,
  );
});
