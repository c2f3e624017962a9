import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReservationChangesService } from '#tickets';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { inLongRuns } from '../support/long-run.js';
import { openPanelVenue, picture, type PanelVenue } from './panel-venue.js';

let panel: PanelVenue;

beforeAll(async () => {
  panel = await openPanelVenue();
  const { test, venue } = panel;
  const event = await newEvent(test, venue, { name: 'The long night of the short songs' });
  for (const [firstName, paymentMethod, quantity] of [
    ['Ada', 'cash', 1],
    ['Grace', 'card', 2],
    ['Zoé', 'cash', 3],
  ] as const) {
    const { id } = await book(test, venue, event, { firstName, lastName: 'Example', quantity, confirmed: true, paymentMethod });
    await test.inside(venue, () => test.app.get(ReservationChangesService).cancel(id, { reason: 'event', note: 'Flooded' }));
  }
});
afterAll(() => panel?.close());

const visits = [
  ['en-GB', 1280, 'refunds to make by hand', 'Sum: €75.00', 'Record several refunds', 'Record as refunded'],
  ['fr-FR', 390, 'à faire à la main', 'Total\u00a0: 25,00', 'Noter plusieurs remboursements', 'Noter comme remboursé'],
] as const;

describe('refunds in Chromium', () => {
  it.each(inLongRuns(visits, visits.slice(0, 1)))(
    'are settled together, from the start page (%s, %d px)',
    async (locale, width, due, sum, settle, note) => {
      const watch = await panel.open(locale);
      const { page } = watch;
      await page.setViewportSize({ width, height: 800 });
      await picture(page, `refunds-start-${width}`);
      await page.click(`.gt-alerts a:has-text("${due}")`);
      await page.waitForSelector('.gt-list-sum');
      expect(await page.textContent('.gt-list-sum')).toContain(sum);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await picture(page, `refunds-list-${width}`);
      await page.click(`text="${settle}"`);
      await page.waitForSelector('input[type=checkbox]');
      await picture(page, `refunds-settle-${width}`);
      await page.click('input[type=checkbox] >> nth=0');
      if (width > 1000) await page.click('input[type=checkbox] >> nth=-1');
      await page.click(`button:has-text("${note}")`);
      await page.waitForSelector('.gt-list-sum, .gt-nothing');
      await picture(page, `refunds-after-${width}`);
      expect(watch.faults).toEqual([]);
      await page.close();
    },
  );
});
