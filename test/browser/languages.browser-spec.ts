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

const narrow = { width: 360, height: 740 };
const wide = { width: 1280, height: 900 };

describe('the choice of a language', () => {
  it('changes the panel at the same address, and the public pages of the same browser', async () => {
    const { page, faults, still } = await venue.signIn('en-GB');
    const list = venue.address('/resources/events?filters.name=Kammer');
    await page.goto(list);
    await page.selectOption('#panel-language', 'de');
    await page.waitForSelector('html[lang=de]');
    await page.waitForSelector('h1');
    expect(page.url()).toBe(list);
    expect(await page.textContent('h1')).toContain('Veranstaltungen');
    for (const [width, size] of [
      ['phone', narrow],
      ['desk', wide],
    ] as const) {
      await page.setViewportSize(size);
      for (const path of ['', '/resources/events', '/resources/reservations']) {
        await page.goto(venue.address(path));
        await page.waitForSelector('h1');
        await still();
        await picture(page, `de-${width}-panel${path.replaceAll('/', '-')}`);
        const excess = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect([path, excess]).toEqual([path, 0]);
      }
      for (const path of ['/', '/sitemap']) {
        const target = path === '/' ? '/' : await page.getAttribute('main a[href^="/event/"]', 'href');
        await page.goto(new URL(target ?? '/', venue.address('')).href);
        expect(await page.getAttribute('html', 'lang')).toBe('de');
        await picture(page, `de-${width}-page-${path === '/' ? 'agenda' : 'event'}`);
        if (path === '/') continue;
        await page.goto(new URL('/', venue.address('')).href);
      }
      await page.goto(new URL('/', venue.address('')).href);
    }
    const link = page.getByRole('link', { name: 'Español' });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await link.click();
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    expect(new URL(page.url()).search).toBe('');
    expect(faults).toEqual([]);
  });
});
