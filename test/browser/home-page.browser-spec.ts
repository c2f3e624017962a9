import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoService } from '#demo';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type TestBrowser } from './chromium.js';
import { accessFaults, overhang } from './page-faults.js';

let test: TestApp;
let chromium: TestBrowser;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp({ tenants: 'demo' }), openChromium()]);
  await test.app.get(DemoService).ensure();
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

/** Where a part of the page begins, in pixels below its top. */
const topOf = (part: string): string => `document.querySelector(${JSON.stringify(part)}).getBoundingClientRect().top + scrollY`;

describe('the home page in Chromium', () => {
  it('fits phones and desks in every view, and leads from the calendar to an event', async () => {
    const base = `http://demo.localhost:${test.port}`;
    const { page, faults } = await watchedPage(chromium.browser, 'de-DE');
    for (const path of ['/', '/?view=cards', '/?view=month', '/?q=lantren']) {
      await page.goto(base + path);
      for (const width of [320, 390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(`${path} ${width}: ${await overhang(page)} px`).toBe(`${path} ${width}: 0 px`);
        if (width > 320) expect({ path, width, faults: await accessFaults(page) }).toEqual({ path, width, faults: [] });
      }
    }
    await page.goto(base);
    // The chips and the search are on the first screen of a desk.
    expect(await page.evaluate<number>(topOf('.sift'))).toBeLessThan(850);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.click('.views a >> nth=2');
    // The whole field of a day with one event leads to it; in the last days of a month, the next month has such days.
    const single = page.locator('.month-on:not(:has(.month-day a))');
    if ((await single.count()) === 0) await page.click('.month-nav a[rel~=next]');
    const day = single.last();
    const box = (await day.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
    await day.click({ position: { x: 8, y: 8 } });
    await page.waitForURL(/\/event\//);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 120_000);
});
