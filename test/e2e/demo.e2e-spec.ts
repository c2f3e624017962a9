import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditService, HolderLinks, LedgerAuditService } from '#tickets';
import { DemoService } from '#demo';
import { TenantsService, type TenantIdentity } from '#tenancy';
import { describeStart } from '../../apps/server/src/banner.js';
import type { RunningServer } from '../../apps/server/src/start-server.js';
import { longRun } from '../support/long-run.js';
import { AccountVisits } from '../support/accounts.js';
import { CartForms } from '../support/cart-forms.js';
import { crawl, type Crawl } from '../support/crawler.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let second: TestApp;
let reports: Awaited<ReturnType<DemoService['ensure']>>[];
let venue: TenantIdentity;
let festival: TenantIdentity;
/** When the demo was begun; the day of its events may end before a test begins. */
let filledAt: string;

/** Runs SQL on a tenant's tables; `%` is replaced by its schema. */
async function on<Row extends Record<string, unknown>>(tenant: TenantIdentity, sql: string): Promise<Row[]> {
  return test.database.query<Row>(sql.replaceAll('%', `"${tenant.schemaName}"`));
}

const counts = async (tenant: TenantIdentity, table: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await on<{ status: string; count: number }>(tenant, `select status, count(*)::int as count from %.${table} group by status`)).map(
      ({ status, count }) => [status, count],
    ),
  );

beforeAll(async () => {
  test = await startTestApp();
  second = await startTestApp({ database: test.database });
  // Two processes create the demo concurrently, twice each.
  filledAt = new Date().toISOString();
  reports = await Promise.all([test, second, test, second].map(({ app }) => app.get(DemoService).ensure()));
  venue = (await test.app.get(TenantsService).bySlug('demo'))!;
  festival = (await test.app.get(TenantsService).bySlug('lucioles'))!;
});
afterAll(async () => {
  await second.close();
  await test.close();
});

describe('the demo', () => {
  it('is created once by simultaneous processes, and prints its sign-in once', async () => {
    expect(reports.map(({ host }) => host)).toEqual(Array.from({ length: 4 }, () => venue.host));
    expect(reports.filter(({ signIn }) => signIn)).toHaveLength(1);
    expect(reports.flatMap(({ created }) => created).toSorted()).toEqual(['demo', 'lucioles', 'magpies']);
    const again = await test.app.get(DemoService).ensure();
    expect(again).toEqual({ host: venue.host, created: [], page: expect.stringMatching(/^\/event\/small-hours/) });
    expect(await on(venue, 'select id from %.event')).toHaveLength(20);
  });

  it('is named by the start of the server, with an address at which a ticket can be bought', async () => {
    const [report] = reports;
    const server = { port: test.port, demo: report, installation: {} } as unknown as RunningServer;
    const [, address = ''] = /Buy a ticket (\S+)/.exec(describeStart(test.settings, server, 1000)) ?? [];
    const { host, pathname } = new URL(address);
    const { text } = await test.on(host).get(pathname).set('Accept-Language', 'en').expect(200);
    expect(text).toMatch(/<form class="booking"[^]*name="quantity"/);
  });

  it('shows tenants of three categories, each with one administrator', async () => {
    const tenants = await test.database.query<{ slug: string; category: string; email: string }>(
      `select t.slug, t.category, u.email from shared.tenant t join shared.tenant_administrator a on a.tenant_id = t.id
       join shared.user_account u on u.id = a.user_id order by t.slug`,
    );
    expect(tenants.map(({ slug, category }) => `${slug} ${category}`)).toEqual(['demo S', 'lucioles F', 'magpies P']);
    expect(new Set(tenants.map(({ email }) => email)).size).toBe(1);
  });

  it("is on the server's agenda: its tenants are members of the first network", async () => {
    const members = await test.database.query<{ slug: string; state: string }>(
      `select t.slug, m.state from shared.network_member m join shared.tenant t on t.id = m.tenant_id
       join shared.tenant n on n.id = m.network_id and n.slug = 'meta' order by t.slug`,
    );
    expect(members.map(({ slug, state }) => `${slug} ${state}`)).toEqual(['demo accepted', 'lucioles accepted', 'magpies accepted']);
    const meta = (await test.app.get(TenantsService).bySlug('meta'))!;
    const { text } = await test.on(meta).get('/tenant/new/').set('Accept-Language', 'en').expect(200);
    for (const path of ['/terms', '/privacy', '/imprint']) {
      expect(text).toContain(`href="${path}"`);
      await test.on(meta).get(path).expect(200);
    }
  });

  it('has a team code with which visitors pair their own phones', async () => {
    const codes = await on(venue, 'select name, places, expires_at > now() as open from %.team_code');
    expect(codes).toEqual([{ name: 'Door team', places: 10, open: true }]);
  });

  it('contains reservations and tickets in every state', async () => {
    for (const tenant of [venue, festival]) {
      expect(Object.keys(await counts(tenant, 'reservation')).toSorted()).toEqual(['C', 'F', 'FA', 'P', 'PE', 'PN', 'R', 'U', 'V']);
    }
    const tickets = await counts(venue, 'ticket');
    expect(Object.keys(tickets).toSorted()).toEqual(['C', 'K', 'N', 'R', 'S']);
    const [row] = await on<{ count: number }>(venue, 'select count(*)::int as count from %.reservation');
    expect(row?.count).toBeGreaterThan(250);
  });

  it('keeps the booking rules: capacity, and ticket states that match the reservation', async () => {
    for (const tenant of [venue, festival]) {
      const crowded = await on(
        tenant,
        "select e.name from %.event e join %.ticket t on t.event_id = e.id and t.status <> 'R' group by e.id having count(*) > e.capacity",
      );
      expect(crowded).toEqual([]);
      const odd = await on(
        tenant,
        `select r.status as reservation, t.status as ticket from %.ticket t join %.reservation r on r.id = t.reservation_id
         where t.event_id <> r.event_id or not case r.status when 'C' then t.status = 'R' when 'R' then t.status = 'C'
           when 'U' then t.status = 'N' when 'F' then t.status = 'N' else t.status in ('K', 'S', 'R') end`,
      );
      expect(odd).toEqual([]);
      const wrongAmount = await on(tenant, 'select t.id from %.ticket t join %.price p on p.id = t.price_id where t.amount <> p.amount');
      expect(wrongAmount).toEqual([]);
    }
  });

  it('has events today, people inside, and a log that agrees with the tickets', async () => {
    const today = await on<{ id: string; inside: number }>(
      venue,
      `select e.id, (select count(*)::int from %.ticket t where t.event_id = e.id and t.status = 'S') as inside from %.event e
       where (e.starts_at at time zone 'Europe/Paris' - interval '4 hours')::date =
       (timestamptz '${filledAt}' at time zone 'Europe/Paris' - interval '4 hours')::date`,
    );
    expect(today.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...today.map(({ inside }) => inside))).toBeGreaterThan(0);
    const unlogged = await on(
      venue,
      `select t.id from %.ticket t where t.status = 'S' and not exists (
         select 1 from %.scan_log l where l.ticket_id = t.id and l.action = 'scan' and l.outcome = 'accepted'
         and l.device_id = t.scanned_by)`,
    );
    expect(unlogged).toEqual([]);
    const outcomes = await on<{ outcome: string }>(venue, 'select distinct outcome from %.scan_log');
    expect(outcomes.length).toBeGreaterThan(6);
    expect(await on(venue, 'select id from %.scan_log where recorded_at > now()')).toEqual([]);
  });

  it('has members, one of them expired, and payments at the venue', async () => {
    for (const tenant of [venue, festival]) {
      expect(await counts(tenant, 'membership')).toEqual({ active: 6, cancelled: 1, pending: 1 });
      const ran = await on(tenant, "select id from %.membership where status = 'active' and valid_until < now()");
      expect(ran).toHaveLength(1);
      const methods = await on<{ method: string }>(tenant, "select distinct method from %.payment where status = 'paid' order by 1");
      expect(methods.map(({ method }) => method)).toEqual(['card', 'cash', 'offered']);
      const odd = await on(
        tenant,
        `select p.id from %.payment p join %.reservation r on r.id = p.reservation_id where p.amount <> r.amount or r.confirmed_at is null`,
      );
      expect(odd).toEqual([]);
    }
    expect(await on(venue, "select id from %.reservation where status in ('R', 'U', 'F')")).not.toEqual([]);
    for (const audit of [AuditService, LedgerAuditService])
      expect(await test.inside(venue, () => test.app.get(audit).drifts())).toEqual([]);
  });

  it('has a page to buy from, sold-out, members’, free and cancelled events, one whose sale opens later, and pictures', async () => {
    const read = async (path: string): Promise<string> => (await test.on(venue).get(path).set('Accept-Language', 'en').expect(200)).text;
    const pageOf = async (name: string): Promise<string> => {
      const [event] = await on<{ slug: string }>(venue, `select slug from %.event where starts_with(name, '${name}')`);
      return read(`/event/${event!.slug}`);
    };
    const [{ page = '' } = {}] = reports;
    // Three passes; two bags, the book, and three sizes of the shirt.
    expect((await read(page)).match(/name="quantity"/g)).toHaveLength(9);
    const shop = await read('/shop');
    for (const goods of ['Tote bag', 'Forty Winters of Tin', 'Heron T-shirt']) expect(shop).toContain(goods);
    expect(shop).toMatch(/name="quantity"/);
    expect(await pageOf('Sept Lieues')).toMatch(/name="quantity"[^]*Members[^]*Reduced/);
    const full = await pageOf('Glasswing');
    expect(full).toContain('<em class="stamp stamp-quiet">Sold out</em>');
    expect(full).not.toMatch(/action="[^"]*\/book"/);
    expect(full).toMatch(/action="[^"]*\/wait"/);
    expect(await counts(venue, 'waiting_entry')).toEqual({ waiting: 6, unconfirmed: 1 });
    const bells = await pageOf('Forty Bicycle Bells');
    expect(bells).toContain('Sales open on');
    expect(bells).not.toMatch(/action="[^"]*\/book"/);
    expect(await pageOf('Members’ Listening')).toContain('Membership');
    expect(await pageOf('Bicycle Kitchen')).toMatch(/<span class="price-sum">Free<\/span>[^]*name="quantity"/);
    expect(await pageOf('Garden Cinema')).toContain('This event is cancelled.');
    expect((await read('/?view=cards')).match(/<div class="card-art"><img/g)!.length).toBeGreaterThan(7);
    expect(await on(venue, 'select name from %.event where image_id is null')).toEqual([]);
    const [profile] = await on(
      venue,
      'select pay_at_venue_hours, image_id is not null as image, logo_image_id is not null as logo from %.configuration',
    );
    expect(profile).toEqual({ pay_at_venue_hours: 2, image: true, logo: true });
  });

  it('uses only addresses reserved for documentation', async () => {
    for (const tenant of [venue, festival]) {
      expect(
        await on(
          tenant,
          `select email from (select email from %.reservation union all select email from %.waiting_entry) all_of_them
           where email !~ '@example\\.(org|com)$'`,
        ),
      ).toEqual([]);
    }
  });

  describe('read by a visitor who follows every link', () => {
    /** Filters can be combined without an end: two at once only in a long run. */
    const most = longRun ? 2 : 1;
    const follows = (path: string): boolean => !path.startsWith('/admin') && (path.split('=').length <= most + 1 || path.includes('.png?'));
    const heaviest = 30_000;
    const heavy = ({ weights }: Crawl): [string, number][] => [...weights].filter(([, bytes]) => bytes > heaviest);
    const reading =
      (cookie = '') =>
      (path: string) =>
        Promise.resolve(test.on(venue).get(path).set('Accept-Language', 'en').set('Cookie', cookie).buffer(true));

    it('has no public link that leads to an error in any language, and no page that is large', async () => {
      const [{ page = '' } = {}] = reports;
      const found = await crawl(reading(), { host: venue.host, from: ['/', '/sitemap.xml'], follows });
      expect(found.broken).toEqual([]);
      expect(heavy(found)).toEqual([]);
      expect(found.weights.get(page)).toBeGreaterThan(5_000);
      // Pages in other languages, the choice of a language, and pictures.
      const other = [`${page}?language=de`, '/shop?language=es', `${page}?lang=fr`];
      expect(found.paths).toEqual(expect.arrayContaining(['/shop', '/memberships', '/account', '/cart', page, ...other]));
      for (const kind of [/^\/account\?next=/, /\.(webp|jpe?g|png)$/, /^\/assets\//])
        expect([kind, found.paths.some((path) => kind.test(path))]).toEqual([kind, true]);
    }, 240_000);

    it('has no broken link and no large page in an order, a cart, a booking and an account', async () => {
      const forms = new CartForms(test, venue);
      const [free] = await on<{ slug: string; priceId: string }>(
        venue,
        `select e.slug, p.id as "priceId" from %.event e join %.event_product l on l.event_id = e.id
         join %.price p on p.product_id = l.product_id
         where starts_with(e.name, 'Bicycle Kitchen') and p.amount = 0`,
      );
      const order = await forms.begin(free!.slug, free!.priceId, '4');
      const cart = await forms.collect([{ id: '', ...free! }]);
      const [largest] = await on<{ id: string; email: string }>(
        venue,
        `select r.id, r.email from %.reservation r join %.ticket t on t.reservation_id = r.id where t.status = 'K' and r.email <> ''
         group by r.id order by count(*) desc, r.id limit 1`,
      );
      const holder = await test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ reservationId: largest!.id }));
      const signedIn = await new AccountVisits(test, venue).signIn(largest!.email);
      for (const [path, cookie] of [
        [order, ''],
        [cart.path, cart.cookie],
        [`${cart.path}/contact`, cart.cookie],
        [holder, ''],
        ['/account', signedIn],
        ['/account/erase', signedIn],
      ] as const) {
        // Their own pages and files; the rest was read before.
        const own = path.split('/').slice(0, 3).join('/');
        const found = await crawl(reading(cookie), {
          host: venue.host,
          from: [path],
          follows: (link) => follows(link) && (link.startsWith(own) || link.startsWith('/assets/') || link.startsWith('/reservation/')),
        });
        expect(found.broken).toEqual([]);
        expect(heavy(found)).toEqual([]);
        expect(found.weights.get(path)).toBeGreaterThan(3_000);
      }
    }, 240_000);
  });
});
