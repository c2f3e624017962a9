import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventCancellationsService } from '#tickets';
import { EventsService, PostalAddressesService, ProductsService, type Event, type EventAlteration, type EventChange } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { expanded } from '../support/json-ld.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({
    name: 'Théâtre du Coin',
    language: 'en',
    configuration: { street_address: '3 rue Basse', postal_code: '44000', city: 'Nantes', country: 'FR', email: 'hello@coin.example' },
  });
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const read = async (path: string, language = 'en'): Promise<string> =>
  (await test.on(tenant).get(path).set('Accept-Language', language).buffer(true).expect(200)).text;
const cancel = (id: string) => inside(() => test.app.get(EventCancellationsService).cancel(id, { note: 'The singer is ill' }));

async function jsonLdOf(event: Pick<Event, 'slug'>): Promise<Record<string, unknown>> {
  const page = await read(`/event/${event.slug}`);
  const [, structured] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  const document = JSON.parse(structured!) as Record<string, unknown>;
  // Fails on terms that are not in schema.org.
  await expanded(document, tenant);
  return document;
}

/** The properties of an event in a calendar. */
function calendarEvent(calendar: string, id: string): Record<string, string> {
  const events = calendar.replaceAll('\r\n ', '').split('BEGIN:VEVENT');
  const event = events.find((part) => part.includes(`UID:${id}`)) ?? '';
  const lines = [...event.matchAll(/^([A-Z-]+)[^:\r\n]*:(.*)$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [name, value]));
}

describe('the page of a cancelled event', () => {
  it('tells people, search engines, calendars and feed readers that the event is cancelled', async () => {
    const event = await newEvent(test, tenant, { startsAt: new Date(Date.now() + 90_000_000) });
    const before = calendarEvent(await read('/agenda.ics'), event.id);
    expect(before['STATUS']).toBe('CONFIRMED');
    await cancel(event.id);

    expect(await read(`/event/${event.slug}`)).toContain('This event is cancelled.');
    const french = await read(`/event/${event.slug}`, 'fr');
    expect(french).toContain('Cet événement est annulé.');
    expect(french).not.toContain('12,50');
    expect(french).not.toContain('.ics">Ajouter');
    const structured = await jsonLdOf(event);
    expect(structured['eventStatus']).toBe('https://schema.org/EventCancelled');
    expect(structured['startDate']).toBeDefined();
    expect(structured['offers']).toBeUndefined();

    const agenda = await read('/');
    expect(agenda).toMatch(new RegExp(`class="entry entry-off">(?:(?!</li>).)*${event.name}(?:(?!</li>).)*stamp-bad">Cancelled`, 's'));
    expect(await read('/agenda.rss')).toContain(`<title>Cancelled: ${event.name}</title>`);
    expect(await read('/sitemap.xml')).toContain(event.slug);
    for (const path of ['/agenda.ics', `/event/${event.slug}.ics`]) {
      const after = calendarEvent(await read(path), event.id);
      expect(after['STATUS']).toBe('CANCELLED');
      expect(Number(after['SEQUENCE'])).toBeGreaterThan(Number(before['SEQUENCE']));
      expect(after['LAST-MODIFIED']! >= before['LAST-MODIFIED']!).toBe(true);
      expect(after['DTSTAMP']).toBe(after['LAST-MODIFIED']);
      expect(after['ORGANIZER']).toBe('mailto:hello@coin.example');
    }
  });

  it('exists only for announced events: not for drafts, private or merely unpublished events', async () => {
    const draft = await newEvent(test, tenant, { published: false });
    const hidden = await newEvent(test, tenant, { isPrivate: true });
    const taken = await newEvent(test, tenant);
    await cancel(hidden.id);
    await inside(() => test.app.get(EventsService).update(taken.id, { published: false }));
    for (const { slug, name } of [draft, hidden, taken]) {
      await test.on(tenant).get(`/event/${slug}`).expect(404);
      await test.on(tenant).get(`/event/${slug}.ics`).expect(404);
      for (const path of ['/', '/agenda.ics', '/agenda.rss', '/sitemap.xml']) {
        expect(await read(path)).not.toContain(slug);
        expect(await read(path)).not.toContain(name);
      }
    }
  });

  it('shows the event as before when it is published again', async () => {
    const event = await newEvent(test, tenant);
    await cancel(event.id);
    await inside(() => test.app.get(EventsService).update(event.id, { published: true }));
    const structured = await jsonLdOf(event);
    expect(structured['eventStatus']).toBe('https://schema.org/EventScheduled');
    expect(await read(`/event/${event.slug}`)).not.toContain('cancelled');
    expect(calendarEvent(await read('/agenda.ics'), event.id)['STATUS']).toBe('CONFIRMED');
  });
});

describe('an event that does not take place as it was announced', () => {
  const change = (id: string, alteration: EventAlteration, more: EventChange = {}) =>
    inside(() => test.app.get(EventsService).update(id, { alteration, ...more }));
  const agendaJson = async (id: string): Promise<Record<string, unknown> | undefined> => {
    const { results } = JSON.parse(await read('/agenda.json')) as { results: Record<string, unknown>[] };
    return results.find(({ identifier }) => identifier === id);
  };

  it('has no date and sells nothing while it is postponed', async () => {
    const event = await newEvent(test, tenant, { startsAt: new Date(Date.now() + 90_000_000) });
    const price = await newPrice(test, tenant, event.id, { amount: '0', name: 'Free seat' });
    await change(event.id, 'postponed');
    const page = await read(`/event/${event.slug}`);
    expect(page).toMatch(/Postponed: the new date will be announced\. Tickets stay valid\.<\/strong><br\/><del>/);
    expect(page).toContain(`<title>Postponed: ${event.name} · `);
    expect(page).not.toContain(`/event/${event.slug}/book`);
    const { text: refusal } = await test
      .on(tenant)
      .post(`/event/${event.slug}/book`)
      .type('form')
      .set('Sec-Fetch-Site', 'same-origin')
      .send({ price, quantity: '1' })
      .expect(409);
    expect(refusal).toContain('This event is postponed');
    expect(await jsonLdOf(event)).toMatchObject({ eventStatus: 'https://schema.org/EventPostponed', startDate: expect.any(String) });
    expect((await jsonLdOf(event))['offers']).toBeUndefined();
    expect(await read('/', 'fr')).toMatch(
      new RegExp(`class="entry entry-off">(?:(?!</li>).)*${event.name}(?:(?!</li>).)*<span class="stamp stamp-warn">Reporté</span>`, 's'),
    );
    expect(await read('/agenda.rss')).toContain(`<title>Postponed: ${event.name}</title>`);
    expect(calendarEvent(await read('/agenda.ics'), event.id)).toMatchObject({ STATUS: 'TENTATIVE', SUMMARY: `Postponed: ${event.name}` });
    const listed = await agendaJson(event.id);
    expect(listed).toMatchObject({ eventStatus: 'https://schema.org/EventPostponed' });
    expect(listed?.['offers']).toBeUndefined();
  });

  it('names the date before, and where it takes place now', async () => {
    const event = await newEvent(test, tenant, { startsAt: new Date('2031-05-03T18:00:00Z') });
    await change(event.id, 'rescheduled', { startsAt: new Date('2031-06-07T18:00:00Z') });
    const moved = 'New date (before: Saturday 3 May 2031, 20:00).';
    expect(await read(`/event/${event.slug}`)).toContain(`<strong class="altered">${moved} Tickets stay valid.</strong>`);
    expect(await jsonLdOf(event)).toMatchObject({ previousStartDate: '2031-05-03T20:00:00+02:00' });
    expect(calendarEvent(await read(`/event/${event.slug}.ics`), event.id)).toMatchObject({ STATUS: 'CONFIRMED' });
    expect(await read('/agenda.rss')).toContain(`${moved} Saturday`);
    await change(event.id, 'moved_online');
    expect(await read(`/event/${event.slug}`)).toContain(`Takes place online. ${moved}`);
    expect(await jsonLdOf(event)).toMatchObject({
      eventStatus: 'https://schema.org/EventMovedOnline',
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation' },
    });
  });

  it('says "new time" where the day stays the same', async () => {
    const event = await newEvent(test, tenant, { startsAt: new Date('2031-05-03T18:00:00Z') });
    await change(event.id, 'rescheduled', { startsAt: new Date('2031-05-03T19:00:00Z') });
    expect(await read(`/event/${event.slug}`)).toContain('New time (before: Saturday 3 May 2031, 20:00). Tickets stay valid.');
    expect(calendarEvent(await read(`/event/${event.slug}.ics`), event.id)['SUMMARY']).toMatch(/^New time: /);
  });
});

describe('the subtitle of an event', () => {
  it('is shown on its page and in the agenda, in structured data, calendars and feeds', async () => {
    const subtitle = 'Lieder & <b>Songs</b>';
    // Stored without cleaning, so that pages must escape it.
    const event = await newEvent(test, tenant);
    await test.database.query(`update "${tenant.schemaName}".event set subtitle = $2 where id = $1`, [event.id, subtitle]);
    const shown = `<p class="subtitle" dir="auto">Lieder &amp; &lt;b>Songs&lt;/b></p>`;
    const page = await read(`/event/${event.slug}`);
    expect(page).toMatch(new RegExp(`${event.name}</h1>\\s*${shown}`));
    expect(page).toMatch(/<meta name="description" content="[^"]*Lieder &amp; /);
    expect(await read('/')).toMatch(new RegExp(`${event.name}</a></h[23]>\\s*${shown.replace('subtitle', 'entry-sub')}`));
    expect((await jsonLdOf(event))['alternateName']).toBe(subtitle);
    for (const path of ['/agenda.ics', `/event/${event.slug}.ics`]) {
      expect(calendarEvent(await read(path), event.id)).toMatchObject({ SUMMARY: event.name, DESCRIPTION: subtitle });
    }
    expect(await read('/agenda.rss')).toContain('&lt;p&gt;Lieder &amp;amp; &amp;lt;b&gt;Songs');
  });
});

describe('structured data of an event', () => {
  it('has everything that Google asks for: place with name and address, offers, organizer, attendance mode', async () => {
    const address = await inside(() =>
      test.app.get(PostalAddressesService).create({
        name: 'La Grange',
        streetAddress: '1 chemin Vert',
        addressLocality: 'Rezé',
        postalCode: '44400',
        addressCountry: 'FR',
      }),
    );
    const event = await newEvent(test, tenant, { capacity: 5, postalAddressId: address.id });
    await newPrice(test, tenant, event.id, { amount: '0', stock: 1, name: 'Guest' });
    await book(test, tenant, event, { quantity: 3, confirmed: true });
    const url = `http://${tenant.host}:3000/event/${event.slug}`;
    const structured = await jsonLdOf(event);
    expect(structured).toMatchObject({
      name: event.name,
      startDate: expect.stringMatching(/[+-]\d\d:\d\d$/),
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      url,
      location: { '@type': 'Place', name: 'La Grange', address: { '@type': 'PostalAddress', addressLocality: 'Rezé' } },
      organizer: { '@type': 'Organization', name: 'Théâtre du Coin', url: `http://${tenant.host}:3000/` },
    });
    const offers = structured['offers'] as Record<string, unknown>[];
    expect(offers).toHaveLength(2);
    for (const offer of offers) {
      expect(offer).toMatchObject({ '@type': 'Offer', priceCurrency: 'EUR', url, validFrom: expect.stringMatching(/[+-]\d\d:\d\d$/) });
      expect(Date.parse(offer['validFrom'] as string)).toBeLessThanOrEqual(Date.now());
    }
    // The venue has no online payment.
    expect(Object.fromEntries(offers.map(({ price, availability }) => [price, availability]))).toEqual({
      '0.00': 'https://schema.org/InStock',
      '12.50': 'https://schema.org/InStoreOnly',
    });

    await book(test, tenant, event, { quantity: 2, confirmed: true });
    const full = (await jsonLdOf(event))['offers'] as Record<string, unknown>[];
    expect(full.map(({ availability }) => availability)).toEqual(full.map(() => 'https://schema.org/SoldOut'));
  });

  it('leads to the form where tickets are booked, also when the event has a page of its own', async () => {
    const band = 'https://band.example.org/tour';
    const event = await newEvent(test, tenant, { url: band });
    const url = `http://${tenant.host}:3000/event/${event.slug}`;
    // Sold at the venue only.
    const plain = await jsonLdOf(event);
    expect(plain).toMatchObject({ url: band, offers: [{ url: band, availability: 'https://schema.org/InStoreOnly' }] });
    expect(plain).not.toHaveProperty('potentialAction');
    await newPrice(test, tenant, event.id, { amount: '0' });
    const sold = await jsonLdOf(event);
    expect(sold).toMatchObject({ url: band, potentialAction: { target: url } });
    expect((sold['offers'] as Record<string, unknown>[]).map((offer) => offer['url'])).toEqual([url, url]);
    const elsewhere = await newEvent(test, tenant, { sameAs: band });
    expect(await jsonLdOf(elsewhere)).toMatchObject({ offers: [{ url: band, availability: 'https://schema.org/InStock' }] });
  });

  it('says which prices are for members', async () => {
    const event = await newEvent(test, tenant, {});
    const { id } = await inside(() => test.app.get(ProductsService).create({ name: 'Friends of the house', category: 'A' }));
    await newPrice(test, tenant, event.id, { name: 'Member', amount: '0', requiredMembershipId: id });
    const offers = (await jsonLdOf(event))['offers'] as Record<string, unknown>[];
    const tiers = Object.fromEntries(offers.map(({ price, validForMemberTier }) => [price, validForMemberTier]));
    expect(tiers).toEqual({
      '0.00': {
        '@type': 'MemberProgramTier',
        name: 'Friends of the house',
        hasTierBenefit: 'https://schema.org/TierBenefitLoyaltyPrice',
      },
      '12.50': undefined,
    });
  });

  it('names the place when the address has no name, and the venue when there is no address', async () => {
    const address = await inside(() =>
      test.app
        .get(PostalAddressesService)
        .create({ streetAddress: '9 quai Nord', addressLocality: 'Nantes', postalCode: '44000', addressCountry: 'FR' }),
    );
    const outside = await newEvent(test, tenant, { postalAddressId: address.id });
    expect((await jsonLdOf(outside))['location']).toMatchObject({ name: '9 quai Nord, Nantes' });
    const home = await newEvent(test, tenant, { postalAddressId: null });
    expect((await jsonLdOf(home))['location']).toMatchObject({
      name: 'Théâtre du Coin',
      address: { streetAddress: '3 rue Basse', postalCode: '44000', addressLocality: 'Nantes', addressCountry: 'FR' },
    });
  });

  it('has no offers for events that are over or sell nothing, and names only public parents', async () => {
    const over = await newEvent(test, tenant, { startsAt: new Date('2021-05-01T18:00:00Z') });
    const plain = await inside(() =>
      test.app.get(EventsService).create({ name: `Talk ${randomUUID()}`, startsAt: new Date(Date.now() + 90_000_000) }),
    );
    for (const event of [over, plain]) expect(await jsonLdOf(event)).not.toHaveProperty('offers');
    const parent = await newEvent(test, tenant);
    const secret = await newEvent(test, tenant, { isPrivate: true });
    const part = await newEvent(test, tenant, { superEventId: parent.id });
    const quiet = await newEvent(test, tenant, { superEventId: secret.id });
    expect((await jsonLdOf(part))['superEvent']).toMatchObject({
      '@type': 'Event',
      name: parent.name,
      startDate: expect.stringMatching(/[+-]\d\d:\d\d$/),
    });
    expect(JSON.stringify(await jsonLdOf(quiet))).not.toContain(secret.id);
  });
});
