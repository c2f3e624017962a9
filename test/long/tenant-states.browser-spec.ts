import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TenantLifeService, UsersService } from '#tenancy';
import type { Page } from 'playwright-core';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type TestBrowser } from '../browser/chromium.js';
import { accessFaults } from '../browser/page-faults.js';
import { picture } from '../browser/panel-venue.js';

let test: TestApp;
let chromium: TestBrowser;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

/** Takes screenshots at phone and desktop width. */
async function pictures(page: Page, name: string): Promise<void> {
  for (const [kind, width] of [
    ['phone', 390],
    ['desk', 1280],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await picture(page, `${name}-${kind}`);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
}

async function signIn(page: Page, host: string, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto(`http://${host}:${test.port}/admin`);
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await page.click('button[type=submit]');
  await page.waitForSelector('h1');
}

describe('a suspended tenant', () => {
  it('is suspended in the Root panel, shows visitors the reason, and its staff a panel without buttons', async () => {
    const venue = await test.newTenant({ name: 'La Lune', language: 'fr' });
    await test.database.query(`update shared.place set email = 'contact@lune.example' where tenant_id = $1`, [venue.id]);
    await newEvent(test, venue);
    const users = test.app.get(UsersService);
    const operator = await users.create({ email: 'super@example.org', isSuperUser: true });
    const staff = await users.create({ email: 'staff@example.org', name: 'Zoé' });
    await users.grant(staff.id, { tenantId: venue.id });

    const root = (await watchedPage(chromium.browser, 'en-US')).page;
    await signIn(root, 'localhost', operator);
    await root.goto(`http://localhost:${test.port}/admin/resources/tenants/records/${venue.id}/suspend`);
    await root.fill('textarea', 'Facture de mai impayée');
    await pictures(root, 'root-suspend');
    await root.click('button[type=submit].gt-button-danger');
    await root.waitForSelector('text=The tenant is suspended');
    await pictures(root, 'root-tenant');
    await pass(1050);

    const visitor = (await watchedPage(chromium.browser, 'fr-FR')).page;
    const answer = await visitor.goto(`http://${venue.host}:${test.port}/`);
    expect(answer!.status()).toBe(503);
    expect(await visitor.textContent('main')).toContain('Facture de mai impayée');
    expect(await accessFaults(visitor)).toEqual([]);
    await pictures(visitor, 'suspended');

    const panel = (await watchedPage(chromium.browser, 'fr-FR')).page;
    await signIn(panel, venue.host, staff);
    await panel.goto(`http://${venue.host}:${test.port}/admin/resources/events`);
    await panel.waitForSelector('table');
    expect(await panel.textContent('.gt-state-banner')).toContain('suspendu');
    expect(await panel.locator('a[href$="/actions/new"]').count()).toBe(0);
    await pictures(panel, 'suspended-panel');
    await test.app.get(TenantLifeService).resume(venue.id);
  }, 90_000);
});
