import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { EventsService, ProductsService } from '#catalogue';
import { PlaceProfileService } from '#places';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type { BrowserContext, Page } from 'playwright-core';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from './chromium.js';

let test: TestApp;
let tenant: TenantIdentity;
let chromium: TestBrowser;
/** The public port of the server, which the script of the venue names. */
let door: Server;
let sites: HttpServer;
let venue: string;
let allowed: string;
let stranger: string;
let event: { readonly id: string; readonly slug: string };

const portOf = (server: Server | HttpServer): number => (server.address() as AddressInfo).port;
const listen = <Some extends Server | HttpServer>(server: Some): Promise<Some> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

beforeAll(async () => {
  door = await listen(
    createServer((socket) => {
      const through = connect(test.port, '127.0.0.1');
      socket.on('error', () => through.destroy()).pipe(through);
      through.on('error', () => socket.destroy()).pipe(socket);
    }),
  );
  [test, chromium] = await Promise.all([startTestApp({ environment: { PORT: String(portOf(door)) } }), openChromium()]);
  tenant = await test.newTenant({ language: 'en' });
  venue = `http://${tenant.host}:${portOf(door)}`;
  sites = await listen(
    createHttpServer((_request, response) => {
      const policy = `default-src 'none'; script-src ${venue}; connect-src ${venue}; img-src ${venue}; frame-src ${venue}`;
      response.setHeader('Content-Security-Policy', `${policy}; require-trusted-types-for 'script'`);
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><html lang="en"><title>A site</title><h1>A site</h1>
<script src="${venue}/embed.js" async></script>
<guichet-event slug="${event.slug}"></guichet-event><hr><guichet-agenda></guichet-agenda>`);
    }),
  );
  allowed = `http://127.0.0.1:${portOf(sites)}`;
  stranger = `http://localhost:${portOf(sites)}`;
  event = await newEvent(test, tenant, { name: 'Open Stage', capacity: 8 });
  await newPrice(test, tenant, event.id, { name: 'Entry', amount: '0.00' });
  await test.inside(tenant, () => test.app.get(PlaceProfileService).change({ allowedSites: allowed }));
});
afterAll(async () => {
  await chromium?.close();
  sites?.closeAllConnections();
  sites?.close();
  door?.close();
  await test?.close();
});

/** A page of another site, and what its browser refused. */
async function visit(site: string): Promise<{ context: BrowserContext; page: Page; refused: string[] }> {
  const context = await chromium.browser.newContext({ locale: 'de-DE', viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) refused.push(message.text());
  });
  page.on('pageerror', (error) => refused.push(error.message));
  await page.goto(site);
  return { context, page, refused };
}

describe('pages of other sites', () => {
  it('show the agenda and an event, and sell a ticket in a frame that is as high as its content', async () => {
    const { context, page, refused } = await visit(allowed);
    await page.locator('guichet-agenda .name').waitFor();
    const shown = page.locator('guichet-event').first();
    expect(await shown.textContent()).toBe('');
    expect(await shown.locator('h3').textContent()).toBe('Open Stage');
    expect(await shown.locator('li', { hasText: 'Kostenlos' }).count()).toBe(1);
    expect(await context.cookies()).toEqual([]);
    await shown.locator('a.button').click();
    const frame = shown.frameLocator('iframe');
    await frame.locator('form.booking').waitFor();
    const heights = async (): Promise<readonly [number, number]> => [
      (await shown.locator('iframe').boundingBox())!.height,
      Math.ceil((await frame.locator('body').boundingBox())!.height),
    ];
    await eventually(async () => expect(new Set(await heights()).size).toBe(1));
    expect(await frame.locator('header.top').isVisible()).toBe(false);
    const [first] = await heights();
    await frame.locator('input[name=quantity]').last().fill('2');
    await frame.locator('form.booking button.go').click();
    await frame.locator('#email').waitFor();
    await eventually(async () => expect(new Set(await heights()).size).toBe(1));
    expect((await heights())[0]).not.toBe(first);
    await frame.locator('#email').fill('ada@example.org');
    await frame.locator('form.order button.button:not(.other)').click();
    await frame.locator('.inbox').waitFor();
    expect(await frame.locator('.inbox h1').textContent()).toBe('Ein Schritt fehlt noch');
    const booked = await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) => tx.query(`select status, email from reservation where not is_draft`)),
    );
    expect(booked).toEqual([{ status: 'F', email: 'ada@example.org' }]);
    expect(refused).toEqual([]);
    await context.close();
  });

  it('open an event of the agenda in place, and go back', async () => {
    const { context, page } = await visit(allowed);
    const agenda = page.locator('guichet-agenda');
    expect(await agenda.locator('time').first().textContent()).toMatch(
      /^\S+tag, \d+\. \S+ \d{4}, \d\d:\d\d.Uhr$|^Mittwoch, \d+\. \S+ \d{4}, \d\d:\d\d.Uhr$/,
    );
    await agenda.locator('a.name').click();
    await agenda.locator('guichet-event a.button').waitFor();
    await agenda.locator('button').click();
    expect(await agenda.locator('a.name').textContent()).toBe('Open Stage');
    await context.close();
  });

  it('lead to the sale also for an event with a page elsewhere, and mark prices for members', async () => {
    const { slug, id } = await newEvent(test, tenant, {
      name: 'On Tour',
      url: 'https://band.example.org/',
      startsAt: new Date(Date.now() + 9e8),
    });
    await newPrice(test, tenant, id, { name: 'Everybody', amount: '0.00' });
    const club = await test.inside(tenant, () => test.app.get(ProductsService).create({ name: 'Club', category: 'A' }));
    await newPrice(test, tenant, id, { name: 'Friends', amount: '0.00', requiredMembershipId: club.id });
    for (const site of [allowed, stranger]) {
      const { context, page } = await visit(site);
      const own = `${venue}/event/${slug}`;
      const name = page.locator('guichet-agenda .name', { hasText: 'On Tour' });
      expect(await name.getAttribute('href')).toBe(`${venue}/event/${id}`);
      await page.evaluate(`document.querySelector('guichet-event').setAttribute('slug', ${JSON.stringify(slug)})`);
      await page.locator('guichet-event h3', { hasText: 'On Tour' }).waitFor();
      const shown = page.locator('guichet-event');
      expect(await shown.locator('li', { hasText: 'Friends' }).textContent()).toContain('(nur für Mitglieder)');
      expect(await shown.locator('li', { hasText: 'Everybody' }).textContent()).not.toContain('Mitglied');
      expect(await shown.locator('a.button').getAttribute('href')).toBe(own);
      await context.close();
    }
    // Sold out: nothing can be booked.
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) => tx.query('update event set capacity = 0 where id = $1', [id])),
    );
    const { context, page } = await visit(allowed);
    await page.evaluate(`document.querySelector('guichet-event').setAttribute('slug', ${JSON.stringify(slug)})`);
    const more = page.locator('guichet-event a.button', { hasText: 'Mehr erfahren' });
    expect(await more.getAttribute('href')).toBe(`${venue}/event/${id}`);
    await context.close();
    await test.inside(tenant, () => test.app.get(EventsService).remove(id));
  });

  it('that are not allowed lead to the venue’s own pages, and browsers refuse them the frame', async () => {
    const { context, page, refused } = await visit(stranger);
    const button = page.locator('guichet-event a.button');
    const [opened] = await Promise.all([context.waitForEvent('page'), button.click()]);
    await opened.waitForURL(`${venue}/event/${event.slug}`);
    expect(await page.locator('iframe').count()).toBe(0);
    expect(refused).toEqual([]);
    const failed = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(`${venue}/event/${event.slug}`)} }))`,
    );
    expect((await failed).text()).toContain(tenant.host);
    await context.close();
  });
});
