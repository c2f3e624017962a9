import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newEvent } from '../support/builders.js';
import { accessFaults, overhang } from './page-faults.js';
import { openPanelVenue, picture, type PanelVenue } from './panel-venue.js';

let panel: PanelVenue;

beforeAll(async () => {
  panel = await openPanelVenue('Harbour House');
  await newEvent(panel.test, panel.venue, { name: 'Harbour Night' });
});
afterAll(() => panel?.close());

it('shows colour, type and corners in the preview while staff choose them, and keeps them when they are saved', async () => {
  const { page, faults } = await panel.open('en-GB', '/resources/profile/records/profile/look');
  const frame = page.frameLocator('.gt-look-preview iframe');
  await frame.locator('html[data-type="programme"][data-corners="square"]').waitFor();
  const before = await page.evaluate<number>('history.length');
  await page.fill('.gt-look-colour input[type="color"]', '#1f6b46');
  expect(await page.inputValue('#accentColour')).toBe('#1f6b46');
  await page.click('label:has-text("Affiche")');
  await page.click('label:has-text("Round")');
  await frame.locator('html[data-type="affiche"][data-corners="round"] link[href*=".1f6b46.css"]').waitFor({ state: 'attached' });
  await page.click('label:has-text("Page of an event")');
  await frame.locator('h1:has-text("Harbour Night")').waitFor();
  // The style sheet of the colour applies within the sandbox, links lead nowhere, and choosing adds no step to the history.
  const fill = frame.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--fill'));
  expect(await fill).toBe('#1f6b46');
  await frame.locator('a[href="/"]').first().click();
  expect(await frame.locator('h1').textContent()).toContain('Harbour Night');
  expect(await page.evaluate<number>('history.length')).toBe(before);
  expect(await accessFaults(page, '.gt-look form')).toEqual([]);
  await picture(page, 'page-look-1-desk');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await overhang(page)).toBe(0);
  await picture(page, 'page-look-2-phone');
  await page.click('button:text-is("Save")');
  await page.waitForSelector('text=The look of the pages is saved');
  const shown = await panel.test.on(panel.venue).get('/');
  expect(shown.text).toContain('data-type="affiche" data-corners="round"');
  // The browser says that it opened no new tab, and axe asks the frame, which runs no scripts.
  expect(faults.filter((fault) => !/sandbox|postMessage/.test(fault))).toEqual([]);
});
