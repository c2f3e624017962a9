import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessFaults, overhang } from '../browser/page-faults.js';
import { openPanelVenue, picture, type PanelVenue } from '../browser/panel-venue.js';

let panel: PanelVenue;

beforeAll(async () => {
  panel = await openPanelVenue();
});
afterAll(() => panel?.close());

const frameText = 'iframe[name^="mail-preview"]';

/** Waits until the frame shows a text. */
async function shows(page: Page, text: string): Promise<void> {
  await page.frameLocator(frameText).getByText(text).first().waitFor();
}

describe('mail texts in Chromium', () => {
  it('are written beside their preview, saved and listed, at a desk and on a phone', async () => {
    const watch = await panel.open('en-GB');
    const { page, faults } = watch;
    await page.click('nav a:has-text("Mail texts")');
    await page.waitForSelector('.gt-mail-kinds');
    expect(await accessFaults(page, '.gt-mail-kinds')).toEqual([]);
    await picture(page, 'mail-texts-1-list');
    await page.click('.gt-mail-kinds a:text-is("Tickets")');
    await shows(page, 'All set: here are your 2 tickets');
    const before = await page.evaluate<number>('history.length');
    await page.fill('#subject', 'See you soon, {first_name}');
    await page.fill('#intro', 'We open at seven.\nHow to find us: https://venue.example/map');
    await page.fill('#closing', 'Yours, {venue}');
    await shows(page, 'Yours, Venue');
    await shows(page, 'How to find us:');
    await page.waitForSelector('.gt-mail-subject:has-text("See you soon, Camille")');
    const frame = page.frameLocator(frameText);
    expect(await frame.locator('a[href="https://venue.example/map"]').count()).toBe(1);
    // The styles of the mail apply, and typing adds no step to the history.
    expect((await frame.locator('a.accent').first().boundingBox())!.height).toBeGreaterThan(40);
    expect(await page.evaluate<number>('history.length')).toBe(before);
    await page.click('.gt-mail-preview summary');
    expect(await page.textContent('.gt-mail-preview pre')).toContain('We open at seven.\nHow to find us: https://venue.example/map');
    expect(await accessFaults(page, '.gt-mail-editor')).toEqual([]);
    await picture(page, 'mail-texts-2-desk');
    await page.setViewportSize({ width: 390, height: 800 });
    await shows(page, 'Yours, Venue');
    expect([await overhang(page), await accessFaults(page, '.gt-mail-editor')]).toEqual([0, []]);
    await picture(page, 'mail-texts-3-phone');
    await page.click('button:text-is("Save")');
    await page.waitForSelector('text=The texts are saved');
    await page.click('label:has-text("Deutsch")');
    await shows(page, 'Guten Tag Kim');
    expect(await page.inputValue('#intro')).toBe('');
    // axe asks every frame, and the one with the mail runs no scripts.
    expect(faults.filter((fault) => !fault.includes('postMessage'))).toEqual([]);
    await page.fill('#intro', 'Hallo {name}');
    await page.waitForSelector('#intro-error:has-text("{name} is not known here")');
    expect(await accessFaults(page, '.gt-mail-editor')).toEqual([]);
    await picture(page, 'mail-texts-4-refused');
    await page.fill('#intro', '');
    await page.waitForSelector('#intro-error', { state: 'detached' });
    await page.click('a:text-is("All e-mails")');
    await page.waitForSelector('.gt-mail-kinds li:has-text("Own texts: English")');
  }, 120_000);
});
