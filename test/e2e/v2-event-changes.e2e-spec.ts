import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { newEvent, newTicket } from '../support/builders.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, eventsPath as path, startDate, type Fault } from '../support/events-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the tests read events from the feed.
beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const { call, create, get, patch, told } = eventsApi(() => ({ test, tenant, authorization }));
const address = { streetAddress: '1 rue Neuve', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };

describe('PATCH /api/v2/events/<uuid>/', () => {
  it('changes sent members, removes null members, keeps the rest', async () => {
    const parent = await create();
    const { identifier } = await create({
      '@type': 'MusicEvent',
      endDate: '2027-03-01T22:00:00+01:00',
      maximumAttendeeCapacity: 10,
      alternateName: 'Subtitle',
      disambiguatingDescription: 'Short',
      description: 'Long',
      audience: { audienceType: 'private' },
      sameAs: 'https://elsewhere.example/',
      keywords: ['One'],
      offers: { eligibleQuantity: { maxValue: 4 }, returnPolicy: { merchantReturnDays: 3 } },
      additionalProperty: [
        { name: 'optionsRadio', value: ['A', 'B'] },
        { name: 'customConfirmationMessage', value: 'Hi' },
      ],
      superEvent: parent.identifier,
    });
    const before = await get(identifier);
    expect(await patch(identifier, {})).toEqual(before);
    expect(await patch(identifier, { name: 'Renamed', maximumAttendeeCapacity: 20 })).toEqual({
      ...before,
      name: 'Renamed',
      maximumAttendeeCapacity: 20,
    });
    expect(await patch(identifier, { offers: { eligibleQuantity: null } })).toMatchObject({
      offers: { '@type': 'Offer', returnPolicy: { merchantReturnDays: 3 } },
    });
    // A list is replaced as a whole.
    expect(
      (await patch(identifier, { additionalProperty: [{ name: 'optionsRadio', value: ['B', 'C'] }] }))['additionalProperty'],
    ).toMatchObject([
      { '@type': 'PropertyValue', name: 'optionsRadio', value: ['B', 'C'] },
      { name: 'options', value: [{ name: 'B' }, { name: 'C' }] },
    ]);
    const bare = await patch(identifier, {
      '@type': null,
      additionalType: null,
      endDate: null,
      maximumAttendeeCapacity: null,
      alternateName: null,
      disambiguatingDescription: null,
      description: null,
      eventStatus: null,
      audience: null,
      sameAs: null,
      keywords: null,
      offers: null,
      additionalProperty: null,
      superEvent: null,
    });
    expect(bare).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      additionalType: 'Workcamp',
      identifier,
      name: 'Renamed',
      url: expect.stringContaining('/event/event-'),
      startDate,
      maximumAttendeeCapacity: 50,
      eventStatus: 'https://schema.org/EventScheduled',
      offers: { '@type': 'Offer', returnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays: 7 } },
    });
  });

  it('publishes and unpublishes, in every spelling of the status', async () => {
    const { identifier } = await create();
    for (const prefix of ['https://schema.org/', 'http://schema.org/', '']) {
      for (const status of ['EventCancelled', 'EventScheduled']) {
        expect(await patch(identifier, { eventStatus: `${prefix}${status}` })).toMatchObject({
          eventStatus: `https://schema.org/${status}`,
        });
      }
    }
    expect(await patch(identifier, { eventStatus: 'EventPostponed' }, 400)).toMatchObject({ errors: [{ pointer: '/eventStatus' }] });
  });

  it('refuses changes that make the event invalid', async () => {
    const { identifier } = await create({ endDate: '2027-03-01T22:00:00+01:00' });
    await create({ name: 'Taken' });
    for (const [body, pointer] of [
      [{ startDate: '2027-03-01T23:00:00+01:00' }, '/endDate'],
      [{ endDate: '2027-03-01T10:00:00+01:00' }, '/endDate'],
      [{ name: null }, '/name'],
      [{ startDate: null }, '/startDate'],
      [{ superEvent: identifier }, '/superEvent'],
      [{ superEvent: randomUUID() }, '/superEvent'],
    ] as const) {
      expect(await patch(identifier, body, 400)).toMatchObject({ code: 'body.invalid', errors: [{ pointer }] });
    }
    expect(await patch(identifier, { name: 'Taken' }, 409)).toMatchObject({ code: 'event.exists' });
    expect(await patch(identifier, { additionalType: 'Volunteering' }, 400)).toMatchObject({
      code: 'event.super_event_required',
    });
    expect((await told()).filter(({ type }) => type === 'event.updated')).toEqual([]);
  });

  it('keeps the category unless its members are sent', async () => {
    const parent = await create();
    const { identifier } = await create();
    expect(await patch(identifier, { superEvent: parent.identifier })).toMatchObject({ additionalType: 'Workcamp' });
    expect(await patch(identifier, { '@type': 'Event' })).toMatchObject({ additionalType: 'Volunteering' });
    expect(await patch(identifier, { superEvent: null }, 400)).toMatchObject({ code: 'event.super_event_required' });
    expect(await patch(identifier, { superEvent: null, '@type': 'FoodEvent' })).toMatchObject({ '@type': 'FoodEvent' });
    expect(await patch(identifier, { additionalType: 'Réunion', '@type': 'FoodEvent' })).toMatchObject({ '@type': 'SocialEvent' });
  });

  it('prevents an event from becoming its own descendant, also in simultaneous requests', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    await patch(two.identifier, { superEvent: one.identifier });
    await patch(three.identifier, { superEvent: two.identifier });
    expect(await patch(one.identifier, { superEvent: three.identifier }, 400)).toMatchObject({ errors: [{ pointer: '/superEvent' }] });
    // Verified to accept both without the lock.
    const [left, right] = [await create(), await create()];
    const answers = await test.database.race(
      `select 1 from "${tenant.schemaName}".event where id in ($1, $2) for update`,
      [left.identifier, right.identifier],
      () =>
        Promise.all([
          call('patch', left.identifier).send({ superEvent: right.identifier }),
          call('patch', right.identifier).send({ superEvent: left.identifier }),
        ]),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('ends without a deadlock when two events take the name of the other', async () => {
    const [one, two] = [await create({ name: 'One' }), await create({ name: 'Two' })];
    const answers = await Promise.all([
      call('patch', one.identifier).send({ name: 'Two' }),
      call('patch', two.identifier).send({ name: 'One' }),
    ]);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  it('ends without a deadlock when two requests wait for each other', async () => {
    // Verified to throw "deadlock detected" without retries.
    const [one, two] = [(await create()).identifier, (await create()).identifier];
    const inTurn = (first: string, second: string): Promise<void> =>
      retryOnDeadlock(() =>
        test.app.get(TenantDb).transaction(async (tx) => {
          await tx.query('update event set capacity = capacity + 1 where id = $1', [first]);
          await new Promise((resolve) => setTimeout(resolve, 200));
          await tx.query('update event set capacity = capacity + 1 where id = $1', [second]);
        }),
      );
    await test.inside(tenant, () => Promise.all([inTurn(one, two), inTurn(two, one)]));
    expect(await get(one)).toMatchObject({ maximumAttendeeCapacity: 52 });
    expect(await get(two)).toMatchObject({ maximumAttendeeCapacity: 52 });
  });

  it('publishes what changed, each time with the next sequence', async () => {
    const { identifier } = await create();
    await patch(identifier, { keywords: ['Jazz'], maximumAttendeeCapacity: 50 });
    await patch(identifier, { keywords: ['JAZZ'] });
    await patch(identifier, { additionalProperty: [{ name: 'optionsCheckbox', value: ['Meal'] }] });
    await call('delete', `${identifier}/`).expect(204);
    const feed = await told();
    expect(feed.map(({ type, data }) => [type, data['sequence']])).toEqual([
      ['event.created', 1],
      ['event.updated', 2],
      ['event.updated', 3],
      ['event.deleted', 4],
    ]);
    expect(feed[3]!.data).toMatchObject({
      identifier,
      keywords: ['Jazz'],
      additionalProperty: [{ '@type': 'PropertyValue', name: 'optionsCheckbox', value: ['Meal'] }, { name: 'options' }],
    });
  });

  it('keeps the ids of remaining options', async () => {
    const { identifier } = await create({ additionalProperty: [{ name: 'optionsRadio', value: ['A', 'B', 'C'] }] });
    const ids = async (): Promise<Record<string, string>> => {
      const rows = await test.database.query<{ name: string; id: string }>(
        `select name, id from "${tenant.schemaName}".event_option order by position`,
      );
      return Object.fromEntries(rows.map(({ name, id }) => [name, id]));
    };
    const before = await ids();
    const after = await patch(identifier, {
      additionalProperty: [{ name: 'optionsRadio', value: ['C', 'D', 'A', 'C'] }],
    });
    expect(after['additionalProperty']).toMatchObject([{ value: ['C', 'D', 'A'] }, { name: 'options' }]);
    expect(await ids()).toMatchObject({ A: before['A'], C: before['C'] });
    expect(Object.keys(await ids())).toEqual(['C', 'D', 'A']);
  });
});

describe('conditional requests', () => {
  it('change only the version that the caller read', async () => {
    const { identifier } = await create();
    const tag = (await call('get', `${identifier}/`)).headers['etag'] as string;
    const french = (await call('get', `${identifier}/`).set('Accept-Language', 'fr')).headers['etag'] as string;
    const change = (match: string, name: string) => call('patch', `${identifier}/`).set('If-Match', match).send({ name });
    const first = await change(`"x", ${french}`, 'First').expect(200);
    expect(first.headers['etag']).not.toBe(tag);
    const { body, headers } = await change(tag, 'Second').expect(412);
    expect(body).toMatchObject({ code: 'precondition.failed', status: 412 });
    expect(headers['etag']).toBe(first.headers['etag']);
    await change(`W/${first.headers['etag']}`, 'Weak').expect(412);
    await change('nonsense', 'Nonsense').expect(412);
    await change('*', 'Third').expect(200);
    await call('patch', `${identifier}/`).set('If-None-Match', '*').send({ name: 'Fourth' }).expect(412);
    const past = 'Sat, 01 Jan 2000 00:00:00 GMT';
    await call('patch', `${identifier}/`).set('If-Unmodified-Since', past).send({ name: 'Fifth' }).expect(412);
    await call('post', `${identifier}/link-address/`).set('If-Match', tag).send(address).expect(412);
    await call('delete', `${identifier}/`).set('If-Match', tag).expect(412);
    expect(await get(identifier)).toMatchObject({ name: 'Third' });
    expect(await test.database.query(`select 1 from "${tenant.schemaName}".postal_address`)).toEqual([]);
    const last = (await call('get', `${identifier}/`)).headers['etag'] as string;
    await call('delete', `${identifier}/`).set('If-Match', last).expect(204);
    await call('delete', `${identifier}/`).set('If-Match', last).expect(404);
  });

  it('accept one of two changes of the same version', async () => {
    // Verified to accept both without the row lock.
    const { identifier } = await create();
    const tag = (await call('get', `${identifier}/`)).headers['etag'] as string;
    const answers = await test.database.race(`select 1 from "${tenant.schemaName}".event where id = $1 for update`, [identifier], () =>
      Promise.all(
        [60, 70].map((maximumAttendeeCapacity) => call('patch', `${identifier}/`).set('If-Match', tag).send({ maximumAttendeeCapacity })),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('detect a change of the address, too', async () => {
    const { identifier } = await create();
    const { body } = await call('post', `${identifier}/link-address/`).send(address).expect(200);
    const { identifier: id } = (body as { location: { address: { identifier: number } } }).location.address;
    const tag = (await call('get', `${identifier}/`)).headers['etag'] as string;
    await test
      .on(tenant)
      .call('patch', `/api/v2/postal-addresses/${id}/`)
      .set('Authorization', authorization)
      .send({ name: 'Hall' })
      .expect(200);
    await call('get', `${identifier}/`).set('If-None-Match', tag).expect(200);
    await call('patch', `${identifier}/`).set('If-Match', tag).send({ name: 'Late' }).expect(412);
  });

  it('answer without a body on request', async () => {
    const made = await call('post').set('Prefer', 'respond-async, return=minimal').send({ name: 'Ball', startDate }).expect(201);
    expect(made.text).toBe('');
    expect(made.headers).toMatchObject({ 'preference-applied': 'return=minimal', location: expect.any(String) });
    const where = (made.headers['location'] as string).slice(path.length);
    const changed = await call('patch', where).set('Prefer', 'return=minimal').send({ name: 'Dance' }).expect(204);
    expect(changed.headers['preference-applied']).toBe('return=minimal');
    expect(changed.headers['etag']).toBe((await call('get', where)).headers['etag']);
    const whole = await call('patch', where).set('Prefer', 'return=representation').send({ name: 'Ball' }).expect(200);
    expect(whole.headers['preference-applied']).toBe('return=representation');
    expect((await call('patch', where).send({ name: 'Hop' }).expect(200)).headers).not.toHaveProperty('preference-applied');
  });
});

describe('DELETE /api/v2/events/<uuid>/', () => {
  it('deletes events without reservations, and explains 409', async () => {
    const { identifier } = await create({
      keywords: ['Kept'],
      additionalProperty: [{ name: 'optionsRadio', value: ['A'] }],
    });
    const answer = await call('delete', `${identifier}/`).expect(204);
    expect(answer.text).toBe('');
    await call('get', `${identifier}/`).expect(404);
    const booked = await newEvent(test, tenant);
    await newTicket(test, tenant, { event: booked });
    expect((await call('delete', `${booked.id}/`).expect(409)).body).toMatchObject({ code: 'event.has_reservations' });
    await call('get', `${booked.id}/`).expect(200);
  });

  it('keeps sub-events, but refuses while volunteering events belong to it', async () => {
    const parent = await create({ '@type': 'Festival' });
    const concert = await create({ '@type': 'MusicEvent', superEvent: parent.identifier });
    const shift = await create({ superEvent: parent.identifier });
    expect((await call('delete', `${parent.identifier}/`).expect(409)).body).toMatchObject({
      code: 'event.has_sub_events',
    });
    expect(await get(concert.identifier)).toHaveProperty('superEvent');
    await call('delete', `${shift.identifier}/`).expect(204);
    await call('delete', `${parent.identifier}/`).expect(204);
    expect(await get(concert.identifier)).not.toHaveProperty('superEvent');
    expect((await told()).at(-1)).toMatchObject({ type: 'event.updated', data: { identifier: concert.identifier, sequence: 2 } });
  });
});

describe('POST /api/v2/events/<uuid>/link-address/', () => {
  const link = (id: string, body: object) => call('post', `${id}/link-address/`).send(body);

  it('links an existing address, or creates one and links it', async () => {
    const { identifier } = await create();
    expect(await get(identifier)).not.toHaveProperty('location');
    const { body: made } = await link(identifier, { '@type': 'PostalAddress', ...address, name: 'Hall' }).expect(200);
    const { location } = made as { location: { address: { identifier: number } } };
    expect(location).toMatchObject({
      '@type': 'Place',
      address: { '@type': 'PostalAddress', ...address, name: 'Hall' },
    });
    expect(await get(identifier)).toEqual(made);
    const other = await create();
    const { body: linked } = await link(other.identifier, { postalAddressId: location.address.identifier }).expect(200);
    expect(linked).toMatchObject({ identifier: other.identifier, location });
    expect((await told()).at(-1)).toMatchObject({ type: 'event.updated', data: { identifier: other.identifier, location } });
    expect(await patch(other.identifier, { location: null })).not.toHaveProperty('location');
    expect(await patch(other.identifier, { location })).toMatchObject({ location });
  });

  it.each([
    [{ postalAddressId: 4711 }, ['/postalAddressId']],
    [{ postalAddressId: Number.MAX_SAFE_INTEGER }, ['/postalAddressId']],
    [{ postalAddressId: '1' }, ['/postalAddressId']],
    [{ postalAddressId: 1.5 }, ['/postalAddressId']],
    [{ postalAddressId: null }, ['/postalAddressId']],
    [{}, ['/streetAddress', '/addressLocality', '/postalCode', '/addressCountry']],
    [{ ...address, addressCountry: 'XX' }, ['/addressCountry']],
    [{ ...address, streetAddress: '<b></b>' }, ['/streetAddress']],
  ])('refuses %j at %j, and makes nothing', async (body, expected) => {
    const { identifier } = await create();
    const { body: problem } = await link(identifier, body).expect(400);
    expect((problem as { errors: Fault[] }).errors.map(({ pointer }) => pointer).toSorted()).toEqual(expected.toSorted());
    expect(await test.database.query(`select 1 from "${tenant.schemaName}".postal_address`)).toEqual([]);
  });

  it('is not needed with a main address, unless location is null', async () => {
    const isMain = [{ '@type': 'PropertyValue', name: 'isMain', value: true }];
    await test
      .on(tenant)
      .post('/api/v2/postal-addresses/')
      .set('Authorization', authorization)
      .send({ ...address, additionalProperty: isMain })
      .expect(201);
    expect(await create()).toMatchObject({ location: { '@type': 'Place', address } });
    expect(await create({ location: null })).not.toHaveProperty('location');
  });
});
