import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, eventsPath as path, optionsOf, startDate, type Body } from '../support/events-api.js';
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

const { call, create, get, patch, named, told } = eventsApi(() => ({ test, tenant, authorization }));

describe('POST /api/v2/events/', () => {
  it('requires only name and startDate, and fills in the rest', async () => {
    const answer = await call('post').send({ name: 'Workday', startDate }).expect(201);
    const { identifier } = answer.body as { identifier: string };
    expect(answer.body).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      additionalType: 'Workcamp',
      identifier,
      name: 'Workday',
      url: `http://${tenant.host}:3000/event/workday-20270301-2000-${identifier.slice(0, 8)}`,
      startDate,
      maximumAttendeeCapacity: 50,
      eventStatus: 'https://schema.org/EventScheduled',
      offers: { '@type': 'Offer', returnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays: 7 } },
    });
    expect(answer.headers['location']).toBe(`${path}${identifier}/`);
    expect(await get(identifier)).toEqual(answer.body);
  });

  it('spells a name in another script in the address of its page', async () => {
    for (const [name, words] of [
      ['Концерт на площади', 'kontsert-na-ploshchadi'],
      ['Straßenfest in Łódź', 'strassenfest-in-lodz'],
      ['春の音楽会', '[a-z-]+'],
      ['حفلة', '[a-z-]+'],
    ] as const) {
      const { url } = (await call('post').send({ name, startDate }).expect(201)).body as { url: string };
      const { pathname } = new URL(url);
      expect(pathname).toMatch(new RegExp(`^/event/${words}-20270301-2000-[0-9a-f]{8}$`));
      expect((await test.on(tenant).get(pathname).expect(200)).text).toContain(name);
    }
  });

  it('accepts every member of the table, and answers them', async () => {
    const parent = await create({ name: 'Festival', '@type': 'Festival' });
    const full = {
      '@context': 'https://schema.org',
      '@type': 'MusicEvent',
      additionalType: 'Concert',
      name: 'Quartet',
      startDate: '2027-07-01T20:00:00+02:00',
      endDate: '2027-07-01T23:30:00+02:00',
      maximumAttendeeCapacity: 120,
      alternateName: 'Late works',
      disambiguatingDescription: 'Strings',
      description: '<p>Four <strong>strings</strong></p>',
      eventStatus: 'https://schema.org/EventScheduled',
      audience: { '@type': 'Audience', audienceType: 'private' },
      keywords: ['Jazz', 'Strings'],
      url: 'https://venue.example/quartet',
      sameAs: 'https://elsewhere.example/quartet',
      offers: {
        '@type': 'Offer',
        eligibleQuantity: { '@type': 'QuantitativeValue', maxValue: 4 },
        returnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays: 14 },
      },
      additionalProperty: [
        { '@type': 'PropertyValue', name: 'optionsRadio', value: ['Seated', 'Balcony', 'Standing'] },
        { '@type': 'PropertyValue', name: 'optionsCheckbox', value: ['Meal', 'Coat'] },
        { '@type': 'PropertyValue', name: 'customConfirmationMessage', value: 'See you there!' },
      ],
    };
    const { identifier, ...made } = await create({ ...full, superEvent: parent.identifier });
    const options = (optionsOf(made) as { identifier: string }[]).map((option) => option.identifier);
    expect(new Set(options).size).toBe(5);
    const named = [
      ['radio', 'Seated'],
      ['radio', 'Balcony'],
      ['radio', 'Standing'],
      ['checkbox', 'Meal'],
      ['checkbox', 'Coat'],
    ];
    const value = named.map(([kind, name], index) => ({
      identifier: options[index],
      kind,
      name,
      published: true,
      order: (index % 3) + 1,
    }));
    const [radio, checkbox, message] = full.additionalProperty;
    expect(made).toEqual({
      ...full,
      additionalProperty: [radio, checkbox, { '@type': 'PropertyValue', name: 'options', value }, message],
      superEvent: parent.identifier,
    });
    expect(await get(identifier)).toEqual({ ...made, identifier });
    // The response can be sent back unchanged.
    expect(await patch(identifier, await get(identifier))).toEqual(await get(identifier));
    expect((await told()).map(({ type }) => type)).toEqual(['event.created', 'event.created']);
    expect((await told())[1]!.data).toEqual({ ...made, identifier, sequence: 1 });
  });

  it('refuses a second event with the same name and start with 409', async () => {
    await create({ name: 'Ball' });
    expect(await create({ name: 'Ball', startDate: '2027-03-01T19:00:00Z' }, 409)).toMatchObject({
      code: 'event.exists',
    });
    await create({ name: 'Ball', startDate: '2027-03-02T20:00:00+01:00' });
  });

  it('creates an event once when twenty requests arrive at once', async () => {
    // Verified to create all twenty without the unique constraint.
    const answers = await test.database.race(`lock table "${tenant.schemaName}".event in share mode`, [], () =>
      Promise.all(Array.from({ length: 20 }, () => call('post').send({ name: 'Ball', startDate, keywords: ['Dance'] }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...(Array(19).fill(409) as number[])]);
    expect(await named()).toEqual(['Ball']);
    expect(await told()).toHaveLength(1);
  });

  it('reads dates without offset in the time zone of the place, and answers with the offset', async () => {
    const tokyo = await test.newTenant({ timeZone: 'Asia/Tokyo' });
    const key = await newKey(test, tokyo, 'event:read', 'event:write');
    for (const [given, answered] of [
      ['2027-03-01T20:00', '2027-03-01T20:00:00+09:00'],
      ['2027-03-02 20:00:30', '2027-03-02T20:00:30+09:00'],
      ['2027-03-03T20:00:00Z', '2027-03-04T05:00:00+09:00'],
      ['2027-03-04T20:00:00.500-0500', '2027-03-05T10:00:00.500+09:00'],
    ]) {
      const { body } = await call('post', '', key, tokyo).send({ name: 'Noh', startDate: given }).expect(201);
      expect((body as Body)['startDate']).toBe(answered);
    }
    expect((await create({ startDate: '2027-07-01T20:00' }))['startDate']).toBe('2027-07-01T20:00:00+02:00');
  });

  it('reduces descriptions to allowed elements, and name, subtitle and short description to plain text', async () => {
    const { identifier } = await create({
      name: '<i>Rock</i> &amp; Roll',
      alternateName: 'The <i>second</i>\n try',
      disambiguatingDescription: '<b>Loud</b> & proud<script>alert(1)</script>',
      description: '<h2 onclick="x()">Tonight</h2><script>alert(1)</script><a href="javascript:x()">y</a><img src=x onerror=z()>',
      keywords: ['<u>Rock</u>'],
      additionalProperty: [
        { name: 'optionsRadio', value: ['<b>Seat</b>'] },
        { name: 'customConfirmationMessage', value: '<p>Yes</p><iframe>' },
      ],
    });
    expect(await get(identifier)).toMatchObject({
      name: 'Rock & Roll',
      alternateName: 'The second try',
      disambiguatingDescription: 'Loud & proud',
      description: '<h2>Tonight</h2><a>y</a>',
      keywords: ['Rock'],
      additionalProperty: [
        { name: 'optionsRadio', value: ['Seat'] },
        { name: 'options', value: [{ name: 'Seat' }] },
        { name: 'customConfirmationMessage', value: '<p>Yes</p>' },
      ],
    });
  });

  it('falls back to the short description', async () => {
    expect(await create({ disambiguatingDescription: 'Short' })).toMatchObject({
      disambiguatingDescription: 'Short',
      description: 'Short',
    });
  });

  it('stores the url; without one, url is the page of the place, or sameAs', async () => {
    const sent = await create({ url: 'https://elsewhere.example' });
    expect(sent['url']).toBe('https://elsewhere.example');
    expect(sent).not.toHaveProperty('sameAs');
    expect(await get(sent.identifier)).toEqual(sent);
    expect((await told()).at(-1)!.data).toMatchObject({ url: 'https://elsewhere.example' });
    const page = new RegExp(`^http://${tenant.host}:3000/event/`);
    const reset = await patch(sent.identifier, { url: null });
    expect(reset['url']).toMatch(page);
    // A default url that is sent back is not stored: it still follows the event and sameAs.
    await patch(sent.identifier, { url: reset['url'] });
    expect(await patch(sent.identifier, { sameAs: 'https://elsewhere.example/x' })).toMatchObject({ url: 'https://elsewhere.example/x' });
    await patch(sent.identifier, await get(sent.identifier));
    expect((await patch(sent.identifier, { sameAs: null }))['url']).toMatch(page);
    const copy = await create({ url: reset['url'] });
    expect(copy['url']).not.toBe(reset['url']);
    expect(copy['url']).toMatch(page);
    const external = await create({ sameAs: 'https://elsewhere.example/ball' });
    expect(external).toMatchObject({ url: 'https://elsewhere.example/ball', sameAs: 'https://elsewhere.example/ball' });
    expect(await patch(external.identifier, { sameAs: null })).not.toHaveProperty('sameAs');
  });
});
