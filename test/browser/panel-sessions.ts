import type { Browser, BrowserContext, Page } from 'playwright-core';
import { watchedPage, watchedPageOf, type PageWatch } from './chromium.js';

interface Person {
  readonly email: string;
  readonly password: string;
}

/** Opens an address that leads to the sign-in, and signs in. */
export async function signInAt(page: Page, address: string, { email, password }: Person): Promise<void> {
  await page.goto(address);
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await page.click('button[type=submit]');
}

/**
 * A person at panels, with one browser for each panel and language: it stays signed in and keeps its cache, because a sign-in with an empty
 * cache takes longer than most tests of a page. Tests close their page, not its context.
 */
export class PanelSessions {
  private readonly contexts = new Map<string, BrowserContext>();

  constructor(
    private readonly browser: Browser,
    private readonly person: Person,
  ) {}

  /** Opens a page of a panel, signed in. @param address absolute URL of a panel page @param locale of the browser, for example `fr-FR` */
  async open(address: string, locale: string): Promise<PageWatch> {
    const key = `${new URL(address).host} ${locale}`;
    const known = this.contexts.get(key);
    const watch = known ? await watchedPageOf(known) : await watchedPage(this.browser, locale);
    const { page } = watch;
    await (known ? page.goto(address) : signInAt(page, address, this.person));
    this.contexts.set(key, page.context());
    await page.waitForSelector('h1');
    return watch;
  }
}
