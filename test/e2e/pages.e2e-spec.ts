import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, PostalAddressesService } from '#catalogue';
import { DomainsService, TenantDb, type TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { calendarEvent, expectWellFormed, newTheatre, publicPages, wordsOf } from '../support/public-pages.js';

let test: TestApp;
let venue: TenantIdentity;
const hour = 3_600_000;
const day = 24 * hour;

beforeAll(async () => {
  test = await startTestApp();
  venue = await newTheatre(test);
});
afterAll(() => test.close());

const { add, read } = publicPages(() => ({ test, venue }));

describe('the agenda', () => {
  it('shows a text when there are no events, in the language of the reader or tenant', async () => {
    const { text, headers } = await test.on(venue).get('/').expect(200);
    expect(text).toContain('<html lang="fr"');
    expect(text).toContain('Revenez bientôt');
    expect(text).toContain('Au bout de la rue.');
    expect(headers['content-language']).toBe('fr');
    expect(headers['vary']).toContain('Accept-Language');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const english = await read('/', 'en');
    expect(english).toContain('<html lang="en"');
    expect(english).toContain('Come back soon');
  });

  it('has a link that opens the calendar program of the reader', async () => {
    expect(await read('/', 'en')).toContain(
      `<a href="webcal://${venue.host}:3000/agenda.ics">Subscribe to the agenda in your calendar</a>`,
    );
  });

  it('shows current events first, then coming ones by month, and no past ones', async () => {
    const tenant = await test.newTenant({ timeZone: 'America/Montreal' });
    const now = Date.now();
    const over = await add({ startsAt: new Date(now - 5 * hour), endsAt: new Date(now - hour) }, tenant);
    const overWithoutEnd = await add({ startsAt: new Date(now - 7 * hour) }, tenant);
    const soon = await add({ startsAt: new Date('2041-01-01T02:30:00Z'), name: 'Soon' }, tenant);
    // The first that comes is not in the list.
    await add({ startsAt: new Date('2040-12-01T02:30:00Z') }, tenant);
    const running = await add({ startsAt: new Date(now - 9 * day), endsAt: new Date(now + hour) }, tenant);
    const page = await read('/', 'en', tenant);
    expect(page).not.toContain(over.slug);
    expect(page).not.toContain(overWithoutEnd.slug);
    expect(page.indexOf('Happening now')).toBeLessThan(page.indexOf(running.slug));
    // 02:30 UTC is in the previous year in Montreal.
    expect(page.indexOf(running.slug)).toBeLessThan(page.indexOf('<h2>December 2040</h2>'));
    expect(page.indexOf('<h2>December 2040</h2>')).toBeLessThan(page.indexOf(soon.slug));
    expect(page).toContain('<time datetime="2040-12-31T21:30:00-05:00">21:30</time>');
    expect(await read('/', 'fr', tenant)).toContain('21\u00a0h\u00a030');
  });

  it('is small, needs no script, and loads nothing from other hosts', async () => {
    const tenant = await test.newTenant();
    for (let index = 0; index < 30; index += 1)
      await add({ shortDescription: 'Une soirée comme aucune autre, avec entracte.'.repeat(3) }, tenant);
    const page = await read('/', 'en', tenant);
    expect(Buffer.byteLength(page)).toBeLessThan(30_000);
    expect(page).not.toMatch(/<script|\bstyle=|<style|\bon[a-z]+=/);
    const linked = [...page.matchAll(/(?:src|href)="(https?:[^"]*)"/g)].map((match) => new URL(match[1]!).origin);
    expect([...new Set(linked)]).toEqual([`http://${tenant.host}:3000`]);
    for (const landmark of ['<header', '<main', '<footer', '<nav', 'class="skip"', '<h1 ']) expect(page).toContain(landmark);
  });

  it('stops after 50 events at the end of a day and continues from there', async () => {
    const tenant = await test.newTenant();
    const first = Date.parse('2040-06-01T10:00:00Z');
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) =>
        tx.query(
          `insert into event (name, slug, starts_at) select 'Night ' || n, 'night-' || n, $1::timestamptz + (n / 3) * interval '1 day'
             from generate_series(0, 219) n`,
          [new Date(first)],
        ),
      ),
    );
    const page = await read('/', 'en', tenant);
    // The first one is on the poster and in the list.
    const shown = [...new Set([...page.matchAll(/href="\/event\/(night-\d+)"/g)].map((match) => match[1]))];
    expect(shown).toHaveLength(48);
    const nextOf = (html: string): string | undefined => /href="(\/\?after=\d{4}-\d\d-\d\d)" rel="next"/.exec(html)?.[1];
    expect(nextOf(page)).toBe('/?after=2040-06-17');
    let rest = page;
    for (let next = nextOf(page); next; next = nextOf(rest)) {
      rest = await read(next, 'en', tenant);
      shown.push(...[...rest.matchAll(/href="\/event\/(night-\d+)"/g)].map((match) => match[1]));
    }
    expect([shown.length, new Set(shown).size]).toEqual([220, 220]);
    expect(rest).toContain('What’s on from Saturday 4 August 2040');
    expect(rest).toContain(`<link rel="canonical" href="http://${tenant.host}:3000/?after=2040-08-04"/>`);
    expect((await test.on(tenant).get('/').set('Accept-Encoding', 'gzip')).headers['content-encoding']).toBe('gzip');
  });

  it('continues with the next day when one day is too long, and shows the duration of an exhibition', async () => {
    const tenant = await test.newTenant();
    await add({ startsAt: new Date(Date.now() - 9 * day), endsAt: new Date('2040-05-07T16:00:00Z') }, tenant);
    expect(wordsOf(await read('/', 'en', tenant))).toContain('until Mon 7 May, 18:00');
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) =>
        tx.query(
          `insert into event (name, slug, starts_at) select 'Stand ' || n, 'stand-' || n, '2040-05-01T10:00:00Z'
             from generate_series(1, 205) n`,
        ),
      ),
    );
    expect(await read('/?after=2040-05-01', 'en', tenant)).toContain('href="/?after=2040-05-02" rel="next"');
    const first = await read('/', 'en', tenant);
    expect(first).toContain('href="/?after=2040-05-01" rel="next"');
    expect(first).not.toContain('stand-');
  });

  it('refuses an invalid day with a page that explains the format', async () => {
    for (const from of ['tomorrow', '2040-02-30', '2040-1-1', '0000-01-01', '2040-01-01%27--']) {
      const { text, headers } = await test.on(venue).get(`/?from=${from}`).set('Accept-Language', 'en').expect(400);
      expect(text).toContain('such as 2027-05-21');
      expect(headers['cache-control']).toBe('no-store');
    }
    await test.on(venue).get('/?from=').expect(200);
    await test.on(venue).get('/?from=9999-12-31').expect(200);
  });

  it('links to the page of an event at another place, and names the date of the last change', async () => {
    const tenant = await test.newTenant();
    const sameAs = 'https://www.elsewhere.example/night?a=1&b=2';
    const [own, external] = [await add({}, tenant), await add({ name: 'Night', sameAs }, tenant)];
    const escaped = 'https://www.elsewhere.example/night?a=1&amp;b=2';
    const agenda = await read('/', 'en', tenant);
    expect(agenda).toContain(`<a href="${escaped}" rel="external">Night</a>`);
    expect(agenda).toContain('<bdi>elsewhere.example</bdi>');
    expect(agenda).toContain(`<a href="/event/${own.slug}">`);
    expect(await read('/agenda.rss', 'en', tenant)).toContain(`<link>${escaped}</link>`);
    expect(calendarEvent(await read('/agenda.ics', 'en', tenant), external.id)['URL']).toContain('www.elsewhere.example');
    const page = await read(`/event/${external.slug}`, 'en', tenant);
    expect(page).toContain(`<link rel="canonical" href="${escaped}"/>`);
    expect(page).toContain('More at elsewhere.example');

    // Feeds and JSON-LD link to the `url` of the event; it stays an event of the place.
    const url = 'https://venue.example/ball';
    const linked = await add({ name: 'Ball', url }, tenant);
    expect(await read('/', 'en', tenant)).toContain(`<a href="/event/${linked.slug}">`);
    expect(await read('/agenda.rss', 'en', tenant)).toContain(`<link>${url}</link>`);
    expect(calendarEvent(await read('/agenda.ics', 'en', tenant), linked.id)['URL']).toContain(url);
    const linkedPage = await read(`/event/${linked.slug}`, 'en', tenant);
    expect(linkedPage).toContain(`"url":"${url}"`);
    expect(linkedPage).toContain(`<a href="${url}" rel="external">More at venue.example`);
    expect(linkedPage).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/event/${linked.slug}"/>`));
    await test.inside(tenant, () => test.app.get(EventsService).remove(linked.id));

    const sitemap = await read('/sitemap.xml', 'en', tenant);
    const changed = async (): Promise<number> =>
      Date.parse(new RegExp(`${own.slug}</loc><lastmod>(.*?)</lastmod>`).exec(await read('/sitemap.xml', 'en', tenant))![1]!);
    expect(sitemap).not.toContain(external.slug);
    expect(sitemap.match(/<lastmod>/g)).toHaveLength(2);
    const before = await changed();
    await test.inside(tenant, () => test.app.get(EventsService).update(own.id, { capacity: 7 }));
    expect(await changed()).toBeGreaterThan(before);
  });

  it('redirects Root to the panel', async () => {
    const host = 'localhost';
    expect((await test.on(host).get('/').expect(302)).headers['location']).toBe('/admin');
    for (const path of ['/agenda.ics', '/agenda.rss', '/sitemap.xml', '/event/x'])
      expect((await test.on(host).get(path).expect(404)).body.code).toBe('route.unknown');
    expect((await test.on(host).get('/robots.txt').expect(200)).text).not.toContain('Sitemap');
  });
});

describe('calendars and feeds', () => {
  it('give the right times before and after a change of the clocks', async () => {
    const before = await add({ startsAt: new Date('2040-10-27T18:30:00Z'), endsAt: new Date('2040-10-28T02:00:00Z') });
    const after = await add({
      startsAt: new Date('2040-10-28T19:30:00Z'),
      shortDescription: 'Une, deux; trois\nquatre',
    });
    for (const path of ['/agenda.ics', `/event/${before.slug}.ics`]) {
      const { headers } = await test.on(venue).get(path).expect(200);
      expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
      // 20:30 in Paris in summer time; the end at 03:00 is in winter time, an hour later than the local times suggest.
      expect(calendarEvent(await read(path), before.id)).toMatchObject({
        DTSTART: '20401027T183000Z',
        DTEND: '20401028T020000Z',
        SEQUENCE: '1',
        URL: `http://${venue.host}:3000/event/${before.slug}`,
        STATUS: 'CONFIRMED',
      });
    }
    const { DTSTART, DTEND, DESCRIPTION, DTSTAMP } = calendarEvent(await read('/agenda.ics'), after.id);
    expect({ DTSTART, DTEND, DESCRIPTION }).toEqual({
      DTSTART: '20401028T193000Z',
      DTEND: undefined,
      DESCRIPTION: 'Une\\, deux\\; trois\\nquatre',
    });
    expect(DTSTAMP).toMatch(/^\d{8}T\d{6}Z$/);
    expect(wordsOf(await read(`/event/${before.slug}`, 'en'))).toContain('27 Saturday October 2040 20:30 – 03:00');
    expect(wordsOf(await read(`/event/${after.slug}`, 'en'))).toContain('28 Sunday October 2040 20:30');
  });

  it('count changes and contain place and coordinates', async () => {
    const address = {
      name: 'Salle',
      streetAddress: '1, rue',
      addressLocality: 'Nantes',
      postalCode: '44000',
      addressCountry: 'FR',
      latitude: 47.2,
      longitude: -1.55,
    };
    const { id } = await test.inside(venue, () => test.app.get(PostalAddressesService).create(address));
    const event = await add({ postalAddressId: id });
    await test.inside(venue, () => test.app.get(EventsService).update(event.id, { capacity: 7 }));
    expect(calendarEvent(await read(`/event/${event.slug}.ics`), event.id)).toMatchObject({
      SEQUENCE: '2',
      LOCATION: 'Salle\\, 1\\, rue\\, 44000 Nantes\\, France',
      GEO: '47.2;-1.55',
    });
  });

  it('keep past events for a while in the calendar, and leave them out of the feed', async () => {
    const recent = await add({ startsAt: new Date(Date.now() - 20 * day) });
    const old = await add({ startsAt: new Date(Date.now() - 90 * day) });
    expect(await read('/agenda.ics')).toContain(recent.id);
    expect(await read('/agenda.ics')).not.toContain(old.id);
    expect(await read('/agenda.rss')).not.toContain(recent.id);
    expect(await read('/sitemap.xml')).toContain(old.slug);
  });

  it('are well-formed and name themselves', async () => {
    const event = await add({ name: 'Soupe & Contes' });
    const feed = await read('/agenda.rss');
    expectWellFormed(feed);
    expect(feed).toContain(`<atom:link href="http://${venue.host}:3000/agenda.rss" rel="self"`);
    expect(feed).toContain('<language>fr</language>');
    expect(feed).toContain('<title>Soupe &amp; Contes</title>');
    const sitemap = await read('/sitemap.xml');
    expectWellFormed(sitemap);
    expect(sitemap).toContain(`<loc>http://${venue.host}:3000/event/${event.slug}</loc>`);
    expect(await read('/robots.txt')).toBe(
      `User-agent: *\nDisallow: /admin\nDisallow: /api\nDisallow: /scan\n\nSitemap: http://${venue.host}:3000/sitemap.xml\n`,
    );
  });
});

describe('caches', () => {
  it('get cache headers, and 304 until something changes', async () => {
    const event = await add({ startsAt: new Date('2041-01-01T18:00:00Z') });
    for (const path of ['/?from=2040-12-31', `/event/${event.slug}`, '/agenda.ics', '/agenda.rss', '/sitemap.xml']) {
      const { headers } = await test.on(venue).get(path).set('Accept-Language', 'fr').expect(200);
      expect(headers['cache-control']).toBe('public, max-age=60');
      const again = (language: string): ReturnType<ReturnType<TestApp['on']>['get']> =>
        test.on(venue).get(path).set({ 'If-None-Match': headers['etag'], 'Accept-Language': language });
      const { text, headers: unchanged } = await again('fr').expect(304);
      expect(text).toBe('');
      expect(unchanged['etag']).toBe(headers['etag']);
      if (!/ics|xml/.test(path)) await again('en').expect(200);
      await test.inside(venue, () => test.app.get(EventsService).update(event.id, { name: `${event.name} ${path}` }));
      if (!path.includes('xml')) await again('fr').expect(200);
    }
  });

  it('may keep style and icon forever under a content hash', async () => {
    const page = await read('/');
    const [style, icon] = ['css', 'svg'].map((kind) => new RegExp(`href="(/assets/[a-z]+\\.[0-9A-Z]{8}\\.${kind})"`).exec(page)?.[1]);
    for (const [path, type] of [
      [style!, 'text/css'],
      [icon!, 'image/svg+xml'],
    ] as const) {
      const { headers } = await test.on(venue).get(path).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    }
    await test.on(venue).get('/assets/page.00000000.css').expect(404);
    await test.on(venue).get('/assets/..%2fpage.css').expect(404);
  });

  it('redirect from a secondary domain to the primary one', async () => {
    const event = await add();
    const host = `coin-${randomUUID().slice(0, 8)}.example`;
    await test.inside(venue, () => test.app.get(DomainsService).add(venue.id, host));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    for (const path of ['/', `/event/${event.slug}`, '/agenda.ics']) {
      const { headers } = await test.on(host).get(path).expect(302);
      expect(headers['location']).toBe(`http://${venue.host}${path}`);
    }
  });
});
