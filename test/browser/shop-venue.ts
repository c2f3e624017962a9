import { afterAll, beforeAll, expect } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { HolderLinks } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expectNoDrift } from '../support/booking.js';
import { inLongRuns } from '../support/long-run.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import type { StripeEvent, StripeServer } from '../support/stripe-server.js';
import { tenantWork } from '../support/tenant-work.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { pageFaults, tooWide } from './page-faults.js';

/** A host that does not exist: only that the browser goes there matters. */
const checkout = 'https://checkout.invalid';

/** How a buyer sees the pages. */
export interface Look {
  readonly width: number;
  readonly javaScriptEnabled: boolean;
  /** Whether axe looks at every page: its findings depend on the width, hardly on scripts. */
  readonly axe: boolean;
  readonly locale?: string;
}

const looks: readonly Look[] = [
  { width: 390, javaScriptEnabled: true, axe: true },
  { width: 1280, javaScriptEnabled: false, axe: true },
  { width: 390, javaScriptEnabled: false, axe: false },
  { width: 1280, javaScriptEnabled: true, axe: false },
];

/** A phone with scripts; in a long run also the other looks. A test takes this one or {@link atDesk}. */
export const onPhone = inLongRuns(looks, looks.slice(0, 1));

/** A desk without scripts; in a long run also the other looks. */
export const atDesk = inLongRuns(looks, looks.slice(1, 2));

/** The part of a test's title that names the look. */
export const seenAs = '$width px, scripts $javaScriptEnabled';

/** A checkout that a buyer opened. */
export interface Checkout {
  readonly id: string;
  /** In cents. */
  readonly amount: number;
  /** The address to which the buyer returns. */
  readonly back: string;
}

/**
 * A venue that sells online, its payment provider, and a browser; started before the tests of the file that calls it, and stopped after
 * them. The tests of a file run side by side, because they wait more than they work.
 */
export class ShopVenue {
  test!: StripeApp;
  tenant!: TenantIdentity;
  chromium!: TestBrowser;
  /** Origin of the public pages. */
  base = '';
  private checker!: BrowserContext;

  constructor() {
    beforeAll(() => this.start());
    afterAll(async () => {
      if (this.tenant) await expectNoDrift(this.test, this.tenant);
      await this.chromium?.close();
      await this.test?.close();
    });
  }

  get stripe(): StripeServer {
    return this.test.stripe;
  }

  private readonly work = tenantWork(() => this);
  readonly inside = this.work.inside;
  readonly sql = this.work.sql;
  readonly bookedOf = this.work.bookedOf;

  /** A buyer with a browser of their own. */
  async buyer({ width, javaScriptEnabled, axe, locale = 'en-GB' }: Look): Promise<Buyer> {
    const context = await this.chromium.browser.newContext({ locale, javaScriptEnabled, viewport: { width, height: 844 } });
    return new Buyer(this, await context.newPage(), axe ? this.checker : undefined);
  }

  /** The path that the mail about a reservation names. */
  readonly pathOf = (reservationId: string): Promise<string> =>
    this.inside(() => Promise.resolve(this.test.app.get(HolderLinks).pathTo({ reservationId })));

  /** Sends an event of the payment provider. */
  readonly deliver = (event: StripeEvent): ReturnType<StripeApp['deliver']> => this.test.deliver(event, this.tenant);

  /** The checkout at an address of the provider. */
  checkoutAt(address: string): Checkout {
    const session = this.stripe.sessions.get(address.split('/').at(-1) as string)!;
    const asked = this.stripe.requests.find(
      ({ parameters }) => parameters['client_reference_id'] === session['client_reference_id'] && parameters['success_url'] !== undefined,
    )!;
    const { pathname, search } = new URL(asked.parameters['success_url'] as string);
    return { id: session.id, amount: session.amount_total, back: this.base + pathname + search };
  }

  private async start(): Promise<void> {
    [this.test, this.chromium] = await Promise.all([startStripeApp(), openChromium()]);
    this.stripe.pages = checkout;
    this.tenant = await this.test.newVenue({ language: 'en' });
    this.checker = await this.chromium.browser.newContext({ bypassCSP: true, viewport: { width: 390, height: 844 } });
    this.base = `http://${this.tenant.host}:${this.test.port}`;
  }
}

/** Somebody at the pages of a venue. What is wrong with a page is collected, so that one run names all faults. */
export class Buyer {
  private readonly faults: string[] = [];

  constructor(
    private readonly venue: ShopVenue,
    readonly page: Page,
    private readonly checker: BrowserContext | undefined,
  ) {
    // Several buyers share the machine.
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      // Ignores Chromium's messages about responses of 400 and more, and about the host that does not exist.
      if (!/the server responded with a status of|ERR_NAME_NOT_RESOLVED/.test(message.text())) this.faults.push(message.text());
    });
    page.on('pageerror', (error) => this.faults.push(error.message));
  }

  open(path: string): Promise<unknown> {
    return this.page.goto(this.venue.base + path);
  }

  /** The id of the order or reservation in the address. */
  get order(): string {
    return new URL(this.page.url()).pathname.split('/')[2] as string;
  }

  async text(): Promise<string> {
    return (await this.page.textContent('main')) ?? '';
  }

  /** Notes what is wrong with the page. `SCREENSHOTS=<folder>` keeps what it looks like. */
  async look(name: string): Promise<void> {
    const found = this.checker ? await pageFaults(this.page, this.checker) : await tooWide(this.page);
    this.faults.push(...found.map((fault) => `${name}: ${fault}`));
    const folder = process.env['SCREENSHOTS'];
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    const { width } = this.page.viewportSize()!;
    await this.page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }

  /** Does what leads to the payment. @returns the checkout that was opened */
  async payBy(act: () => Promise<unknown>): Promise<Checkout> {
    const [paying] = await Promise.all([this.page.waitForRequest((request) => request.url().startsWith(checkout)), act()]);
    expect(paying.isNavigationRequest()).toBe(true);
    return this.venue.checkoutAt(paying.url());
  }

  /** Returns from the payment to the shop. */
  async comeBack({ back }: Checkout): Promise<void> {
    // Chromium may still be on the way to its error page, because the host of the checkout does not exist.
    await eventually(() => this.page.goto(back), { timeout: 20_000 });
  }

  /** Fails when a page was wrong. */
  async leave(): Promise<void> {
    expect(this.faults).toEqual([]);
    await this.page.context().close();
  }
}
