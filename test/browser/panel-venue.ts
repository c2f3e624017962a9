import { UsersService, type TenantIdentity } from '#tenancy';
import type { Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type PageWatch } from './chromium.js';
import { PanelSessions } from './panel-sessions.js';

/** A venue with one member of staff and a browser. */
export interface PanelVenue {
  readonly test: TestApp;
  readonly venue: TenantIdentity;
  /** The absolute URL of a panel page. */
  address(path: string): string;
  /** Opens a page of the panel, signed in. @param locale of the browser, for example `fr-FR` @param path of the page; default: the start */
  open(locale: string, path?: string): Promise<PageWatch>;
  /** Opens the start page in a browser of its own, signed in: what a test does to its session concerns no other. */
  signIn(locale: string): Promise<PageWatch>;
  /** Opens an empty page in a browser of its own, signed out. */
  visit(locale: string): Promise<PageWatch>;
  close(): Promise<void>;
}

/** @param name of the venue @param environment settings of the server */
export async function openPanelVenue(name = 'Venue', environment: NodeJS.ProcessEnv = {}): Promise<PanelVenue> {
  const [test, chromium] = await Promise.all([startTestApp({ environment }), openChromium()]);
  const venue = await test.newTenant({ name });
  const users = test.app.get(UsersService);
  const person = await users.create({ email: 'staff@example.org', name: 'Zoé Staff' });
  await users.grant(person.id, { tenantId: venue.id });
  const address = (path: string): string => `http://${venue.host}:${test.port}/admin${path}`;
  const sessions = new PanelSessions(chromium.browser, person);
  return {
    test,
    venue,
    address,
    open: (locale, path = '') => sessions.open(address(path), locale),
    signIn: (locale) => new PanelSessions(chromium.browser, person).open(address(''), locale),
    visit: (locale) => watchedPage(chromium.browser, locale),
    close: async () => {
      await chromium.close();
      await test.close();
    },
  };
}

/** Saves a screenshot, if `SCREENSHOTS` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
