import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentAccountsService } from '#payments';
import { PlaceProfileService } from '#places';
import { emailKey, ReservationsService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newPlan } from '../support/membership-plans.js';
import type { TestApp } from '../support/test-app.js';
import { StripeServer } from '../support/stripe-server.js';
import { SumUpServer } from '../support/sumup-server.js';
import { openPanelVenue, picture, type PanelVenue } from './panel-venue.js';

let stripe: StripeServer;
let sumUp: SumUpServer;
let panel: PanelVenue;
let test: TestApp;
let venue: TenantIdentity;

beforeAll(async () => {
  stripe = await StripeServer.start();
  sumUp = await SumUpServer.start();
  panel = await openPanelVenue('Venue', { STRIPE_API_BASE: stripe.url, SUMUP_API_BASE: sumUp.url });
  ({ test, venue } = panel);
});
afterAll(async () => {
  await panel?.close();
  await stripe?.stop();
  await sumUp?.stop();
});

const sales = (email: string): Promise<number> =>
  test.inside(venue, async () => {
    let tickets = 0;
    await test.app.get(ReservationsService).each({ emailKey: emailKey(email) }, (some) => {
      for (const reservation of some) tickets += reservation.tickets.length;
    });
    return tickets;
  });

const sellElsewhere = (event: { id: string; priceId: string }): Promise<unknown> => book(test, venue, event, { confirmed: true });

describe('the box office in Chromium', () => {
  it('sells a ticket in under five clicks from the start page, on a phone', async () => {
    await newEvent(test, venue, { name: 'Tonight', startsAt: new Date() });
    const watch = await panel.open('en-GB');
    const { page } = watch;
    await page.setViewportSize({ width: 390, height: 800 });
    let clicks = 0;
    const click = async (selector: string): Promise<void> => {
      clicks += 1;
      await page.click(selector);
    };
    await click('.gt-event a:has-text("Sell tickets")');
    await click('.gt-step-more');
    await click('#email');
    await page.keyboard.type('phone@example.org');
    await click('.gt-pay button:has-text("Cash €12.50")');
    await page.waitForSelector('.gt-sold-tickets img.gt-qr');
    await picture(page, 'box-office-sold-phone');
    expect(clicks).toBeLessThan(5);
    const wide = await page.evaluate<number>('document.querySelector("img.gt-qr").getBoundingClientRect().width');
    expect(wide).toBeGreaterThan(250);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.textContent('.gt-collect')).toContain('€12.50');
    expect(await sales('phone@example.org')).toBe(1);
    await page.click('button:has-text("Send again")');
    await page.waitForSelector('.gt-notice-success:has-text("The e-mail is written")');

    // The form for the next sale of the same event is empty.
    await page.click('button:has-text("Sell another")');
    await page.waitForSelector('.gt-step-more');
    expect(await page.inputValue('#email')).toBe('');
    expect(await page.inputValue('.gt-stepper input')).toBe('0');
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('sells with the keyboard alone, in French, and focuses the first missing field', async () => {
    const event = await newEvent(test, venue, { name: 'Later', startsAt: new Date(Date.now() + 3 * 86_400_000) });
    const watch = await panel.open('fr-FR', `/resources/reservations/actions/sell?event=${event.id}`);
    const { page } = watch;
    await page.waitForSelector('.gt-stepper input');
    await page.focus('.gt-stepper input');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.fill('#email', 'clavier@');
    // Enter does not say how somebody pays: it leads to the buttons that do.
    await page.keyboard.press('Enter');
    await page.waitForSelector('.gt-pay button:focus');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#email-error');
    await page.waitForSelector('#email:focus');
    await page.keyboard.press('End');
    await page.keyboard.type('example.org');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.gt-pay button:focus');
    // The key of the payment by card.
    await page.keyboard.press('c');
    await page.waitForSelector('.gt-sold-tickets img.gt-qr');
    expect(await page.textContent('h2#sold')).toContain('2 billets vendus');
    expect(await page.textContent('.gt-collect')).toContain('25,00');
    expect(await page.textContent('.gt-collect')).toContain('Carte');
    expect(await sales('clavier@example.org')).toBe(2);
    // One key leads to the next sale, in which one key adds a ticket; nothing of the last sale is left.
    await page.waitForSelector('.gt-header-actions button:focus');
    await page.keyboard.press('n');
    await page.waitForSelector('.gt-step-more:focus');
    expect(await page.inputValue('#email')).toBe('');
    await page.keyboard.press('1');
    await page.keyboard.press('e');
    await page.waitForSelector('#given:focus');
    await page.keyboard.type('20');
    expect(await page.textContent('.gt-change output')).toContain('7,50');
    // It was paid by card: the correction takes effect here, and the change is not asked for any more.
    await page.click('.gt-wrong-method summary');
    await page.click('.gt-wrong-method button:has-text("Carte")');
    await page.waitForSelector('.gt-collect:has-text("Carte")');
    await page.waitForSelector('#given', { state: 'detached' });
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('sells at a free price with an amount that is typed with a comma', async () => {
    const event = await newEvent(test, venue, { name: 'Pay what you want', startsAt: new Date() });
    await newPrice(test, venue, event.id, { name: 'Free price', amount: '5', freeAmount: true });
    const watch = await panel.open('en-GB', `/resources/reservations/actions/sell?event=${event.id}`);
    const { page } = watch;
    await page.fill('.gt-free-amount input', '7,5');
    const line = page.locator('.gt-prices li', { has: page.locator('.gt-free-amount') });
    await line.locator('.gt-step-more').click();
    await line.locator('.gt-step-more').click();
    await page.fill('#email', 'free@example.org');
    expect(await page.textContent('.gt-total strong')).toBe('€15.00');
    await page.fill('.gt-free-amount input', '4');
    await page.click('.gt-pay button');
    await page.waitForSelector('#tickets-error');
    expect(await page.textContent('#tickets-error')).toContain('The minimum amount is 5.00.');
    await page.fill('.gt-free-amount input', '7.50');
    await page.click('.gt-pay button');
    await page.waitForSelector('.gt-sold-tickets img.gt-qr');
    expect(await sales('free@example.org')).toBe(2);
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('sells tickets of two events and a membership to one person, and shows faults where they were chosen', async () => {
    const first = await newEvent(test, venue, { name: 'First night', startsAt: new Date(Date.now() + 5 * 86_400_000) });
    const second = await newEvent(test, venue, { name: 'Second night', startsAt: new Date(Date.now() + 6 * 86_400_000), capacity: 1 });
    await newPlan(test, venue, '30');
    const watch = await panel.open('en-GB', `/resources/reservations/actions/sell?event=${first.id}`);
    const { page } = watch;
    await page.click('.gt-step-more');
    await page.selectOption('#eventId', second.id);
    await page.waitForSelector('.gt-basket:has-text("First night")');
    await page.click('.gt-step-more');
    await page.selectOption('#eventId', 'memberships');
    await page.click('.gt-prices li:has-text("Year") .gt-step-more');
    expect(await page.textContent('.gt-total')).toContain('€55.00');
    await picture(page, 'box-office-basket');
    await page.click('.gt-pay button:has-text("Card €55.00")');
    await page.waitForSelector('#email:focus');
    await page.fill('#email', 'several@example.org');
    await sellElsewhere(second);
    await page.click('.gt-pay button:has-text("Card")');
    // The fault is where its tickets were chosen.
    await page.waitForSelector('#tickets-error:has-text("Not enough places")');
    expect(await page.inputValue('#eventId')).toBe(second.id);
    await page.click('.gt-basket [aria-label="Remove: Second night"]');
    await page.click('.gt-pay button:has-text("Card €42.50")');
    await page.waitForSelector('.gt-sold');
    expect(await page.textContent('.gt-collect')).toContain('€42.50');
    expect(await page.locator('.gt-sold-part').count()).toBe(2);
    await picture(page, 'box-office-sold-several');
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('pairs a card reader, sells when it is paid, and says why it is not', async () => {
    const { secretKey, webhookSecret, intents } = stripe;
    await test.inside(venue, () => test.app.get(PaymentAccountsService).save('stripe', { secretKey, webhookSecret, delayedMethods: 'no' }));
    const address = { streetAddress: '1 rue Haute', postalCode: '69001', city: 'Lyon', country: 'FR' };
    await test.inside(venue, () => test.app.get(PlaceProfileService).change(address));
    const watch = await panel.open('en-GB', '/resources/card-readers');
    const { page } = watch;
    await page.waitForSelector('text=No card reader yet');
    await picture(page, 'card-readers-empty');
    await page.click('a:has-text("Pair a reader")');
    await page.fill('#name', 'Bar');
    await page.fill('#code', 'unknown-code-here');
    await page.click('button:has-text("Pair")');
    await page.waitForSelector('#code-error:has-text("No reader")');
    await picture(page, 'card-readers-pair');
    await page.fill('#code', 'simulated-wpe-bar');
    await page.click('button:has-text("Pair")');
    await page.waitForSelector('.gt-table tbody tr:has-text("Bar")');
    await picture(page, 'card-readers-list');
    const [reader] = [...intents.terminal.readers.keys()] as [string];

    const event = await newEvent(test, venue, { name: 'Tonight at the bar', startsAt: new Date() });
    await page.goto(panel.address(`/resources/reservations/actions/sell?event=${event.id}`));
    await page.click('.gt-step-more');
    await page.fill('#email', 'reader@example.org');
    await picture(page, 'reader-offered');
    await page.click('.gt-pay button:has-text("Reader Bar €12.50")');
    await page.waitForSelector('h2:has-text("Bar asks for €12.50")');
    await picture(page, 'reader-asks');
    intents.terminal.fail(reader, 'card_declined');
    await page.waitForSelector('.gt-collect:has-text("The card was declined.")');
    await picture(page, 'reader-declined');
    await page.click('button:has-text("Ask Bar again")');
    await page.waitForSelector('h2:has-text("Bar asks for")');
    await page.click('button:has-text("Cancel on the reader")');
    await page.waitForSelector('.gt-collect:has-text("The payment was cancelled.")');
    await page.setViewportSize({ width: 390, height: 800 });
    await picture(page, 'reader-cancelled-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.click('button:has-text("Ask Bar again")');
    await page.waitForSelector('h2:has-text("Bar asks for")');
    await picture(page, 'reader-asks-phone');
    intents.terminal.tap(reader);
    await page.waitForSelector('.gt-sold-tickets img.gt-qr');
    await picture(page, 'reader-sold-phone');
    expect(await page.textContent('.gt-collect')).toContain('Paid with the card reader');
    expect(await page.locator('.gt-wrong-method').count()).toBe(0);
    expect(await sales('reader@example.org')).toBe(1);
    expect(intents.terminal.charged).toHaveLength(1);

    // What is not sold at the reader leaves the form as it was.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.click('button:has-text("Sell another")');
    await page.waitForSelector('.gt-step-more:focus');
    await page.keyboard.press('1');
    await page.keyboard.press('r');
    await page.waitForSelector('h2:has-text("Bar asks for")');
    await page.click('button:has-text("Cancel on the reader")');
    await page.click('button:has-text("Do not sell")');
    await page.waitForSelector('.gt-stepper input');
    expect(await page.inputValue('.gt-stepper input')).toBe('1');
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('takes an account with SumUp for its readers, in French, and sells at a Solo', async () => {
    const watch = await panel.open('fr-FR', '/resources/payment-account/actions/add');
    const { page } = watch;
    await page.click('label:has-text("SumUp")');
    await page.waitForSelector('#merchantCode');
    // Buyers read nothing of it.
    expect(await page.locator('#label').count()).toBe(0);
    await page.fill('#apiKey', sumUp.apiKey);
    await page.fill('#merchantCode', 'mh');
    await page.fill('#affiliateKey', sumUp.affiliateKey);
    await page.click('button:has-text("enregistrer")');
    await page.waitForSelector('#merchantCode-error');
    await picture(page, 'sumup-account');
    await page.fill('#merchantCode', sumUp.merchantCode);
    await page.click('button:has-text("enregistrer")');
    await page.waitForSelector('.gt-notice-success:has-text("Associez maintenant un lecteur")');
    await picture(page, 'sumup-account-saved');
    await page.goto(panel.address('/resources/card-readers/actions/pair'));
    await page.click('label:has-text("SumUp")');
    await page.fill('#name', 'Hall');
    await page.fill('#code', 'ABCD1234');
    await page.click('button:has-text("Associer")');
    await page.waitForSelector('#code-error:has-text("Aucun lecteur")');
    await picture(page, 'sumup-pair');
    await page.fill('#code', 'solo-hall');
    await page.click('button:has-text("Associer")');
    await page.waitForSelector('.gt-table tbody tr:has-text("Hall")');
    const [reader] = [...sumUp.readers.keys()] as [string];

    const event = await newEvent(test, venue, { name: 'Ce soir', startsAt: new Date() });
    await page.goto(panel.address(`/resources/reservations/actions/sell?event=${event.id}`));
    await page.click('.gt-step-more');
    await page.fill('#email', 'solo@example.org');
    await page.click('.gt-pay button:has-text("Lecteur Hall")');
    await page.waitForSelector('h2:has-text("Hall demande")');
    await picture(page, 'sumup-asks');
    await page.click('button:has-text("Annuler sur le lecteur")');
    await page.waitForSelector('h2:has-text("Pas payé")');
    await picture(page, 'sumup-cancelled');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.click('button:has-text("Redemander sur Hall")');
    await page.waitForSelector('h2:has-text("Hall demande")');
    await picture(page, 'sumup-asks-phone');
    sumUp.isListingLate = true;
    sumUp.tap(reader);
    await page.waitForSelector('.gt-sold-tickets img.gt-qr');
    await picture(page, 'sumup-sold-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.textContent('.gt-collect')).toContain('Payé au lecteur de cartes');
    expect(await sales('solo@example.org')).toBe(1);
    expect(watch.faults).toEqual([]);
    await page.close();
  });
});
