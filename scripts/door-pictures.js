/**
 * Takes the pictures of docs/scanning.md from the scanner app's own cards in Chromium: one for each verdict. Part of `npm run pictures`.
 * Needs the compiled libs and the development packages.
 */
import { join } from 'node:path';
import packaged from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { root } from './build-if-stale.js';
import { doorCards } from './door-cards.js';

/** Card of each verdict. */
const cards = { go: 'go-notes', out: 'out', ask: 'not_in_list', member: 'member', stop: 'already_scanned', just: 'just' };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? (await packaged.executablePath()),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, timezoneId: 'Europe/Paris' });
  const body = await doorCards();
  await page.route('http://cards.localhost/', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.clock.setFixedTime(new Date('2027-06-18T19:42:07+02:00'));
  await page.goto('http://cards.localhost/');
  await page.evaluate(`drawCards('en')`);
  for (const [verdict, card] of Object.entries(cards)) {
    const picture = await page.locator(`.phone[data-name="${card}"]`).screenshot();
    await sharp(picture)
      .resize(260)
      .webp({ quality: 80 })
      .toFile(join(root, 'docs/pictures', `door-${verdict}.webp`));
  }
} finally {
  await browser.close();
}
