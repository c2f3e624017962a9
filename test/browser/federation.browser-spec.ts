import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { joinNetwork, publicEvent } from '../support/federation.js';
import { inLongRuns } from '../support/long-run.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { accessFaults, overhang } from './page-faults.js';
import { schemesOf } from './visitor-pages.js';

let test: TestApp;
let chromium: TestBrowser;
let network: TenantIdentity;
const long = `${'Anticonstitutionnellement'.repeat(3)} 🎭 ليلة الموسيقى`;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  network = await test.newTenant({ category: 'M', name: 'Agenda de la Loire', language: 'fr' });
  for (const name of ['Le Hangar', `Théâtre ${long}`]) {
    const member = await test.newTenant({ name });
    await joinNetwork(test, network, member);
    await publicEvent(test, member, {
      name: `Concert ${name}`,
      keywords: ['Jazz', 'Très longue étiquette '.repeat(4)],
      category: 'LIV',
      shortDescription: 'x'.repeat(300),
    });
    await publicEvent(test, member, {
      name: `Expo ${name}`,
      startsAt: new Date('2030-05-01T08:00:00Z'),
      endsAt: new Date('2030-06-01T16:00:00Z'),
      category: 'FES',
    });
  }
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

describe('the agenda of a network in Chromium, without scripts', () => {
  it.each(inLongRuns(['en-GB', 'fr-FR'], ['en-GB']))('is complete and usable on a phone (%s)', async (locale) => {
    const context = await chromium.browser.newContext({ locale, javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    const base = `http://${network.host}:${test.port}`;
    await page.goto(base);
    expect(await page.locator('.entry').count()).toBe(4);
    await page.locator('.chips a', { hasText: 'Festival' }).click();
    await page.locator('summary').click();
    await page.fill('#q', 'EXPO');
    await page.fill('#from', '2030-05-10');
    await page.locator('form button').click();
    expect(new URL(page.url()).searchParams.get('q')).toBe('EXPO');
    expect(await page.locator('.entry').count()).toBe(2);
    await page.locator('ul.chips a').first().click();
    await page.locator('ul.chips a').last().click();
    await page.locator('nav.chips a').last().click();
    expect(await page.locator('.entry').count()).toBe(2);
    await page.goto(`${base}/places`);
    expect(await page.locator('.places li').count()).toBe(2);
    expect(refused).toEqual([]);
    await context.close();
  });

  it('passes axe, and fits phones and desktops', async () => {
    const context = await chromium.browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    for (const [nth, path] of ['/', '/?category=LIV&q=concert', '/?q=nothing', '/places'].entries()) {
      await page.goto(`http://${network.host}:${test.port}${path}`);
      for (const colorScheme of schemesOf(nth)) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          expect(`${path} ${width}: ${await overhang(page)} px`).toBe(`${path} ${width}: 0 px`);
        }
        expect({ path, colorScheme, faults: await accessFaults(page) }).toEqual({ path, colorScheme, faults: [] });
      }
    }
    await context.close();
  });
});
