import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventCancellationsService, SeriesPoolsService } from '#tickets';
import { EventsService, PostalAddressesService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { newEvent } from '../support/builders.js';
import { pageFaults, recordFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'en' });
  staff = await staffOf(test, tenant);
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const read = async (path: string, status = 200): Promise<{ text: string; headers: Record<string, string> }> => {
  const { text, headers } = await test.on(tenant).get(path).set('Accept-Language', 'en').expect(status);
  return { text, headers };
};
const count = async (): Promise<unknown> => {
  const [row] = await inside(() =>
    test.app
      .get(TenantDb)
      .transaction((tx) =>
        tx.query<object[]>(
          `select (select count(*)::int from event) as events, (select count(*)::int from product where built_in is null) as products`,
        ),
      ),
  );
  return row;
};
const evening = {
  name: 'Night of Lanterns',
  day: '2040-05-21',
  begins: '20:00',
  doors: '19:15',
  ends: '',
  capacity: '80',
  category: 'CON',
  published: 'true',
};
const idIn = (address = ''): string => /records\/([^/]+)\//.exec(address)?.[1] ?? '';

interface PageLink {
  readonly title: string;
  readonly href: string;
}
async function linkOf(id: string): Promise<PageLink> {
  const { params } = (await staff.look('events', id)).record!;
  return { title: String(params['page.items.0.title']), href: String(params['page.items.0.href']) };
}

describe('the form that sets up an event', () => {
  it('makes the event with address, picture, product and prices, which visitors can book', async () => {
    const place = await inside(() =>
      test.app.get(PostalAddressesService).create({
        name: 'Garden',
        streetAddress: '1 rue X',
        addressLocality: 'Nantes',
        postalCode: '44000',
        addressCountry: 'FR',
      }),
    );
    const form = await staff.page('events', 'setUp');
    interface Field {
      name: string;
      options?: { value: string }[];
      rows?: { fields: Field[] };
    }
    const fields = form.view!['fields'] as Field[];
    expect(fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['name', 'category', 'img', 'prices', 'place', 'step', 'until', 'days', 'clocks']),
    );
    // The rates of the country of the venue's address.
    const vat = fields.find(({ name }) => name === 'prices')!.rows!.fields.find(({ name }) => name === 'vat')!;
    expect(vat.options!.map(({ value }) => value)).toEqual(['NA', 'VG', 'DX', '5.5', '2.1']);
    const { body: suggested } = await staff.call('get', '/suggested/prices/vat').expect(200);
    expect(suggested).toEqual({ values: ['NA', 'VG', 'DX', '5.5', '2.1'] });
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const sent = staff.call('post', '/api/resources/events/actions/setUp').attach('img', picture, 'picture.png');
    expect(fields.find(({ name }) => name === 'category')?.options).toHaveLength(14);
    const values = {
      ...evening,
      category: 'FES',
      place: place.id,
      price1: 'Full',
      amount1: '12,50',
      vat1: '5.5',
      price2: '',
      amount2: '0',
      price12: 'Twelfth',
      amount12: '7',
      vat12: 'DX',
    };
    for (const [name, value] of Object.entries(values)) void sent.field(name, value);
    const { body } = await sent.expect(200);
    const { redirectUrl, notice } = body as { redirectUrl?: string; notice?: { type: string } };
    expect(notice).toMatchObject({ type: 'success' });
    const link = await linkOf(idIn(redirectUrl));
    expect(link.title).toBe('View the page');
    const full = (await staff.list('prices', { 'filters.name': 'Full' })).records!.find(({ title }) => title === 'Full');
    expect(full?.params).toMatchObject({ vat: '5.5', amount: '12.50' });
    const { text } = await read(link.href);
    for (const shown of [
      'Night of Lanterns',
      'Festival</p>',
      '<strong>Garden</strong>',
      '€12.50',
      'Full price',
      '>Free<',
      'class="picture"',
      'max="80"',
      'Twelfth',
    ])
      expect(text).toContain(shown);
  });

  it('names further products of events with the same name by their day, and makes free ones free', async () => {
    const again = await staff.send('events', 'setUp', { ...evening, day: '2040-06-21', price1: 'Entry', amount1: '0' });
    expect((await read((await linkOf(idIn(again.redirectUrl))).href)).text).toContain('Night of Lanterns · 2040-06-21');
  });

  it('makes nothing when a field is wrong, and says which', async () => {
    const before = await count();
    const wrong = {
      name: '',
      day: 'soon',
      place: 'elsewhere',
      capacity: 'many',
      price1: 'Full',
      amount1: 'ten',
      amount2: '-1',
      amount3: '1.005',
      vat3: 'much',
    };
    const faults = Object.keys(pageFaults(await staff.send('events', 'setUp', wrong)));
    expect(faults).toEqual(['name', 'day', 'placeName', 'category', 'capacity', 'amount1', 'amount2', 'amount3', 'vat3']);
    // Refused by the service, after the event was written in the same transaction.
    const long = { ...evening, name: 'Another', price1: 'x'.repeat(500), amount1: '1' };
    expect((await staff.send('events', 'setUp', long)).notice?.type).not.toBe('success');
    expect(await count()).toEqual(before);
  });
});

describe('the form for an event on several dates, somewhere else', () => {
  it('makes all dates with their prices and a new address, or none', async () => {
    await staff.send('events', 'setUp', { ...evening, name: 'Before', price1: 'Full', amount1: '9', vat1: '5.5' });
    const fields = (await staff.page('events', 'setUp')).view!['fields'] as {
      name: string;
      rows?: { fields: { name: string; value?: string }[] };
    }[];
    // The rate of the last price is proposed.
    expect(fields.find(({ name }) => name === 'prices')!.rows!.fields.find(({ name }) => name === 'vat')!.value).toBe('5.5');
    const circus = {
      ...evening,
      name: 'Circus',
      begins: '16:30',
      doors: '',
      ends: '18:00',
      place: 'elsewhere',
      placeName: 'Big top',
      addressLocality: 'Rezé',
      step: 'week',
      day1: '2040-06-09',
      clock1: '20:30',
      price1: 'Full',
      amount1: '12',
      durationMinutes: '75',
      ageRange: 'from 5 years',
      access: 'step-free',
      published: 'false',
    };
    const before = await count();
    for (const [wrong, field] of [
      [{}, 'until'],
      [{ until: '2040-05-22' }, 'until'],
      [{ until: '2040-06-04', clock1: '25:00' }, 'clocks'],
      [{ until: '2040-06-04', step: 'century' }, 'step'],
      [{ until: '2040-06-04', doors: 'noon' }, 'doors'],
    ] as const)
      expect(Object.keys(pageFaults(await staff.send('events', 'setUp', { ...circus, ...wrong })))).toEqual([field]);
    expect(await count()).toEqual(before);
    const made = await staff.send('events', 'setUp', { ...circus, until: '2040-06-04' });
    expect(made.notice).toMatchObject({ type: 'success', message: 'setUpDone', options: { count: 8 } });
    const { params } = (await staff.look('events', idIn(made.redirectUrl))).record!;
    expect(params).toMatchObject({ published: false, durationMinutes: 75, ageRange: 'from 5 years', access: 'step-free' });
    const dates = (await inside(() =>
      test.app.get(TenantDb).transaction((tx) =>
        tx.query<object[]>(
          `select to_char(starts_at at time zone 'Europe/Paris', 'MM-DD HH24:MI') as at, ends_at - starts_at as long, published,
               address.name as place, (select count(*)::int from event_product where event_id = event.id) as products
             from event join postal_address address on address.id = postal_address_id
             where series_id = $1 order by starts_at`,
          [params['seriesId']],
        ),
      ),
    )) as { at: string }[];
    expect(dates.map(({ at }) => at)).toEqual(['05-21', '05-28', '06-04', '06-09'].flatMap((day) => [`${day} 16:30`, `${day} 20:30`]));
    for (const date of dates)
      expect(date).toMatchObject({ long: { hours: 1, minutes: 30 }, published: false, place: 'Big top', products: 1 });
  });

  it('lets the dates share their places when it is told so, also when dates are added later', async () => {
    const pools = test.app.get(SeriesPoolsService);
    const poolOf = (id: string) => inside(() => pools.find(id));
    const made = async (name: string, places: string) => {
      const values = { ...evening, name, step: 'week', until: '2040-06-04', capacity: '30', places };
      return idIn((await staff.send('events', 'setUp', values)).redirectUrl);
    };
    expect(await poolOf(await made('Own', 'own'))).toMatchObject({ capacity: null, dates: 3 });
    const shared = await made('Shared', 'shared');
    expect(await poolOf(shared)).toMatchObject({ capacity: 30, dates: 3 });
    const asks = async (id: string) => JSON.stringify((await staff.look('events', id, 'moreDates')).view).includes('"name":"places"');
    const more = (id: string, day1: string, places: string) => staff.act('events', id, 'moreDates', { step: 'other', day1, places });
    await more(shared, '2040-07-01', 'own');
    expect(await poolOf(shared)).toMatchObject({ capacity: 30, dates: 4 });
    const { id } = await newEvent(test, tenant, { capacity: 12, startsAt: new Date('2040-05-21T18:00:00Z') });
    expect([await asks(shared), await asks(id)]).toEqual([false, true]);
    await more(id, '2040-07-01', 'shared');
    expect(await poolOf(id)).toMatchObject({ capacity: 12, dates: 2 });
    await more(id, '2040-07-02', 'own');
    expect(await poolOf(id)).toMatchObject({ capacity: 12, dates: 3 });
  });
});

describe('the preview of an event', () => {
  it('opens with its signed link only, and is neither cached nor indexed', async () => {
    const { id, slug } = await newEvent(test, tenant, {});
    await inside(() => test.app.get(EventsService).update(id, { published: false }));
    await read(`/event/${slug}`, 404);
    const { title, href } = await linkOf(id);
    expect(title).toBe('Preview the page');
    const { text, headers } = await read(href);
    expect(text).toContain('Preview: this event is not published');
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(text).toContain('€12.50');
    expect(text).not.toMatch(/<form class="booking"|canonical|ld\+json/);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' });

    const other = await newEvent(test, tenant, {});
    const key = href.split('/').at(-1) as string;
    const [until = '', mark = ''] = key.split('.');
    const first = mark.startsWith('A') ? 'B' : 'A';
    for (const wrong of [`${until}.${first}${mark.slice(1)}`, `${Number(until) + 1}.${mark}`, mark, '.', 'x'.repeat(500)])
      await read(`/event/${slug}/preview/${encodeURIComponent(wrong)}`, 404);
    await read(`/event/${other.slug}/preview/${key}`, 404);
    const stranger = await test.newTenant();
    await test.on(stranger).get(href).expect(404);
  });
});

describe('the record of an event', () => {
  it('links to the preview of a private event, and to the page of a cancelled one', async () => {
    const secret = await newEvent(test, tenant, { isPrivate: true });
    await read(`/event/${secret.slug}`, 404);
    const preview = await linkOf(secret.id);
    expect(preview.title).toBe('Preview the page');
    expect((await read(preview.href)).text).toContain('Preview: this event is private');
    const off = await newEvent(test, tenant, {});
    expect(await linkOf(off.id)).toEqual({ title: 'View the page', href: `/event/${off.slug}` });
    for (const { id } of [off, secret]) await inside(() => test.app.get(EventCancellationsService).cancel(id));
    expect(await linkOf(off.id)).toEqual({ title: 'View the page', href: `/event/${off.slug}` });
    expect((await read(`/event/${off.slug}`)).text).toContain('This event is cancelled.');
    expect((await read((await linkOf(secret.id)).href)).text).toContain('Preview: this event is not published');
  });
});

describe('the settings of the shop', () => {
  it('are one page of the profile, and keep what is wrong beside its field', async () => {
    const { view } = await staff.look('profile', 'profile', 'shop');
    expect((view!['fields'] as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['terms', 'imprint', 'payAtVenueHours', 'allowedSites']),
    );
    const wrong = await staff.act('profile', 'profile', 'shop', { payAtVenueHours: 'soon', allowedSites: '*' });
    expect(Object.keys(recordFaults(wrong)).toSorted()).toEqual(['allowedSites', 'payAtVenueHours']);
    const values = { payAtVenueHours: '3', allowedSites: 'www.example.org', terms: 'No returns.' };
    expect((await staff.act('profile', 'profile', 'shop', values)).notice).toMatchObject({ type: 'success' });
    expect((await read('/terms')).text).toContain('No returns.');
    const { params } = (await staff.look('profile', 'profile')).record!;
    expect(params).toMatchObject({ payAtVenueHours: 3, allowedSites: 'https://www.example.org' });
    await staff.act('profile', 'profile', 'shop', { payAtVenueHours: '' });
    expect((await staff.look('profile', 'profile')).record!.params['payAtVenueHours'] ?? null).toBeNull();
  });
});
