import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { newEvent, newTicket } from '../support/builders.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, startDate } from '../support/events-api.js';
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

const { call, create, get, patch, told } = eventsApi(() => ({ test, tenant, authorization }));

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
      eventStatus: 'EventRescheduled',
      previousStartDate: '2027-02-01T20:00:00+01:00',
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
      previousStartDate: null,
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
    expect(await patch(identifier, { eventStatus: 'EventDelayed' }, 400)).toMatchObject({ errors: [{ pointer: '/eventStatus' }] });
  });

  it('keeps what differs from the first announcement: another start, no date, or online', async () => {
    const previousStartDate = '2027-02-01T20:00:00+01:00';
    const rescheduled = { eventStatus: 'https://schema.org/EventRescheduled', previousStartDate };
    const { identifier } = await create(rescheduled);
    expect(await get(identifier)).toMatchObject(rescheduled);
    // The start before the change is the previous one, unless the body names another.
    expect(await patch(identifier, { startDate: '2027-04-01T20:00:00+02:00' })).toMatchObject({
      ...rescheduled,
      previousStartDate: startDate,
    });
    const named = { startDate: '2027-05-01T20:00:00+02:00', previousStartDate };
    expect(await patch(identifier, named)).toMatchObject({ ...rescheduled, ...named });
    for (const eventStatus of ['EventPostponed', 'EventMovedOnline'].map((status) => `https://schema.org/${status}`)) {
      expect(await patch(identifier, { eventStatus })).toMatchObject({ eventStatus, previousStartDate });
    }
    expect(await patch(identifier, await get(identifier))).toMatchObject({ eventStatus: 'https://schema.org/EventMovedOnline' });
    // Cancelled is unpublished; scheduled takes place as announced.
    expect(await patch(identifier, { eventStatus: 'EventCancelled' })).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
      previousStartDate,
    });
    const scheduled = await patch(identifier, { eventStatus: 'EventScheduled' });
    expect(scheduled).toMatchObject({ eventStatus: 'https://schema.org/EventScheduled' });
    expect(scheduled['previousStartDate']).toBeUndefined();
    // A start that moves without a status is a correction.
    expect((await patch(identifier, { startDate }))['previousStartDate']).toBeUndefined();
  });

  it('refuses changes that make the event invalid', async () => {
    const { identifier } = await create({ endDate: '2027-03-01T22:00:00+01:00' });
    await create({ name: 'Taken' });
    for (const [body, pointer] of [
      [{ startDate: '2027-03-01T23:00:00+01:00', endDate: '2027-03-01T22:00:00+01:00' }, '/endDate'],
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
