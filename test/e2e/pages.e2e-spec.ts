import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  EventsService,
  ImagesService,
  PostalAddressesService,
  PricesService,
  ProductsService,
  type Event,
  type NewEvent,
} from '#catalogue';
import { DomainsService, TenantDb, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;

/** All public lists of events. */
const lists = ['/', '/agenda.ics', '/agenda.rss', '/sitemap.xml'];
const hour = 3_600_000;
const day = 24 * hour;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({
    name: 'Théâtre du Coin',
    language: 'fr',
    configuration: {
      short_description: 'Au bout de la rue.',
      city: 'Nantes',
      country: 'FR',
      phone: '+33 2 40 00 00 00',
    },
  });
  other = await test.newTenant();
});
afterAll(() => test.close());

/** Stores an event without cleaning its texts, because rows of older versions may contain anything. */
/** A name that the services accept; tests write the complete name directly into the database. */
function fitting(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('\u0001', ' ').replaceAll('\u000B', ' ');
}

async function add(input: Partial<NewEvent> = {}, tenant = venue): Promise<Event> {
  const texts = { name: `Soir ${randomUUID().slice(0, 8)}`, shortDescription: null, longDescription: null, ...input };
  const made = await test.inside(tenant, () =>
    test.app.get(EventsService).create({
      startsAt: new Date(Date.now() + day),
      ...input,
      name: fitting(texts.name),
      shortDescription: null,
      longDescription: null,
    }),
  );
  await test.database.query(
    `update "${tenant.schemaName}".event set name = $2, short_description = $3, long_description = $4 where id = $1`,
    [made.id, texts.name, texts.shortDescription, texts.longDescription],
  );
  return { ...made, ...texts };
}

async function read(path: string, language?: string, tenant = venue): Promise<string> {
  const call = test.on(tenant).get(path).buffer(true);
  const { text } = await (language ? call.set('Accept-Language', language) : call).expect(200);
  return text;
}

/** The text between the tags, on one line. */
const wordsOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** Unfolds the lines of a calendar and checks the limit of 75 octets (RFC 5545). */
function unfolded(calendar: string): string[] {
  expect(calendar).toMatch(/\r\n$/);
  const folded = calendar.slice(0, -2).split('\r\n');
  for (const line of folded) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n]/);
  }
  return calendar.slice(0, -2).replaceAll('\r\n ', '').split('\r\n');
}

/** The properties of an event in a calendar; fails unless components are properly nested. */
function calendarEvent(calendar: string, id: string): Record<string, string> {
  const open: string[] = [];
  const events: Record<string, string>[] = [];
  for (const line of unfolded(calendar)) {
    const [, name, value] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    expect(`${line} → ${name}`).not.toContain('undefined');
    if (name === 'BEGIN') {
      open.push(value!);
      if (value === 'VEVENT') events.push({});
    } else if (name === 'END') expect(open.pop()).toBe(value);
    else if (open.at(-1) === 'VEVENT') events.at(-1)![name!] = value!;
  }
  expect(open).toEqual([]);
  return events.find(({ UID }) => UID === id)!;
}

/** Fails unless elements are properly nested and everything is escaped. */
function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  expect(body).not.toBe(xml);
  for (const [token, close, name, empty] of body.matchAll(
    /<(\/?)([a-zA-Z:]+)(?:\s+[a-zA-Z:]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*(\/?)>|[^<]+|</g,
  )) {
    if (name === undefined) {
      expect(token.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<&]/);
      // oxlint-disable-next-line no-control-regex
      expect(token).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
    } else if (close) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name);
  }
  expect(open).toEqual([]);
}

describe('the agenda', () => {
  it('shows a text when there are no events, in the language of the reader or tenant', async () => {
    const { text, headers } = await test.on(venue).get('/').expect(200);
    expect(text).toContain('<html lang="fr">');
    expect(text).toContain('Revenez bientôt');
    expect(text).toContain('Au bout de la rue.');
    expect(headers['content-language']).toBe('fr');
    expect(headers['vary']).toContain('Accept-Language');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const english = await read('/', 'en');
    expect(english).toContain('<html lang="en">');
    expect(english).toContain('Come back soon');
  });

  it('shows current events first, then coming ones by month, and no past ones', async () => {
    const tenant = await test.newTenant({ timeZone: 'America/Montreal' });
    const now = Date.now();
    const over = await add({ startsAt: new Date(now - 5 * hour), endsAt: new Date(now - hour) }, tenant);
    const overWithoutEnd = await add({ startsAt: new Date(now - 7 * hour) }, tenant);
    const soon = await add({ startsAt: new Date('2041-01-01T02:30:00Z'), name: 'Soon' }, tenant);
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
    expect([...page.matchAll(/(?:src|href)="(https?:[^"]*)"/g)].map((match) => match[1])).toEqual([`http://${tenant.host}:3000/`]);
    for (const landmark of ['<header', '<main', '<footer', '<nav', 'class="skip"', '<h1>']) expect(page).toContain(landmark);
  });

  it('stops after 200 events at the end of a day and continues from there', async () => {
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
    const shown = [...page.matchAll(/href="\/event\/(night-\d+)"/g)].map((match) => match[1]);
    expect(shown).toHaveLength(198);
    const [, next] = /href="(\/\?from=\d{4}-\d\d-\d\d)" rel="next"/.exec(page) ?? [];
    expect(next).toBe('/?from=2040-08-06');
    const rest = await read(next!, 'en', tenant);
    const later = [...rest.matchAll(/href="\/event\/(night-\d+)"/g)].map((match) => match[1]);
    expect(new Set([...shown, ...later]).size).toBe(220);
    expect(rest).toContain('What’s on from Monday 6 August 2040');
    expect(rest).not.toContain('rel="next"');
    expect(rest).toContain(`<link rel="canonical" href="http://${tenant.host}:3000/?from=2040-08-06">`);
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
    expect(await read('/?from=2040-05-01', 'en', tenant)).toContain('href="/?from=2040-05-02" rel="next"');
    const first = await read('/', 'en', tenant);
    expect(first).toContain('href="/?from=2040-05-01" rel="next"');
    expect(first).not.toContain('stand-');
  });

  it('refuses an invalid day with a page that explains the format', async () => {
    for (const from of ['tomorrow', '2040-02-30', '2040-1-1', '0000-01-01', 'x&from=y', '2040-01-01%27--']) {
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
    expect(page).toContain(`<link rel="canonical" href="${escaped}">`);
    expect(page).toContain('More at elsewhere.example');

    // Feeds and JSON-LD link to the `url` of the event; it stays an event of the place.
    const url = 'https://venue.example/ball';
    const linked = await add({ name: 'Ball', url }, tenant);
    expect(await read('/', 'en', tenant)).toContain(`<a href="/event/${linked.slug}">`);
    expect(await read('/agenda.rss', 'en', tenant)).toContain(`<link>${url}</link>`);
    expect(calendarEvent(await read('/agenda.ics', 'en', tenant), linked.id)['URL']).toContain(url);
    const linkedPage = await read(`/event/${linked.slug}`, 'en', tenant);
    expect(linkedPage).toContain(`"url":"${url}"`);
    expect(linkedPage).toContain(`<a class="button" href="${url}" rel="external">More at venue.example`);
    expect(linkedPage).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/event/${linked.slug}">`));
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

describe('the page of an event', () => {
  it('shows date, place, description and prices in both languages', async () => {
    const address = await test.inside(venue, () =>
      test.app.get(PostalAddressesService).create({
        name: 'Grande salle',
        streetAddress: '1 rue du Coin',
        addressLocality: 'Nantes',
        postalCode: '44000',
        addressCountry: 'FR',
        latitude: 47.2,
        longitude: -1.55,
      }),
    );
    const event = await add({
      name: 'La Nuit longue',
      startsAt: new Date('2040-10-01T18:00:00Z'),
      endsAt: new Date('2040-10-01T22:30:00Z'),
      shortDescription: 'Trois actes.',
      longDescription: 'Premier acte.\n\nSecond acte,\nplus long.',
      postalAddressId: address.id,
    });
    await sell(event, 'Billets', { Plein: '12.50', Réduit: '7.00', Enfant: '0.00', Caché: '99.00' });
    const french = await read(`/event/${event.slug}`);
    expect(wordsOf(french)).toContain('Lundi 1er octobre 2040 de 20\u00a0h à 0\u00a0h\u00a030'.replace(/\s/g, ' '));
    expect(french).toContain('<time datetime="2040-10-01T20:00:00+02:00">');
    expect(french).toContain('<h1 dir="auto">La Nuit longue</h1>');
    expect(french).toContain('<p>Premier acte.</p>\n<p>Second acte,<br />plus long.</p>');
    expect(french).toContain('<strong>Grande salle</strong><br>\n1 rue du Coin<br>\n44000 Nantes</address>');
    expect(french).toMatch(/>12,50\s€</);
    expect(french).toMatch(/>7\s€</);
    expect(french).toContain('>Gratuit<');
    const english = await read(`/event/${event.slug}`, 'en-US,en;q=0.8,fr;q=0.2');
    expect(wordsOf(english)).toContain('Monday 1 October 2040 20:00 to 00:30');
    for (const price of ['>€12.50<', '>€7<', '>Free<']) expect(english).toContain(price);
    for (const page of [french, english]) expect(page).not.toMatch(/Caché|€99|99\s€/);
    expect(english).toContain(`<link rel="canonical" href="http://${venue.host}:3000/event/${event.slug}">`);
    expect(english).toContain('<meta property="og:title" content="La Nuit longue · Théâtre du Coin">');
    expect(english).toContain('<meta name="twitter:card" content="summary">');
    const [, structured] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(english) ?? [];
    expect(JSON.parse(structured!)).toMatchObject({
      '@type': 'Event',
      name: 'La Nuit longue',
      startDate: '2040-10-01T20:00:00+02:00',
      url: `http://${venue.host}:3000/event/${event.slug}`,
      location: { address: { addressLocality: 'Nantes' } },
    });
  });

  it('shows its picture, also in the agenda', async () => {
    const [large, small] = await test.inside(venue, () =>
      Promise.all(
        [800, 90].map(async (width) => {
          const create = { width, height: 60, channels: 3, background: 'teal' } as const;
          return test.app.get(ImagesService).prepare(await sharp({ create }).png().toBuffer(), 'img');
        }),
      ),
    );
    const event = await add({ name: 'Pictured', startsAt: new Date('2041-10-01T18:00:00Z'), picture: large!, sticker: small! });
    const page = await read(`/event/${event.slug}`);
    const [, picture = ''] = /<img class="picture" src="([^"]+)"/.exec(page) ?? [];
    expect(page).toMatch(/width="800" height="60" alt="">/);
    await test.on(venue).get(picture).expect(200).expect('Content-Type', 'image/webp');
    const [, shared = ''] = /<meta property="og:image" content="([^"]+)">/.exec(page) ?? [];
    await test.on(venue).get(new URL(shared).pathname).expect(200).expect('Content-Type', 'image/png');
    const [, structured] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    expect((JSON.parse(structured!) as { image: string[] }).image).toEqual([shared, expect.stringMatching(/\/images\//)]);
    const agenda = await read('/?from=2041-10-01');
    const [, sticker = ''] = /<img class="sticker" src="([^"]+)"/.exec(agenda) ?? [];
    expect(sticker).not.toContain(picture.split('/')[2]);
    await test.on(venue).get(sticker).expect(200);
  });

  it('distinguishes whole days from evenings, and past events from coming ones', async () => {
    const days = await add({ startsAt: new Date('2040-03-24T17:00:00Z'), endsAt: new Date('2040-03-25T16:00:00Z') });
    // Daylight saving time starts in that night.
    expect(wordsOf(await read(`/event/${days.slug}`, 'en'))).toContain(
      'From Saturday 24 March 2040 , 18:00 to Sunday 25 March 2040 , 18:00',
    );
    const instant = new Date('2021-05-01T18:00:00Z');
    const moment = await add({ startsAt: instant, endsAt: instant });
    const past = await read(`/event/${moment.slug}`, 'en');
    expect(wordsOf(past)).toContain('Saturday 1 May 2021 at 20:00');
    expect(past).toContain('This event is over');
    expect(past).not.toContain('.ics">Add');
  });

  it('redirects from the identifier to the slug, and answers HEAD like GET', async () => {
    const event = await add();
    for (const id of [event.id, event.id.toUpperCase()]) {
      expect((await test.on(venue).get(`/event/${id}`).expect(301)).headers['location']).toBe(`/event/${event.slug}`);
      expect((await test.on(venue).get(`/event/${id}.ics`).expect(301)).headers['location']).toBe(`/event/${event.slug}.ics`);
    }
    for (const path of ['/', `/event/${event.slug}`, `/event/${event.slug}.ics`, '/agenda.ics', '/robots.txt']) {
      const { headers, text } = await test.on(venue).head(path).expect(200);
      expect(text ?? '').toBe('');
      expect(headers['etag']).toMatch(/^W\/"/);
    }
  });

  it('is a readable error page for unknown, foreign, private and unpublished events', async () => {
    const secrets = await Promise.all([
      add({ isPrivate: true }),
      add({ published: false }),
      add({ isPrivate: true, published: false }),
      add({}, other),
    ]);
    const unknown = ['/event/nothing', '/event/', '/event/%F0%9F%8E%AD', `/event/${randomUUID()}`, '/event/a/b', '/event/..%2f'];
    for (const path of [...unknown, ...secrets.flatMap(({ id, slug }) => [`/event/${slug}`, `/event/${id}`])]) {
      const { text, headers } = await test.on(venue).get(path).expect(404);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toContain("style-src 'self'");
      expect(text).toContain('Il n’y a rien ici');
      expect(text).toContain('noindex');
      expect(text).not.toContain('canonical');
      await test.on(venue).head(path).expect(404);
    }
    for (const name of secrets.flatMap(({ id, slug }) => [id, slug])) await test.on(venue).get(`/event/${name}.ics`).expect(404);
    for (const path of lists) {
      const text = await read(path);
      for (const { id, slug, name } of secrets) {
        expect(text).not.toContain(id);
        expect(text).not.toContain(slug);
        expect(text).not.toContain(name);
      }
    }
    expect(await read('/', 'fr', other)).toContain(secrets[3].slug);
  });

  it('disappears when the event is unpublished', async () => {
    const event = await add();
    await test.on(venue).get(`/event/${event.slug}`).expect(200);
    await test.inside(venue, () => test.app.get(EventsService).update(event.id, { published: false }));
    await test.on(venue).get(`/event/${event.slug}`).expect(404);
    for (const path of lists) expect(await read(path)).not.toContain(event.slug);
  });

  it('shows no unpublished product and no unpublished price', async () => {
    const event = await add();
    await sell(event, 'Hidden product', { Plain: '31.00' }, false);
    expect(await read(`/event/${event.slug}`)).not.toMatch(/Hidden product|Plain|€/);
  });

  it('answers problem JSON to programs, and a page to browsers on unknown paths', async () => {
    expect((await test.on(venue).get('/api/nothing').set('Accept', 'text/html').expect(404)).body.code).toBe('route.unknown');
    expect((await test.on(venue).get('/event/nothing.ics').set('Accept', 'text/html').expect(404)).body.code).toBe('route.unknown');
    expect((await test.on(venue).get('/somewhere').expect(404)).body.code).toBe('route.unknown');
    const { text } = await test.on(venue).get('/somewhere').set('Accept', 'text/html,*/*;q=0.8').expect(404);
    expect(text).toContain('Il n’y a rien ici');
    await test.on(venue).post('/event/nothing').expect(405);
  });
});

async function sell(event: Event, name: string, prices: Readonly<Record<string, string>>, published = true): Promise<void> {
  await test.inside(venue, async () => {
    const product = await test.app.get(ProductsService).create({ name, category: 'B', published });
    for (const [priceName, amount] of Object.entries(prices)) {
      const input = { productId: product.id, name: priceName, amount, published: priceName !== 'Caché' };
      await test.app.get(PricesService).create(input);
    }
    await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, event.id, [product.id]));
  });
}

describe('user input', () => {
  const attack = `"'><script>alert(1)</script><img src=x onerror=alert(1)>]]>&amp;{{7*7}}`;

  it('is shown as entered and is never executed', async () => {
    const tenant = await test.newTenant({
      name: `House ${attack}\r\nX-EVIL:1`,
      configuration: {
        short_description: attack,
        street_address: attack,
        city: attack,
        postal_code: attack,
        phone: attack,
        email: `a@b${attack.replaceAll(' ', '')}`,
        website: `https://x.example/${attack}`,
      },
    });
    const address = {
      name: attack,
      streetAddress: attack,
      addressLocality: attack,
      addressRegion: attack,
      postalCode: attack.slice(0, 20),
      addressCountry: 'FR',
    };
    const { id } = await test.inside(tenant, () => test.app.get(PostalAddressesService).create(address));
    const event = await add(
      {
        name: `Night ${attack}\r\nEND:VEVENT`,
        shortDescription: attack,
        longDescription:
          `${attack}<p onclick="x()">Kept <a href="javascript:alert(1)" onmouseover="x">link</a>` +
          '<a href="//evil.example">two</a><style>*{}</style><iframe src="x"></iframe><svg/onload=alert(1)>' +
          '<base href="//evil"><h1>Title</h1></p>',
        postalAddressId: id,
      },
      tenant,
    );
    const from = venue;
    venue = tenant;
    await sell(event, attack, { [attack]: '3.00' });
    venue = from;
    for (const path of ['/', `/event/${event.slug}`]) {
      const page = await read(path, 'en', tenant);
      const tags = [...page.matchAll(/<([a-z0-9]+)((?:\s[^<>]*)?)>/gi)];
      expect(tags.filter(([, name]) => /^(img|iframe|svg|base|style|form|object)$/i.test(name!))).toEqual([]);
      expect(tags.filter(([, , rest]) => /\son[a-z]+\s*=/i.test(rest!.replace(/"[^"]*"/g, '""')))).toEqual([]);
      expect(tags.filter(([, name, rest]) => name === 'script' && rest !== ' type="application/ld+json"')).toEqual([]);
      expect(page).not.toMatch(/href="(javascript:|\/\/)/i);
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
    const page = await read(`/event/${event.slug}`, 'en', tenant);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).toContain('<h3>Title</h3>');
    const [, structured] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    expect((JSON.parse(structured!) as { name: string }).name).toBe(event.name);
    for (const path of ['/agenda.rss', '/sitemap.xml']) expectWellFormed(await read(path, 'en', tenant));
    for (const path of ['/agenda.ics', `/event/${event.slug}.ics`]) {
      const calendar = await read(path, 'en', tenant);
      expect(unfolded(calendar).filter((line) => /^(X-EVIL|END:VEVENT)/.test(line))).toEqual(['END:VEVENT']);
      expect(calendarEvent(calendar, event.id)['SUMMARY']).toContain('<script>alert(1)</script>');
    }
  });

  it('does not delay the server, however deeply its tags are nested', async () => {
    // Cleaning the whole text would take half a minute.
    const event = await add({ longDescription: '<ul><li>'.repeat(120_000), shortDescription: '<b>'.repeat(300_000) });
    for (const path of [`/event/${event.slug}`, `/event/${event.slug}.ics`, ...lists]) {
      const started = performance.now();
      await read(path);
      expect(performance.now() - started).toBeLessThan(12_000);
    }
  });

  it.each([
    ['right to left', 'ليلة الموسيقى في المدينة القديمة'],
    ['emoji and combined signs', '🎭👩‍👩‍👧‍👦 Ça commence à 20 h — «déjà» e\u0301'],
    ['500 characters without a space', 'x'.repeat(500)],
    ['500 emoji', '🎷'.repeat(500)],
    ['controls', 'A\u0001B\u000BC\uFFFFD'],
    ['commas, semicolons, backslashes', 'a,b;c\\d\\n: "e"'],
  ])('looks right everywhere: %s', async (_, name) => {
    // Tables may contain texts that services now refuse.
    const tenant = await test.newTenant({ name: fitting(name) });
    const event = await add({ name }, tenant);
    expect(await read('/', 'en', tenant)).toContain(event.slug);
    expect(await read(`/event/${event.slug}`, 'en', tenant)).toMatch(/<h1 dir="auto"( class="long")?>/);
    for (const path of ['/agenda.rss', '/sitemap.xml']) expectWellFormed(await read(path, 'en', tenant));
    const { SUMMARY } = calendarEvent(await read('/agenda.ics', 'en', tenant), event.id);
    // oxlint-disable-next-line no-control-regex
    expect(SUMMARY!.replace(/\\([\\,;])/g, '$1')).toBe(name.replace(/[\u0001\u000B\uFFFF]/g, ''));
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
    expect(wordsOf(await read(`/event/${before.slug}`, 'en'))).toContain('Saturday 27 October 2040 20:30 to 03:00');
    expect(wordsOf(await read(`/event/${after.slug}`, 'en'))).toContain('Sunday 28 October 2040 at 20:30');
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
    const [style, icon] = [...page.matchAll(/href="(\/assets\/[a-z]+\.[0-9a-f]{16}\.(?:css|svg))"/g)].map((match) => match[1]!);
    for (const [path, type] of [
      [style!, 'text/css'],
      [icon!, 'image/svg+xml'],
    ] as const) {
      const { headers } = await test.on(venue).get(path).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    }
    await test.on(venue).get('/assets/pages.0000000000000000.css').expect(404);
    await test.on(venue).get('/assets/..%2fpages.css').expect(404);
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
