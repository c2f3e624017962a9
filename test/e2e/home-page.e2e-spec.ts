import { EventsService, type NewEvent } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicPages, wordsOf } from '../support/public-pages.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;

const create = (name: string, startsAt: string, more: Partial<NewEvent> = {}, tenant = venue): Promise<{ readonly slug: string }> =>
  test.inside(tenant, () => test.app.get(EventsService).create({ name, startsAt: new Date(startsAt), category: 'LIV', ...more }));

const { add, read } = publicPages(() => ({ test, venue }));

/** Names of the events that a list or cards have. */
const listed = async (path: string): Promise<string[]> =>
  [...(await read(path, 'en')).matchAll(/<h3[^>]*><a [^>]*>([^<]*)<\/a>/g)].map(([, name]) => name as string);

/** The fields of the calendar of a month by day, as text. */
async function month(path: string, language = 'en', tenant = venue): Promise<Map<string, string>> {
  const page = await read(path, language, tenant);
  const cells = [...page.matchAll(/<td[^>]*><time class="month-day" datetime="([^"]*)">(.*?)<\/td>/gs)];
  return new Map(cells.map(([, day, content]) => [day as string, wordsOf(content as string).trim()]));
}

/** The chips of a page with whether they are chosen. */
const chips = (page: string): (readonly [string, boolean])[] =>
  [...page.matchAll(/<a class="chip"([^>]*)>(?:<bdi>)?([^<]*)/g)].map(([, attributes, label]) => [
    label as string,
    (attributes as string).includes('aria-current="true"'),
  ]);

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some', environment: { RATE_PAGES: '100000/min' } });
  venue = await test.newTenant({ name: 'Salle Neuf', language: 'en', timeZone: 'Europe/Paris' });
});
afterAll(() => test.close());

describe('the home page of a venue', () => {
  it('says that nothing is on sale, and what was lately', async () => {
    const tenant = await test.newTenant({ name: 'Quiet House', language: 'en' });
    await add({ name: 'Last night', startsAt: new Date(Date.now() - 86_400_000) }, tenant);
    const page = await read('/', 'en', tenant);
    expect(page).toContain('<h1 dir="auto">Quiet House</h1>');
    expect(wordsOf(page)).toMatch(/Nothing on sale Nothing is announced yet\. .* Lately .* Last night .* Over/);
    expect(page).not.toContain('role="search"');
    await add({ name: 'First night' }, tenant);
    expect(await read('/', 'en', tenant)).not.toContain('Lately');
  });

  it('announces the next event large, with a button when it can be booked', async () => {
    const tenant = await test.newTenant({ name: 'Plain House', language: 'en' });
    const pages = publicPages(() => ({ test, venue: tenant }));
    const event = await pages.add({ name: 'Only night', startsAt: new Date('2041-03-09T19:00:00Z') });
    const plain = await read('/', 'en', tenant);
    expect(plain).toMatch(/<article class="next">.*<time class="date date-large" datetime="2041-03-09"><b>9<\/b> <span>Saturday<\/span>/s);
    expect(plain).toMatch(/<svg class="pattern" viewBox="0 0 320 170"/);
    for (const part of ['class="entry"', 'role="search"', 'Choose tickets']) expect(plain).not.toContain(part);
    await pages.sell(event, 'Entry', { Everybody: '0' });
    expect(await read('/', 'en', tenant)).toContain(`<a class="button" href="/event/${event.slug}#tickets">Choose tickets</a>`);
    // What costs something can be booked only where it can be paid.
    await pages.sell(event, 'Seat', { Everybody: '9' });
    await test.database.query(`update "${tenant.schemaName}".price set published = amount > 0`);
    expect(await read('/', 'en', tenant)).not.toContain('Choose tickets');
    await test.database.query(`update "${tenant.schemaName}".configuration set pay_at_venue_hours = 2`);
    expect(await read('/', 'en', tenant)).toContain('Choose tickets');
    await test.database.query(`update "${tenant.schemaName}".price set stock = 3`);
    expect(wordsOf(await read('/', 'en', tenant))).toContain('€9 3 left');
    await test.database.query(`update "${tenant.schemaName}".price set stock = 0`);
    const full = await read('/', 'en', tenant);
    expect(wordsOf(full)).toContain('Sold out Waiting list');
    expect(full).not.toContain('Choose tickets');
  });

  it('does not announce what is cancelled or postponed', async () => {
    const tenant = await test.newTenant({ language: 'en' });
    await add({ name: 'Postponed', alteration: 'postponed', startsAt: new Date('2041-01-01T19:00:00Z') }, tenant);
    await add({ name: 'Takes place', startsAt: new Date('2041-01-02T19:00:00Z') }, tenant);
    const page = await read('/', 'en', tenant);
    expect(page).toMatch(/<article class="next">.*Takes place.*<li class="entry entry-off">.*Postponed/s);
    expect(page.match(/Takes place/g)).toHaveLength(2);
  });
});

describe('the views of the programme', () => {
  beforeAll(async () => {
    await create('Poster', '2041-11-20T19:00:00Z');
    await create('Soup', '2041-11-28T14:00:00Z', { category: 'RES', keywords: ['Family'] });
    await create('Small Hours', '2041-12-12T17:00:00Z', { endsAt: new Date('2041-12-14T02:00:00Z'), category: 'FES' });
    // After midnight in Paris, and in the next year there.
    await create('New Year', '2041-12-31T23:30:00Z');
    await create('Snow', '2042-01-03T19:00:00Z', { keywords: ['Family'] });
  });

  it('are addresses, which filters and pages keep', async () => {
    const list = await read('/', 'en');
    expect(list).toMatch(/<nav class="views"[^>]*><a href="\/" aria-current="page">List<\/a><a href="\/\?view=cards"/);
    expect([list.match(/class="entry"/g)?.length, list.includes('href="/?month=2041-11&amp;view=month"')]).toEqual([5, true]);
    const cards = await read('/?view=cards&q=s', 'en');
    expect(cards.match(/class="card"/g)).toHaveLength(4);
    expect(cards.match(/<svg class="pattern" viewBox="0 0 320 200"/g)).toHaveLength(4);
    expect(cards).toContain('<h1>What’s on</h1>');
    expect(cards).toContain('<input type="hidden" name="view" value="cards"/>');
    expect(cards).toContain('href="/?q=s&amp;view=cards&amp;category=RES"');
    expect(cards).toContain('<a href="/?q=s">List</a>');
    for (const path of ['/?view=cards', '/?view=month', '/?view=month&month=2041-12'])
      expect(await read(path, 'en')).toContain('<meta name="robots" content="noindex"/>');
    expect(await read('/?view=list', 'en')).toContain('<meta property="og:title"');
    for (const path of ['/?view=rows', '/?view=month&month=2041-13', '/?view=month&month=x', '/?free=1'])
      await test.on(venue).get(path).expect(400);
    // Programs get the same as before.
    const { body } = await test.on(venue).get('/agenda.json?view=month&free=x').expect(200);
    expect((body as { results: unknown[] }).results).toHaveLength(5);
  });

  it('have a month as a calendar, with events of several days on each of them', async () => {
    const days = await month('/?view=month&month=2041-12');
    expect(days.size).toBe(31);
    expect([...days].filter(([, words]) => /[a-z]/.test(words))).toEqual([
      ['2041-12-12', '12 18:00 Small Hours'],
      ['2041-12-13', '13 Small Hours'],
      ['2041-12-14', '14 Small Hours'],
    ]);
    const page = await read('/?view=month&month=2041-12', 'en');
    expect(page).toMatch(/<thead><tr><th class="caps" scope="col">Mon<\/th>.*<th class="caps" scope="col">Sun<\/th><\/tr>/);
    expect(page).toContain('<h2 id="month">December 2041</h2>');
    // 1 December 2041 is a Sunday.
    expect(page).toContain(
      '<tbody><tr><td></td><td></td><td></td><td></td><td></td><td></td><td><time class="month-day" datetime="2041-12-01">',
    );

    expect(page).toContain('href="/?month=2041-11&amp;view=month" rel="nofollow prev">← November</a>');
    expect(page).toContain('href="/?month=2042-01&amp;view=month" rel="nofollow next">January →</a>');
    // The list of the month, for phones.
    expect(await listed('/?view=month&month=2041-12')).toEqual(['Small Hours']);
  });

  it('change the year, in the time zone and the language of the place', async () => {
    const january = await month('/?view=month&month=2042-01', 'fr');
    expect(january.get('2042-01-01')).toBe('1 0 h 30 New Year');
    const page = await read('/?view=month&month=2042-01', 'de');
    expect(page).toContain('rel="nofollow prev">← Dezember</a>');
    expect(page).toContain('<th class="caps" scope="col">Mo</th>');
    const montreal = await test.newTenant({ language: 'en', timeZone: 'America/Montreal' });
    await create('New Year', '2041-12-31T23:30:00Z', {}, montreal);
    expect((await month('/?view=month&month=2041-12', 'en', montreal)).get('2041-12-31')).toBe('31 18:30 New Year');
  });

  it('begin with the present month, and end with the last one', async () => {
    const page = await read('/?view=month', 'en');
    expect(page).not.toContain('nofollow prev');
    expect(page).toContain('aria-current="date"');
    expect(page).toContain('Nothing found.');
    expect(await read('/?view=month&month=9999-12', 'en')).not.toContain('nofollow next');
    // The view of a month does not narrow the others.
    expect(await read('/?view=month&month=2041-12&category=FES', 'en')).toContain('<a href="/?category=FES">List</a>');
  });

  it('show few events of a full day in its field, and a link to all', async () => {
    const tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
    for (const hour of [10, 12, 14, 16]) await create(`Talk ${hour}`, `2041-05-03T${hour}:00:00Z`, {}, tenant);
    const days = await month('/?view=month&month=2041-05', 'en', tenant);
    expect(days.get('2041-05-03')).toBe('3 , 4 events 12:00 Talk 10 14:00 Talk 12 2 more');
    const all = '<a href="/?from=2041-05-03&amp;to=2041-05-03" rel="nofollow">';
    const page = await read('/?view=month&month=2041-05', 'en', tenant);
    for (const link of [`${all}3<span class="unseen">, 4 events</span></a></time>`, `${all}2 more</a>`]) expect(page).toContain(link);
  });
});

describe('the chips', () => {
  it('are the kinds and tags that coming events have, with the chosen one marked', async () => {
    const page = await read('/', 'en');
    expect(chips(page)).toEqual([
      ['All', true],
      ['Concert', false],
      ['Festival', false],
      ['Catering', false],
      ['Family', false],
    ]);
    const chosen = await read('/?category=res&tag=family', 'en');
    expect(chips(chosen).filter(([, isChosen]) => isChosen)).toEqual([
      ['Catering', true],
      ['Family', true],
    ]);
    expect(chosen).toContain('href="/?tag=family" rel="nofollow" aria-current="true"><bdi>Catering</bdi>');
    // A kind without coming events can be taken off again.
    expect(chips(await read('/?category=SPO', 'en')).filter(([, isChosen]) => isChosen)).toEqual([['Sport', true]]);
  });

  it('offer what is free, which is what the entries call free', async () => {
    const tenant = await test.newTenant({ language: 'en' });
    const pages = publicPages(() => ({ test, venue: tenant }));
    const [free, paid, gift] = [
      await pages.add({ name: 'No charge' }),
      await pages.add({ name: 'Some charge' }),
      await pages.add({ name: 'Any charge' }),
    ];
    expect(await read('/', 'en', tenant)).not.toContain('free=on');
    await pages.sell(free, 'Entry', { Everybody: '0' });
    await pages.sell(paid, 'Half', { Adults: '5', Children: '0' });
    await pages.sell(gift, 'Hat', { Everybody: '0' });
    await test.database.query(`update "${tenant.schemaName}".price set free_amount = true
      where product_id = (select id from "${tenant.schemaName}".product where name = 'Hat')`);
    const page = await read('/?free=on', 'en', tenant);
    expect(page).toContain('href="/" rel="nofollow" aria-current="true"><bdi>Free</bdi>');
    expect([...page.matchAll(/<h3[^>]*><a [^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual(['No charge']);
  });
});

describe('a search with typing errors', () => {
  it('finds what was meant, and says so', async () => {
    await create('Sept Lieues: the album night', '2041-11-21T19:00:00Z');
    for (const q of ['sept lieus', 'SEPT LIEÜS', 'alubm nigth']) {
      const page = await read(`/?q=${encodeURIComponent(q)}`, 'en');
      expect(page).toContain('Sept Lieues: the album night</a></h3>');
      expect(page).toMatch(/<p class="meant">Nothing was found for “.*”\. These are the events for “(sept lieues|album night)”\.<\/p>/);
      expect(page).toContain('<meta name="robots" content="noindex"/>');
    }
    expect(await read('/?q=sept+lieues', 'en')).not.toContain('class="meant"');
    expect(await listed('/?q=lieus&category=RES')).toEqual([]);
    expect(await listed('/?q=completely+else')).toEqual([]);
    const { body } = await test.on(venue).get('/agenda.json?q=lieus').expect(200);
    expect((body as { results: unknown[] }).results).toEqual([]);
  });

  it('costs exact searches no further statement, and is cached', async () => {
    const { headers } = await test.on(venue).get('/?q=lieus').expect(200);
    await test
      .on(venue)
      .get('/?q=lieus')
      .set('If-None-Match', headers['etag'] as string)
      .expect(304);
    await create('Lieus', '2041-11-22T19:00:00Z');
    const { text } = await test
      .on(venue)
      .get('/?q=lieus')
      .set('If-None-Match', headers['etag'] as string)
      .expect(200);
    expect(text).not.toContain('class="meant"');
  });
});

describe('a long programme', () => {
  it('has pages below 30 kB, which end with a day', async () => {
    const tenant = await test.newTenant({ language: 'en', timeZone: 'UTC' });
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) =>
        tx.query(
          `insert into event (name, slug, starts_at, subtitle, category) select 'An evening of music with guests ' || n, 'evening-' || n,
             $1::timestamptz + (n / 2) * interval '1 day', 'A few words about what happens', 'LIV' from generate_series(0, 99) n`,
          [new Date('2041-06-01T10:00:00Z')],
        ),
      ),
    );
    for (const path of ['/', '/?view=cards', '/?view=month&month=2041-06']) {
      const page = await read(path, 'en', tenant);
      expect(`${path}: ${Buffer.byteLength(page) < 30_000}`).toBe(`${path}: true`);
    }
    const names = new Set<string>();
    let next: string | undefined = '/?view=cards';
    let pages = 0;
    for (; next; pages += 1) {
      const page: string = await read(next, 'en', tenant);
      for (const [name] of page.matchAll(/evening-\d+/g)) names.add(name);
      next = /href="([^"]*)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
      if (next) expect(next).toMatch(/^\/\?view=cards&after=2041-\d\d-\d\d$/);
    }
    expect([names.size, pages]).toEqual([100, 7]);
  });

  it('shows a whole day that is longer than a page', async () => {
    const tenant = await test.newTenant({ language: 'en', timeZone: 'UTC' });
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction((tx) =>
        tx.query(`insert into event (name, slug, starts_at) select 'Stand ' || n, 'stand-' || n, '2041-06-01T10:00:00Z'
          from generate_series(1, 60) n`),
      ),
    );
    expect(new Set((await read('/', 'en', tenant)).match(/stand-\d+/g)).size).toBe(60);
    expect(new Set((await read('/?view=cards', 'en', tenant)).match(/stand-\d+/g)).size).toBe(60);
  });
});

describe('members', () => {
  it('see that they buy first, or alone', async () => {
    const tenant = await test.newTenant({ language: 'en', configuration: {} });
    const pages = publicPages(() => ({ test, venue: tenant }));
    await pages.add({ name: 'Poster' });
    const event = await pages.add({ name: 'For friends', startsAt: new Date('2041-06-01T10:00:00Z') });
    await pages.sell(event, 'Seat', { Members: '4', Everybody: '9' });
    await test.database.query(`with club as (insert into "${tenant.schemaName}".product (name, category) values ('Club', 'A') returning id)
      update "${tenant.schemaName}".price set required_membership_id = club.id from club where name = 'Members'`);
    const entry = async (): Promise<string> => wordsOf((await read('/', 'en', tenant)).split('<li class="entry"')[2] ?? '');
    expect(await entry()).not.toMatch(/[Mm]embers/);
    await test.database.query(`update "${tenant.schemaName}".price set sales_from = '2041-01-01' where name = 'Everybody'`);
    expect(await entry()).toContain('Members first');
    await test.database.query(`update "${tenant.schemaName}".price set published = false where name = 'Everybody'`);
    expect(await entry()).toContain('€4 For members');
  });
});
