import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type TestBrowser } from './chromium.js';

let test: TestApp;
let chromium: TestBrowser;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
});
afterAll(async () => {
  await chromium.close();
  await test.close();
});

it('the reader of the API document shows every route and asks no other host for anything', async () => {
  const tenant = await test.newTenant({ slug: 'reader', name: 'Le <b>Lecteur</b>' });
  const { page, faults, hosts, still } = await watchedPage(chromium.browser, 'fr-FR');
  await page.goto(`http://${tenant.host}:${test.port}/api/v2/docs/`);
  await page.getByText('/api/v2/webhook-events/').first().waitFor();
  expect(await page.title()).toBe('API de Le <b>Lecteur</b>');
  await page.getByText('/scan/ticket/').first().click();
  await page.getByText('Let in, or refused with its reason').waitFor();
  await still();
  if (process.env['SCREENSHOTS'])
    await page.screenshot({ path: `${process.env['SCREENSHOTS']}/api.png`, fullPage: false });
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([`${tenant.host}:${test.port}`]);
});
