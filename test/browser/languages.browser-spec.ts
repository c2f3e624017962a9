import { EventsService } from '#catalogue';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPanelVenue, picture, type PanelVenue } from './panel-venue.js';

let venue: PanelVenue;
beforeAll(async () => {
  venue = await openPanelVenue();
  await venue.test.inside(venue.venue, async () => {
    const { app } = venue.test;
    const startsAt = new Date(Date.now() + 3 * 24 * 3_600_000);
    await app.get(EventsService).create({ name: 'Kammerkonzert', startsAt });
  });
});
afterAll(() => venue.close());

const sizes = [
  ['phone', { width: 360, height: 740 }],
  ['desk', { width: 1280, height: 900 }],
] as const;

describe('the choice of a language', () => {
  it('changes the panel at the same address, and the public pages of the same browser', async () => {
    const { page, faults, still } = await venue.open('en-GB', '/resources/events?filters.name=Kammer');
    const list = page.url();
    await page.selectOption('#panel-language', 'de');
    await page.waitForSelector('html[lang=de]');
    await page.waitForSelector('h1');
    expect(page.url()).toBe(list);
    expect(await page.textContent('h1')).toContain('Veranstaltungen');
    for (const path of ['', '/resources/events', '/resources/reservations']) {
      await page.goto(venue.address(path));
      await page.waitForSelector('h1');
      await still();
      for (const [width, size] of sizes) {
        await page.setViewportSize(size);
        await picture(page, `de-${width}-panel${path.replaceAll('/', '-')}`);
        const excess = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect([path, width, excess]).toEqual([path, width, 0]);
      }
    }
    for (const name of ['event', 'agenda']) {
      await page.goto(new URL('/', page.url()).href);
      if (name === 'event') await page.goto(new URL((await page.getAttribute('main a[href^="/event/"]', 'href'))!, page.url()).href);
      expect(await page.getAttribute('html', 'lang')).toBe('de');
      for (const [width, size] of sizes) {
        await page.setViewportSize(size);
        await picture(page, `de-${width}-page-${name}`);
      }
    }
    const link = page.getByRole('link', { name: 'Español' });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await link.click();
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    expect(new URL(page.url()).search).toBe('');
    expect(faults).toEqual([]);
  });
});
