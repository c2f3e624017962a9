import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HolderLinks, ReservationChangesService } from '#tickets';
import { EventsService } from '#catalogue';
import { DemoService } from '#demo';
import { PlaceProfileService } from '#places';
import { CampaignsService } from '#selling';
import { TenantDb, TenantsService, UsersService, type TenantIdentity } from '#tenancy';
import type { Page } from 'playwright-core';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { openChromium, watchedPage, type TestBrowser } from './chromium.js';
import { PanelSessions } from './panel-sessions.js';
import { expectClean, visitAll } from './panel-visits.js';
import { accessFaults, overhang } from './page-faults.js';
import { inLongRuns, longRun } from '../support/long-run.js';
import { schemesOf, visit, visitTimeout } from './visitor-pages.js';

let test: StripeApp;
let chromium: TestBrowser;
let demo: TenantIdentity;
let sessions: PanelSessions;
/** The path of a page to buy from. */
let selling: string;

beforeAll(async () => {
  [test, chromium] = await Promise.all([startStripeApp({ tenants: 'demo' }), openChromium()]);
  ({ page: selling = '' } = await test.app.get(DemoService).ensure());
  sessions = new PanelSessions(
    chromium.browser,
    await test.app.get(UsersService).create({ email: 'staff@example.org', isSuperUser: true }),
  );
  demo = (await test.app.get(TenantsService).bySlug('demo')) as TenantIdentity;
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
});

const panels = [
  { host: 'demo.localhost', atLeast: 30 },
  { host: 'magpies.localhost', atLeast: 12 },
  { host: 'meta.localhost', atLeast: 3 },
  { host: 'localhost', atLeast: 14 },
];

// French texts are longer, so they reveal layout errors.
describe.each(inLongRuns(['en-GB', 'fr-FR'], ['fr-FR']))('the panel in Chromium (%s)', (locale) => {
  // The panels of the magpies and of the network have no resources that the ones of the demo and of Root lack.
  it.each(
    inLongRuns(
      panels,
      panels.filter(({ host }) => ['demo.localhost', 'localhost'].includes(host)),
    ),
  )(
    'shows every page of $host whole, from its own host only, without a complaint',
    async ({ host, atLeast }) => {
      const address = (path: string): string => `http://${host}:${test.port}/admin${path}`;
      const watch = await sessions.open(address(''), locale);
      expect(await visitAll(watch, address)).toBeGreaterThanOrEqual(atLeast);
      expectClean(watch, `${host}:${test.port}`);
      await watch.page.close();
    },
    180_000,
  );
});

/** Number of inline styles and scripts, which the page's content security policy blocks. */
const inlined = (page: Page): Promise<number> =>
  page.locator('[style], style, script:not([src]):not([type="application/ld+json"])').count();

const longName = `${'Anticonstitutionnellement'.repeat(5)} 🎭 ليلة الموسيقى ${'mot '.repeat(12)}`;
const visitors = [
  { locale: 'en-GB', language: 'en', heading: 'The Tin Heron' },
  { locale: 'fr-FR', language: 'fr', heading: 'The Tin Heron' },
] as const;

describe('an agenda with an event of long texts', () => {
  beforeAll(async () => {
    await test.inside(demo, () =>
      test.app.get(EventsService).create({
        name: longName,
        startsAt: new Date('2040-12-30T19:00:00Z'),
        endsAt: new Date('2041-01-02T02:00:00Z'),
        subtitle: 'Untertitel'.repeat(20),
        shortDescription: 'x'.repeat(400),
        longDescription: `<h1>Titre</h1><p>${'y'.repeat(500)} <a href="https://example.org">lien</a></p><ul><li>Un</li></ul>`,
      }),
    );
  });

  // French texts are longer, so they reveal errors of the layout.
  describe.each(inLongRuns(visitors, visitors.slice(1)))('the public pages in Chromium ($locale)', ({ locale, language, heading }) => {
    it('fit phones and desktops in light and dark, load only from their own host, and log no error', async () => {
      const host = 'demo.localhost';
      const base = `http://${host}:${test.port}`;
      const { page, faults, hosts } = await watchedPage(chromium.browser, locale);
      await page.goto(base);
      expect(await page.textContent('h1')).toBe(heading);
      expect(await page.getAttribute('html', 'lang')).toBe(language);
      const paths = await page.$$eval('.entry h3 a', (links) => links.map((link) => link.getAttribute('href') as string));
      // Between midnight and 04:00 the demo's events of the day are over.
      expect(paths.length).toBeGreaterThanOrEqual(5);
      for (const [nth, path] of ['/', ...paths].entries()) {
        await page.goto(`${base}${path}`);
        for (const colorScheme of schemesOf(nth)) {
          await page.emulateMedia({ colorScheme });
          for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 844 });
            expect(`${path} ${width}: ${await overhang(page)} px`).toBe(`${path} ${width}: 0 px`);
          }
          expect({ path, colorScheme, faults: await accessFaults(page) }).toEqual({ path, colorScheme, faults: [] });
        }
        expect({ path, inlined: await inlined(page) }).toEqual({ path, inlined: 0 });
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')).not.toBe(dark);

      // The first Tab stop is the visible skip link.
      await page.goto(base);
      await page.keyboard.press('Tab');
      const skip = await page.evaluate<{ top: number; outline: string }>(
        '({ top: document.activeElement.getBoundingClientRect().top, outline: getComputedStyle(document.activeElement).outlineStyle })',
      );
      expect(skip.top).toBeGreaterThanOrEqual(0);
      expect(skip.outline).toBe('solid');
      await page.keyboard.press('Enter');
      // The filters are before the events.
      const isEvent = "document.activeElement.matches('.programme a')";
      for (let tabs = 0; tabs < 20 && !(await page.evaluate<boolean>(isEvent)); tabs += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('article h1');
      await page.click('.event .caps a');
      await page.waitForSelector('.programme');

      expect(faults).toEqual([]);
      expect([...hosts]).toEqual([`${host}:${test.port}`]);
      await page.context().close();
    }, 300_000);
  });
});

describe('the pages of a booking', () => {
  const chooses = (button: string) => async (page: Page, base: string) => {
    await page.goto(base + selling);
    await page.locator('input[name="quantity"]').first().fill('2');
    await page.click(button);
    await page.waitForURL(/\/(order|cart)\//);
  };

  const transfers = async (page: Page, base: string) => {
    await chooses('form.booking button.go')(page, base);
    await page.fill('#email', 'ada@example.org');
    await page.check('input[value="transfer"]');
    await page.check('#terms');
    await page.press('#email', 'Enter');
    await page.waitForSelector('#email', { state: 'detached' });
    const [, id = ''] = /order\/([^/]+)/.exec(page.url()) ?? [];
    const link = await test.inside(demo, async () => {
      await test.app.get(ReservationChangesService).verify(id);
      const sql = 'select link_version as version from reservation where id = $1';
      const [row] = await test.app.get(TenantDb).transaction((tx) => tx.query<{ version: number }[]>(sql, [id]));
      return test.app.get(HolderLinks).pathTo({ reservationId: id }, row!.version);
    });
    await page.goto(base + link);
    await page.waitForSelector('.step .code');
  };

  it(
    'fit phones and desks, and have no findings of axe, with the texts of the demo',
    async () => {
      const [row] = await test.database.query<{ id: string }>(
        `select reservation_id as id from "${demo.schemaName}".ticket where status = 'K' group by 1 order by count(*) desc, 1 limit 1`,
      );
      const holder = await test.inside(demo, async () => test.app.get(HolderLinks).pathTo({ reservationId: row!.id }));
      const [base, giftCard] = [`http://${demo.host}:${test.port}`, 'ACDEFGHJKMNPQRTU'];
      await test.takePayments(demo);
      await test.inside(demo, () => test.app.get(PlaceProfileService).change({ giftCards: '20 50 100', donations: '2 5 10' }));
      const floor = { title: 'A new floor', text: 'The boards of 1911 go.', goal: '8000', published: true };
      const campaign = await test.inside(demo, () => test.app.get(CampaignsService).create(floor));
      // What an order has folded away: codes, gift cards, a donation, a place for somebody else.
      await test.inside(demo, () =>
        test.app.get(TenantDb).transaction(async (tx) => {
          await tx.query(`insert into code (code, effect, value) values ('SPRING', 'percent', 20)`);
          await tx.query(`insert into gift_card (code, amount, issued_at, buyer_email) values ($1, 20, now(), 'ada@example.org')`, [
            giftCard,
          ]);
        }),
      );
      const shown: (readonly [string, Parameters<typeof visit>[3]])[] = [
        ['demo-contact', chooses('form.booking button.go')],
        ['demo-cart', chooses('button[formaction]')],
        ['demo-transfer', transfers],
        ['demo-gift-card', '/gift-card'],
        ['demo-balance', `/gift-card/balance?code=${giftCard}`],
        ['demo-donate', '/donate'],
        ['demo-campaign', `/donate/${campaign.id}`],
        // Others are looked at above, or with the texts of other tests.
        ...(longRun
          ? ([
              ['demo-agenda', '/'],
              ['demo-event', selling],
              ['demo-holder', holder],
              ['demo-memberships', '/memberships'],
              ['demo-shop', '/shop'],
            ] as const)
          : []),
      ];
      for (const [name, path] of shown) expect(await visit(chromium, base, name, path)).toEqual([]);
    },
    visitTimeout,
  );
});
