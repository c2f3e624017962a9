import { UsersService, type TenantIdentity } from '#tenancy';
import type { Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type PageWatch } from './chromium.js';

/** A venue with one member of staff and a browser. */
export interface PanelVenue {
  readonly test: TestApp;
  readonly venue: TenantIdentity;
  /** The absolute URL of a panel page. */
  address(path: string): string;
  /** Opens the panel and signs in. @param locale of the browser, for example `fr-FR` */
  signIn(locale: string): Promise<PageWatch>;
  close(): Promise<void>;
}

export async function openPanelVenue(): Promise<PanelVenue> {
  const [test, chromium] = await Promise.all([startTestApp(), openChromium()]);
  const venue = await test.newTenant({ name: 'Venue' });
  const users = test.app.get(UsersService);
  const { id, email, password } = await users.create({ email: 'staff@example.org', name: 'Zoé Staff' });
  await users.grant(id, { tenantId: venue.id });
  const address = (path: string): string => `http://${venue.host}:${test.port}/admin${path}`;
  return {
    test,
    venue,
    address,
    signIn: async (locale) => {
      const watch = await watchedPage(chromium.browser, locale);
      const { page } = watch;
      await page.goto(address(''));
      await page.fill('input[name=email]', email);
      await page.fill('input[name=password]', password);
      await page.click('button[type=submit]');
      await page.waitForSelector('h1');
      return watch;
    },
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
