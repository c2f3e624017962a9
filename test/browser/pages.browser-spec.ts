import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Events } from '#catalogue';
import { Demo } from '#demo';
import { Tenants, type TenantIdentity } from '#tenancy';
import type { Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type TestBrowser } from './chromium.js';

let test: TestApp;
let chromium: TestBrowser;
const longName = `${'Anticonstitutionnellement'.repeat(8)} 🎭 ليلة الموسيقى ${'mot '.repeat(15)}`;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  await test.app.get(Demo).ensure();
  const demo = (await test.app.get(Tenants).bySlug('demo')) as TenantIdentity;
  await test.inside(demo, () =>
    test.app.get(Events).create({
      name: longName,
      startsAt: new Date('2040-12-30T19:00:00Z'),
      endsAt: new Date('2041-01-02T02:00:00Z'),
      shortDescription: 'x'.repeat(400),
      longDescription: `<h1>Titre</h1><p>${'y'.repeat(500)} <a href="https://example.org">lien</a></p><ul><li>Un</li></ul>`,
    }),
  );
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

/** Every text of the page whose contrast with what lies behind it is below WCAG's AA. */
const faintTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
    const linear = (value) => ((value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const behind = (element) => {
      for (let one = element; one; one = one.parentElement) {
        const colour = parse(getComputedStyle(one).backgroundColor);
        if (colour.length === 3 || colour[3] === 1) return colour;
      }
      throw new Error('no background');
    };
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.data.trim()) continue;
      const element = node.parentElement;
      const style = getComputedStyle(element);
      const [one, other] = [luminance(parse(style.color)), luminance(behind(element))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (contrast < (isLarge ? 3 : 4.5)) faint.push(contrast.toFixed(2) + ' ' + node.data.trim().slice(0, 40));
    }
    return faint;
  })()`);

/** What a reader of the screen would miss: levels of headings that are left out, links without words, doubled or missing landmarks. */
const accessFaults = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const faults = [];
    let level = 0;
    for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      const own = Number(heading.tagName[1]);
      if (own > level + 1) faults.push(heading.tagName + ' after H' + level);
      level = own;
    }
    for (const [selector, count] of [['h1', 1], ['main', 1], ['body > header', 1], ['body > footer', 1]])
      if (document.querySelectorAll(selector).length !== count) faults.push(selector);
    for (const link of document.querySelectorAll('a')) if (!link.textContent.trim()) faults.push('empty link ' + link.href);
    if (document.querySelector('[style], style, script:not([type="application/ld+json"])')) faults.push('inline style or script');
    return faults;
  })()`);

const overhang = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe.each([
  { locale: 'en-GB', language: 'en', heading: 'What’s on', back: 'All events' },
  { locale: 'fr-FR', language: 'fr', heading: 'À l’affiche', back: 'Tous les événements' },
])('the public pages in Chromium ($locale)', ({ locale, language, heading, back }) => {
  it('are whole on phones and desks, in light and dark, from their own host alone, without a complaint', async () => {
    const host = 'demo.localhost';
    const base = `http://${host}:${test.port}`;
    const { page, faults, hosts } = await watchedPage(chromium.browser, locale);
    await page.goto(base);
    expect(await page.textContent('h1')).toBe(heading);
    expect(await page.getAttribute('html', 'lang')).toBe(language);
    const paths = await page.$$eval('.event h3 a', (links) => links.map((link) => link.getAttribute('href') as string));
    expect(paths.length).toBeGreaterThanOrEqual(7);
    for (const path of ['/', ...paths]) {
      await page.goto(`${base}${path}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          expect(`${path} ${width}: ${await overhang(page)} px`).toBe(`${path} ${width}: 0 px`);
        }
        expect(`${path} ${colorScheme}: ${(await faintTexts(page)).join()}`).toBe(`${path} ${colorScheme}: `);
      }
      expect(`${path}: ${(await accessFaults(page)).join()}`).toBe(`${path}: `);
    }
    const dark = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).not.toBe(dark);

    // By keyboard: the first stop leads past the header, and is seen.
    await page.goto(base);
    await page.keyboard.press('Tab');
    const skip = await page.evaluate<{ top: number; outline: string }>(
      '({ top: document.activeElement.getBoundingClientRect().top, outline: getComputedStyle(document.activeElement).outlineStyle })',
    );
    expect(skip.top).toBeGreaterThanOrEqual(0);
    expect(skip.outline).toBe('solid');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('article h1');
    await page.click(`text=${back}`);
    await page.waitForSelector('.events');

    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([`${host}:${test.port}`]);
    await page.context().close();
  }, 120_000);
});
