import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import pg from 'pg';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, eventsPath as path, type Body } from '../support/events-api.js';
import { required as address } from '../support/postal-addresses.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the tests read events from the feed.
beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const { call, create, get, named } = eventsApi(() => ({ test, tenant, authorization }));

describe('GET /api/v2/events/', () => {
  const hour = 3_600_000;
  const from = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

  it('lists published events by start, including private ones', async () => {
    await create({ name: 'Later', startDate: '2027-05-01T20:00' });
    await create({ name: 'Sooner', startDate: '2027-04-01T20:00', audience: { audienceType: 'private' } });
    const hidden = await create({ name: 'Hidden', eventStatus: 'EventCancelled' });
    expect(await named()).toEqual(['Sooner', 'Later']);
    expect(await get(hidden.identifier)).toMatchObject({
      name: 'Hidden',
      eventStatus: 'https://schema.org/EventCancelled',
    });
    const { body } = await call('get').expect(200);
    expect(Object.keys(body as object)).toEqual(['results']);
    expect((body as { results: Body[] }).results[0]).toMatchObject({
      '@type': 'Event',
      audience: { '@type': 'Audience', audienceType: 'private' },
    });
  });

  it('starts with yesterday for only_futur and next_days, and includes running events', async () => {
    for (const [name, startDate, endDate] of [
      ['Ended', from(-80), from(-60)],
      ['Running', from(-81), from(2)],
      ['Just over', from(-1), from(-0.5)],
      ['Tonight', from(1), undefined],
      ['Next week', from(24 * 6), undefined],
      ['Next month', from(24 * 30), undefined],
    ])
      await create({ name, startDate, endDate });
    expect(await named()).toHaveLength(6);
    expect(await named('?only_futur=1')).toEqual(['Running', 'Just over', 'Tonight', 'Next week', 'Next month']);
    expect(await named('?only_futur=0')).toHaveLength(6);
    expect(await named('?next_days=7')).toEqual(['Running', 'Just over', 'Tonight', 'Next week']);
    expect(await named('?next_days=1&only_futur=0')).toEqual(['Running', 'Just over', 'Tonight']);
    expect(await named('?next_days=366')).toHaveLength(5);
  });

  it('starts with the first minute of yesterday in the time zone of the place', async () => {
    const [{ first }] = (await test.database.query<{ first: Date }>(
      `select (date_trunc('day', now() at time zone 'Europe/Paris') - interval '1 day') at time zone 'Europe/Paris' as first`,
    )) as [{ first: Date }];
    await create({ name: 'Yesterday', startDate: first.toISOString() });
    await create({ name: 'Before', startDate: new Date(first.getTime() - 1000).toISOString() });
    const begun = new Date(first.getTime() - 86_400_000).toISOString();
    await create({ name: 'Into yesterday', startDate: begun, endDate: new Date(first.getTime() + 60_000).toISOString() });
    await create({ name: 'Until yesterday', startDate: begun, endDate: first.toISOString() });
    expect(await named('?next_days=1')).toEqual(['Into yesterday', 'Yesterday']);
    expect(await named('?only_futur=1')).toEqual(['Into yesterday', 'Yesterday']);
  });

  it.each([
    'next_days=0',
    'next_days=367',
    'next_days=x',
    'next_days=1.5',
    'next_days=-1',
    'next_days=1&next_days=2',
    'only_futur=maybe',
    `filter=${'x'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    expect((await call('get', `?${query}`).expect(400)).body).toMatchObject({ code: 'query.invalid' });
  });

  it('searches name, subtitle and descriptions, ignoring case and accents', async () => {
    await create({ name: 'Fête d’été' });
    await create({
      name: 'Second',
      disambiguatingDescription: 'Une FETE',
      description: '<p>Rock &amp; <b>Ro</b>ll 100%</p>',
    });
    await create({ name: 'Third', alternateName: 'Étude n° 4', description: 'Quiet' });
    const found = (text: string): Promise<string[]> => named(`?filter=${encodeURIComponent(text)}`);
    expect((await found('fete')).toSorted()).toEqual(['Fête d’été', 'Second']);
    expect(await found('D’ÉTÉ')).toEqual(['Fête d’été']);
    expect(await found('rock & roll')).toEqual(['Second']);
    expect(await found('100%')).toEqual(['Second']);
    expect(await found('etude n')).toEqual(['Third']);
    for (const nothing of ['%', '_', '\\', 'strong', '<b>', "'; drop table event"]) {
      expect([nothing, await found(nothing)]).toEqual([nothing, nothing === '%' ? ['Second'] : []]);
    }
    expect(await found('')).toHaveLength(3);
  });

  it('is fast with two thousand events', async () => {
    await test.database.query(
      `insert into "${tenant.schemaName}".event (name, slug, starts_at, long_description)
       select 'No. ' || n, 'no-' || n, now() + n * interval '1 hour', repeat('Fête <b>x</b> ', 50) from generate_series(1, 2000) n`,
    );
    const started = performance.now();
    expect(await named('?filter=FETE')).toHaveLength(2000);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('answers 304 to a client with the current list', async () => {
    await create({ name: 'One' });
    const first = await call('get').expect(200);
    const tag = first.headers['etag'] as string;
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const again = await call('get').set('If-None-Match', `"other", ${tag}`).expect(304);
    expect(again.text).toBe('');
    await create({ name: 'Two' });
    await call('get').set('If-None-Match', tag).expect(200);
  });

  it('answers 304 until anything in the answer changes, whoever changes it', async () => {
    const parent = await create({ name: 'Festival', '@type': 'Festival' });
    const { identifier } = await create({ name: 'One', superEvent: parent.identifier });
    await call('post', `${identifier}/link-address/`).send(address).expect(200);
    const [place] = await test.database.query(`select id from "${tenant.schemaName}".postal_address`);
    const changes: [string, string, object][] = [
      ['events', identifier, { name: 'Other' }],
      ['events', identifier, { keywords: ['new'] }],
      ['events', identifier, { additionalProperty: [{ name: 'optionsRadio', value: ['A', 'B'] }] }],
      ['postal-addresses', String(place!['id']), { name: 'Small hall' }],
    ];
    let tag = (await call('get').expect(200)).headers['etag'] as string;
    for (const [noun, id, body] of changes) {
      await call('get').set('If-None-Match', tag).expect(304);
      const path = `/api/v2/${noun}/${id}/`;
      await test.on(tenant).call('patch', path).set('Authorization', authorization).send(body).expect(200);
      const { headers } = await call('get').set('If-None-Match', tag).expect(200);
      tag = headers['etag'] as string;
    }
    await call('get').set('If-None-Match', tag).set('Accept-Language', 'fr').expect(200);
    await call('get', '?filter=nothing').set('If-None-Match', tag).expect(200);
    await call('get').set('If-None-Match', tag).expect(304);
  });

  it('uses as many statements for thirty events as for one, and one for 304', async () => {
    const aboutEvents = (calls: readonly unknown[][]): number =>
      calls.filter(([sent]) => /\bevent(_\w+)?\b/.test(JSON.stringify(sent))).length;
    const asked: number[] = [];
    let tag = '';
    for (const turn of [1, 29]) {
      for (let count = 0; count < turn; count += 1) {
        const options = [{ name: 'optionsCheckbox', value: ['A'] }];
        const { identifier } = await create({ keywords: [`k${count}`], additionalProperty: options });
        await call('post', `${identifier}/link-address/`).send(address).expect(200);
      }
      await call('get').expect(200);
      const seen = jest.spyOn(pg.Client.prototype, 'query');
      tag = (await call('get').expect(200)).headers['etag'] as string;
      asked.push(aboutEvents(seen.mock.calls));
      seen.mockRestore();
    }
    const seen = jest.spyOn(pg.Client.prototype, 'query');
    await call('get').set('If-None-Match', tag).expect(304);
    const unchanged = aboutEvents(seen.mock.calls);
    seen.mockRestore();
    expect([asked[0]! > 0, asked[1], unchanged]).toEqual([true, asked[0], 1]);
  });
});

describe('GET /api/v2/events/<uuid or slug>/', () => {
  it('answers UUID and slug, with ETag and Last-Modified', async () => {
    const { identifier, url } = await create({ name: 'Ball' });
    const byId = await call('get', `${identifier}/`).expect(200);
    const slug = String(url).split('/').at(-1) as string;
    expect((await call('get', slug).expect(200)).body).toEqual(byId.body);
    expect((await call('get', identifier.toUpperCase()).expect(200)).body).toEqual(byId.body);
    const { etag, 'last-modified': modified } = byId.headers as Record<string, string>;
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(Math.abs(Date.parse(modified as string) - Date.now())).toBeLessThan(10_000);
    await call('get', `${identifier}/`)
      .set('If-None-Match', etag as string)
      .expect(304);
    await call('get', `${identifier}/`)
      .set('If-Modified-Since', modified as string)
      .expect(304);
    await call('head', `${identifier}/`).expect(200);
    // The label of the category differs in French.
    const french = await call('get', `${identifier}/`)
      .set('Accept-Language', 'fr')
      .set('If-None-Match', etag as string)
      .expect(200);
    expect(french.headers['vary']).toContain('Accept-Language');
  });

  it('answers 404 for everything that is not one of its events', async () => {
    const { identifier, url } = await create();
    const other = await test.newTenant();
    const theirs = await newKey(test, other, 'event:read', 'event:write');
    const slug = String(url).split('/').at(-1) as string;
    for (const key of [identifier, slug, randomUUID(), 'not-an-event', '1', 'x'.repeat(300), '%2e%2e', "a'b"]) {
      for (const [method, below] of [
        ['get', ''],
        ['patch', ''],
        ['delete', ''],
        ['post', 'link-address/'],
      ] as const) {
        const { status, body } = await call(method, `${key}/${below}`, theirs, other).send(
          { get: undefined, patch: {}, delete: undefined, post: address }[method],
        );
        expect([key, method, status, (body as Body)['code']]).toEqual([key, method, 404, 'event.unknown']);
      }
    }
    expect((await call('get', '', theirs, other).expect(200)).body).toEqual({ results: [] });
    await call('get', `${identifier}/`, theirs).expect(401);
    const left = await test.database.query(`select 1 from "${other.schemaName}".postal_address`);
    expect(left).toEqual([]);
  });
});

describe('keys', () => {
  it('require the scope event, separately for reading and writing', async () => {
    const { identifier } = await create();
    const reader = await newKey(test, tenant, 'event:read');
    const writer = await newKey(test, tenant, 'event:write');
    const stranger = await newKey(test, tenant, 'ticket:read', 'ticket:write', 'product:read');
    await call('get', `${identifier}/`, reader).expect(200);
    for (const [method, below] of [
      ['post', ''],
      ['patch', `${identifier}/`],
      ['delete', `${identifier}/`],
      ['post', `${identifier}/link-address/`],
    ] as const) {
      expect((await call(method, below, reader).send({}).expect(403)).body).toMatchObject({ code: 'key.scope' });
      await call(method, below, stranger).send({}).expect(403);
    }
    await call('get', '', writer).expect(403);
    await call('get', '', stranger).expect(403);
    await test.on(tenant).get(path).expect(401);
  });
});
