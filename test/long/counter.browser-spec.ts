import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, PostalAddressesService } from '#catalogue';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { inLongRuns } from '../support/long-run.js';
import { printedCodes } from '../support/pdf-codes.js';
import { openPanelVenue, picture, type PanelVenue } from '../browser/panel-venue.js';

let panel: PanelVenue;

beforeAll(async () => {
  panel = await openPanelVenue();
});
afterAll(() => panel?.close());

async function newNight(name: string): Promise<{ id: string }> {
  const { test, venue } = panel;
  const event = await newEvent(test, venue, { name, startsAt: new Date('2041-07-01T18:30:00Z') });
  await newPrice(test, venue, event.id, { name: 'T-shirt', amount: '20' }, 'T');
  await test.inside(venue, async () => {
    const address = {
      name: 'Salle des fêtes',
      streetAddress: '12 rue de la Paix',
      addressLocality: 'Lyon',
      postalCode: '69001',
      addressCountry: 'FR',
    };
    const { id } = await test.app.get(PostalAddressesService).create(address);
    await test.app.get(EventsService).update(event.id, { postalAddressId: id });
  });
  return event;
}

/** The text of each printed ticket and the decoded content of its QR code. */
async function onPaper(page: Page): Promise<{ text: string; code: string; width: number }[]> {
  await page.emulateMedia({ media: 'print' });
  const found = [];
  for (const item of await page.locator('.gt-sold-tickets li').all()) {
    const image = await sharp(await item.locator('img').screenshot())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = image.info;
    const box = await item.locator('img').boundingBox();
    found.push({
      text: await item.innerText(),
      code: decodeQr({ width, height, data: image.data }),
      // A CSS pixel is 1/96 inch.
      width: ((box?.width ?? 0) * 25.4) / 96,
    });
  }
  await page.emulateMedia({ media: 'screen' });
  return found;
}

const languages = [
  {
    locale: 'en-GB',
    width: 1280,
    print: 'Print tickets',
    open: 'Open the reservation',
    item: 'T-shirt',
    handOut: 'Hand out',
    undo: 'Undo the hand-out',
    reason: 'Reason',
    done: 'Handed out',
    undone: 'it can be handed out again',
    date: /Monday,? 1 July 2041 at 20:30/,
    free: 'No e-mail address',
  },
  {
    locale: 'fr-FR',
    width: 390,
    print: 'Imprimer les billets',
    open: 'Ouvrir la réservation',
    item: 'T-shirt',
    handOut: 'Remettre',
    undo: 'Annuler la remise',
    reason: 'Motif',
    done: 'Remis',
    undone: 'peut être remis à nouveau',
    date: /lundi 1 juillet 2041 à 20 h 30/,
    free: 'Sans adresse e-mail',
  },
];

describe('the counter in Chromium', () => {
  it.each(inLongRuns(languages, languages.slice(1)))(
    'sells without an address, prints, hands out a T-shirt and undoes it ($locale, $width px)',
    async (words) => {
      const event = await newNight(`Night ${words.locale}`);
      const watch = await panel.open(words.locale);
      const { page } = watch;
      await page.setViewportSize({ width: words.width, height: 860 });
      const shot = (name: string): Promise<void> => picture(page, `counter-${name}-${words.width}`);
      await page.goto(panel.address(`/resources/reservations/actions/sell?event=${event.id}`));
      await page.waitForSelector('.gt-step-more');
      for (const more of await page.locator('.gt-step-more').all()) await more.click();
      await shot('sale');
      await page.locator('.gt-pay button').first().click();
      await page.waitForSelector('.gt-sold-tickets img.gt-qr');
      expect(await page.textContent('.gt-sold-head')).toContain(words.free);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(words.width);
      await shot('sold');

      const paper = await onPaper(page);
      expect(paper).toHaveLength(2);
      const print = page.getByRole('link', { name: words.print });
      const [type, bytes] = await print.evaluate(async (link) => {
        const answer = await fetch((link as unknown as { href: string }).href);
        return [answer.headers.get('content-type'), [...new Uint8Array(await answer.arrayBuffer())]] as const;
      });
      expect(type).toBe('application/pdf');
      const [codes] = printedCodes(Buffer.from(bytes));
      expect(codes!.map(({ text }) => text)).toEqual(paper.map(({ code }) => code));
      for (const { text, width } of paper) {
        expect(text).toContain(`Night ${words.locale}`);
        expect(text).toMatch(words.date);
        expect(text).toContain('Salle des fêtes, 12 rue de la Paix, 69001 Lyon');
        expect(text).toMatch(/[0-9A-F]{8}/);
        expect(width).toBeGreaterThan(30);
      }

      await page.getByRole('link', { name: words.open }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await shot('reservation');
      await page.locator(`.gt-related li:has-text("${words.item}") a`).click();
      await page.getByRole('link', { name: words.handOut, exact: true }).waitFor();
      await shot('item');
      await page.getByRole('link', { name: words.handOut, exact: true }).click();
      await page.waitForSelector('.gt-action-form button[type=submit]');
      await shot('hand-out');
      await page.getByRole('button', { name: words.handOut, exact: true }).click();
      await page.locator('.gt-notice-success', { hasText: words.done }).waitFor();
      await shot('handed-out');
      await page.getByRole('link', { name: words.undo }).click();
      await page.getByRole('button', { name: words.undo }).waitFor();
      await shot('undo');
      await page.getByLabel(words.reason).fill('Wrong size');
      await page.getByRole('button', { name: words.undo }).click();
      await page.locator('.gt-notice-success', { hasText: words.undone }).waitFor();
      await page.getByRole('link', { name: words.handOut, exact: true }).waitFor();
      await shot('undone');
      expect(watch.faults).toEqual([]);
      await page.close();
    },
  );

  it('does not split a ticket between two pages when the page itself is printed', async () => {
    const event = await newNight('Many');
    const { page } = await panel.open('en-GB', `/resources/reservations/actions/sell?event=${event.id}`);
    await page.locator('.gt-stepper input').first().fill('12');
    await page.locator('.gt-pay button').first().click();
    await page.waitForSelector('.gt-sold-tickets img.gt-qr');
    const folder = process.env['SCREENSHOTS'];
    const file = await page.pdf({ format: 'A4', ...(folder && { path: `${folder}/counter-paper.pdf` }) });
    const { text } = await extractText(new Uint8Array(file));
    expect(text.length).toBeGreaterThan(1);
    const counts = text.map((some) =>
      [/July 2041/g, /Salle des fêtes/g, /Full price/g, /Reference/g].map((said) => some.match(said)?.length ?? 0),
    );
    for (const [first = 0, ...others] of counts) expect(others).toEqual([first, first, first]);
    expect(counts.reduce((sum, [first = 0]) => sum + first, 0)).toBe(12);
    await page.close();
  });
});
