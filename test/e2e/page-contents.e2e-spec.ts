import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, ImagesService, PostalAddressesService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { calendarEvent, expectWellFormed, fitting, newTheatre, publicPages, unfolded, wordsOf } from '../support/public-pages.js';
import { ownPart } from '../support/own-part.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;

/** All public lists of events. */
const lists = ['/', '/agenda.ics', '/agenda.rss', '/sitemap.xml'];
beforeAll(async () => {
  test = await startTestApp();
  venue = await newTheatre(test);
  other = await test.newTenant();
});
afterAll(() => test.close());

const { add, read, sell } = publicPages(() => ({ test, venue }));

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
    expect(wordsOf(french)).toContain('1 Lundi octobre 2040 20\u00a0h – 0\u00a0h\u00a030'.replace(/\s/g, ' '));
    expect(french).toContain('<time datetime="2040-10-01T20:00:00+02:00">');
    expect(french).toContain('<h1 dir="auto">La Nuit longue</h1>');
    expect(french).toContain('<p>Premier acte.</p>\n<p>Second acte,<br />plus long.</p>');
    expect(french).toContain('<strong>Grande salle</strong><br/>1 rue du Coin<br/>44000 Nantes</address>');
    expect(french).toMatch(/>12,50\s€</);
    expect(french).toMatch(/>7\s€</);
    expect(french).toContain('>Gratuit<');
    const english = await read(`/event/${event.slug}`, 'en-US,en;q=0.8,fr;q=0.2');
    expect(wordsOf(english)).toContain('1 Monday October 2040 20:00 – 00:30');
    for (const price of ['>€12.50<', '>€7<', '>Free<']) expect(english).toContain(price);
    for (const page of [french, english]) expect(page).not.toMatch(/Caché|€99|99\s€/);
    expect(english).toContain(`<link rel="canonical" href="http://${venue.host}:3000/event/${event.slug}?language=en"/>`);
    expect(english).toContain('<meta property="og:title" content="La Nuit longue · Théâtre du Coin"/>');
    expect(english).toContain('<meta name="twitter:card" content="summary_large_image"/>');
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
    expect(page).toMatch(/width="800" height="60" alt\/>/);
    await test.on(venue).get(picture).expect(200).expect('Content-Type', 'image/webp');
    const [, shared = ''] = /<meta property="og:image" content="([^"]+)"\/>/.exec(page) ?? [];
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
    expect(wordsOf(past)).toContain('1 Saturday May 2021 20:00');
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
      expect(text).toContain('Cette page n’existe pas');
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
    expect(ownPart(await read(`/event/${event.slug}`))).not.toMatch(/Hidden product|Plain|€/);
  });

  it('answers problem JSON to programs, and a page to browsers on unknown paths', async () => {
    expect((await test.on(venue).get('/api/nothing').set('Accept', 'text/html').expect(404)).body.code).toBe('route.unknown');
    expect((await test.on(venue).get('/event/nothing.ics').set('Accept', 'text/html').expect(404)).body.code).toBe('route.unknown');
    expect((await test.on(venue).get('/somewhere').expect(404)).body.code).toBe('route.unknown');
    const { text } = await test.on(venue).get('/somewhere').set('Accept', 'text/html,*/*;q=0.8').expect(404);
    expect(text).toContain('Cette page n’existe pas');
    await test.on(venue).post('/event/nothing').expect(405);
  });
});

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
      const filters = '<form method="get" action="/" role="search" aria-label="Search the agenda">';
      const own = page
        .replace(filters, '')
        .replace(/<form[^>]* action="\/follow"[^>]*>/, '')
        .replaceAll('<svg class="pattern"', '<i');
      const tags = [...own.matchAll(/<([a-z0-9]+)((?:[\s/](?:"[^"]*"|[^<>"])*)?)>/gi)];
      expect(tags.filter(([, name]) => /^(img|iframe|svg|base|style|form|object)$/i.test(name!))).toEqual([]);
      expect(tags.filter(([, , rest]) => /\son[a-z]+\s*=/i.test(rest!.replace(/"[^"]*"/g, '""')))).toEqual([]);
      expect(
        tags.filter(
          ([, name, rest]) => name === 'script' && !/^ (type="application\/ld\+json"|src="\/assets\/[\w.-]+" defer)$/.test(rest!),
        ),
      ).toEqual([]);
      expect(page).not.toMatch(/href="(javascript:|\/\/)/i);
      expect(page).toContain('&lt;script>alert(1)&lt;/script>');
    }
    const page = await read(`/event/${event.slug}`, 'en', tenant);
    // That of the structured data, and that which copies the link.
    expect(page.match(/<\/script>/g)).toHaveLength(2);
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
