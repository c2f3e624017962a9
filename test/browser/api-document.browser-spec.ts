import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiKeysService } from '#tenancy';
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

it('the page of the API document shows every route and loads nothing from other hosts', async () => {
  const tenant = await test.newTenant({ slug: 'reader', name: 'Le <b>Lecteur</b>' });
  const { page, faults, hosts, still } = await watchedPage(chromium.browser, 'fr-FR');
  await page.goto(`http://${tenant.host}:${test.port}/api/v2/docs/`);
  await page.getByText('/api/v2/webhook-events/').first().waitFor();
  expect(await page.title()).toBe('API de Le <b>Lecteur</b>');
  await page.getByText('/scan/ticket/').first().click();
  await page.getByText('Let in, or refused with its reason').waitFor();
  await still();
  if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/api.png`, fullPage: false });
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([`${tenant.host}:${test.port}`]);
});

/** The result of a request from a page: status and readable members, or `refused` by the browser. */
type Read = { status: number; code?: string; location?: string | null } | 'refused';

it('pages of another origin can call the API as far as the key allows, in a real browser', async () => {
  const tenant = await test.newTenant();
  const pages = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>Shop</p>'));
  await new Promise<void>((resolve) => void pages.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const newKey = (allowedOrigins: string[]): Promise<{ key: string }> =>
    test.inside(tenant, () =>
      test.app.get(ApiKeysService).createIntegrationKey({ name: 'Shop', scopes: ['event:read', 'event:write'], allowedOrigins }),
    );
  const { key } = await newKey([origin]);
  const { key: plain } = await newKey([]);
  const { key: foreign } = await newKey(['https://app.example.org']);
  const page = await chromium.browser.newPage();
  const base = `http://${tenant.host}:${test.port}`;
  const call = (path: string, as?: string, body?: object): Promise<Read> =>
    page.evaluate(
      async ({ url, authorization, sent }) => {
        const headers = {
          ...(authorization && { Authorization: authorization, 'Idempotency-Key': crypto.randomUUID?.() ?? '1' }),
          ...(sent && { 'Content-Type': 'application/json' }),
        };
        try {
          const answer = await fetch(url, { headers, ...(sent && { method: 'POST', body: JSON.stringify(sent) }) });
          const { code } = (await answer.json()) as { code?: string };
          return { status: answer.status, ...(code && { code }), location: answer.headers.get('Location') };
        } catch {
          return 'refused' as const;
        }
      },
      { url: `${base}${path}`, authorization: as && `Api-Key ${as}`, sent: body },
    );
  try {
    await page.goto(origin);
    expect(await call('/api/events/')).toMatchObject({ status: 200 });
    expect(await call('/api/v2/openapi.json')).toMatchObject({ status: 200 });
    expect(await call('/api/v2/events/', key)).toMatchObject({ status: 200 });
    const event = { '@type': 'MusicEvent', name: 'From a page', startDate: '2099-01-01T20:00:00Z' };
    expect(await call('/api/v2/events/', key, event)).toMatchObject({
      status: 201,
      location: expect.stringMatching(/^\/api\/v2\/events\//),
    });
    expect(await call('/api/v2/events/', key, { ...event, name: '' })).toMatchObject({ status: 400, code: 'body.invalid' });
    expect(await call('/api/v2/events/', 'gkey_wrong')).toMatchObject({ status: 401, code: 'key.malformed' });
    expect(await call('/api/v2/events/', plain)).toBe('refused');
    expect(await call('/api/v2/events/', foreign)).toBe('refused');
    expect(await call('/scan/test_api/', key)).toBe('refused');
  } finally {
    await page.close();
    await new Promise((resolve) => pages.close(resolve));
  }
});
