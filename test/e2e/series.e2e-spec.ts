import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DateChange, EventsService, SeriesService, type SeriesDates, type WholeEvent } from '#catalogue';
import { EventCancellationsService } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { recordFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

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
const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  inside(() => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(sql, values)));
const find = async (id: string): Promise<WholeEvent> => (await inside(() => test.app.get(EventsService).find(id)))!;
const more = (id: string, dates: SeriesDates, published = true): Promise<WholeEvent[] | undefined> =>
  inside(() => test.app.get(SeriesService).add(id, dates, published));

/** Local starts of all dates of the series of an event, `01-31 20:00`. */
const startsOf = async (id: string): Promise<string[]> => {
  const rows = await query<{ at: string }>(
    `select to_char(starts_at at time zone 'Europe/Paris', 'MM-DD HH24:MI') as at from event
     where series_id = (select series_id from event where id = $1) order by starts_at`,
    [id],
  );
  return rows.map(({ at }) => at);
};
const first = (name: string, startsAt: string, input = {}): ReturnType<typeof newEvent> =>
  newEvent(test, tenant, { name, startsAt: new Date(startsAt), ...input });
const changeFrom = (id: string, change: DateChange): Promise<WholeEvent[] | undefined> =>
  inside(() => test.app.get(SeriesService).changeFrom(id, change));
const dateOf = (dates: readonly WholeEvent[] | undefined, index: number): WholeEvent => dates![index] as WholeEvent;

describe('a series', () => {
  it('has every day, week, two weeks or month on the clocks of the place, and the first date belongs to it', async () => {
    const weekly = await first('Every week', '2041-03-24T19:00:00Z', {
      endsAt: new Date('2041-03-24T21:30:00Z'),
      doorsAt: new Date('2041-03-24T18:15:00Z'),
    });
    const [after] = (await more(weekly.id, { step: 'week', until: '2041-04-07' }))!;
    expect(await startsOf(weekly.id)).toEqual(['03-24 20:00', '03-31 20:00', '04-07 20:00']);
    // The clocks change in the night before 31 March.
    expect(after).toMatchObject({
      startsAt: new Date('2041-03-31T18:00:00Z'),
      endsAt: new Date('2041-03-31T20:30:00Z'),
      doorsAt: new Date('2041-03-31T17:15:00Z'),
      published: true,
    });
    const monthly = await first('Every month', '2041-01-31T19:00:00Z');
    await more(monthly.id, { step: 'month', until: '2041-05-31' });
    expect(await startsOf(monthly.id)).toEqual(['01-31 20:00', '02-28 20:00', '03-31 20:00', '04-30 20:00', '05-31 20:00']);
    const fortnightly = await first('Every two weeks', '2041-01-01T19:00:00Z');
    await more(fortnightly.id, { step: 'twoWeeks', until: '2041-01-16' });
    expect(await startsOf(fortnightly.id)).toEqual(['01-01 20:00', '01-15 20:00']);
    // 02:30 is skipped on 31 March, and 03:30 is the same moment.
    const early = await first('Early', '2041-03-30T01:30:00Z');
    await more(early.id, { step: 'day', until: '2041-04-01', clocks: ['03:30'] });
    expect(await startsOf(early.id)).toEqual(['03-30 02:30', '03-30 03:30', '03-31 03:30', '04-01 02:30', '04-01 03:30']);
  });

  it('has further days and several times a day, each once, and grows later without twins', async () => {
    const event = await first('Circus', '2041-06-01T12:00:00Z');
    const made = await more(
      event.id,
      { days: ['2041-06-01', '2041-06-03', '2041-06-03', '2041-05-30'], clocks: ['16:30', '14:00', '16:30'] },
      false,
    );
    const days = ['05-30', '06-01', '06-03'];
    expect(await startsOf(event.id)).toEqual(days.flatMap((day) => [`${day} 14:00`, `${day} 16:30`]));
    expect(made!.every(({ published }) => !published)).toBe(true);
    await more(dateOf(made, 0).id, { days: ['2041-06-03', '2041-06-04'] });
    expect(await startsOf(event.id)).toHaveLength(7);
    await expect(more(event.id, { days: ['2041-06-04'] })).rejects.toMatchObject({ field: 'days' });
    const [series] = await query<{ name: string; slug: string; id: string }>('select * from event_series where id = $1', [
      dateOf(made, 0).seriesId,
    ]);
    expect(series).toMatchObject({ name: 'Circus', slug: `circus-${series!.id.slice(0, 8)}` });
    expect(await query('select 1 from event_product where event_id = any($1)', [made!.map(({ id }) => id)])).toHaveLength(made!.length);
    const { redirectUrl } = await staff.act('events', event.id, 'duplicate', { step: 'month' });
    expect((await find(/records\/([^/]+)/.exec(redirectUrl!)![1]!)).seriesId).toBeNull();
  });

  it('is made whole or not at all, and names the field that is wrong', async () => {
    const event = await first('All or none', '2041-02-01T19:00:00Z');
    await first('All or none', '2041-02-15T19:00:00Z');
    await expect(more(event.id, { step: 'week', until: '2041-03-01' })).rejects.toMatchObject({ reason: 'exists' });
    for (const [dates, field] of [
      [{}, 'step'],
      [{ step: 'week' }, 'until'],
      [{ until: '2041-03-01' }, 'step'],
      [{ step: 'week', until: '2041-02-30' }, 'until'],
      [{ step: 'week', until: '2041-02-07' }, 'until'],
      [{ step: 'day', until: '2051-01-01' }, 'until'],
      [{ days: ['tomorrow'] }, 'days'],
      [{ days: ['2041-03-01'], clocks: ['24:00'] }, 'clocks'],
    ] as const)
      await expect(more(event.id, dates)).rejects.toMatchObject({ field });
    expect((await find(event.id)).seriesId).toBeNull();
    expect(await query(`select 1 from event where name = 'All or none'`)).toHaveLength(2);
    expect(await query(`select 1 from event_series where name = 'All or none'`)).toEqual([]);
  });

  it('grows by the same dates once when two people add them at a time', async () => {
    const event = await first('Two people', '2041-02-02T19:00:00Z');
    const both = await Promise.allSettled([1, 2].map(() => more(event.id, { step: 'day', until: '2041-02-10' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { field: 'until' } });
    expect(await startsOf(event.id)).toHaveLength(9);
    expect(await query(`select 1 from event_series where name = 'Two people'`)).toHaveLength(1);
  });

  it('goes with its last date, also when two dates go at a time', async () => {
    const event = await first('Short', '2041-02-03T19:00:00Z');
    const [other] = (await more(event.id, { days: ['2041-02-04'] }))!;
    const alone = await first('Alone', '2041-02-03T19:00:00Z');
    const [left] = (await more(alone.id, { days: ['2041-02-04'] }))!;
    const count = () => query(`select 1 from event_series where name in ('Short', 'Alone')`);
    expect(await count()).toHaveLength(2);
    await staff.act('events', left!.id, 'leaveSeries');
    expect([(await find(left!.id)).seriesId, (await find(alone.id)).seriesId === null]).toEqual([null, false]);
    const remove = (id: string): Promise<boolean> => inside(() => test.app.get(EventsService).remove(id));
    await Promise.all([remove(event.id), remove(other!.id), staff.act('events', alone.id, 'leaveSeries')]);
    expect(await count()).toEqual([]);
  });

  it('is the superEvent of its dates, unless another one is stated, and keeps its page under a new name', async () => {
    const event = await first('Salon', '2041-09-01T19:00:00Z');
    await more(event.id, { days: ['2041-09-02'] });
    const { seriesId } = await find(event.id);
    const key = await newKey(test, tenant, 'event:read', 'event:write');
    const path = `/api/v2/events/${event.id}/`;
    const read = async () =>
      (await test.on(tenant).get(path).set('Authorization', key).expect(200)).body as { superEvent: { url: string } };
    const { superEvent } = await read();
    expect(superEvent).toEqual({
      '@type': 'EventSeries',
      name: 'Salon',
      url: expect.stringMatching(new RegExp(`/series/salon-${seriesId!.slice(0, 8)}$`)),
    });
    expect(recordFaults(await staff.act('series', seriesId!, 'edit', { name: ' ' }))).toHaveProperty('name');
    expect((await staff.act('series', seriesId!, 'edit', { name: 'Salon of autumn' })).notice?.type).toBe('success');
    const renamed = await read();
    expect(renamed.superEvent).toEqual({ ...superEvent, name: 'Salon of autumn' });
    // What was answered is sent back, and becomes no stated series.
    const change = (body: object) => test.on(tenant).call('patch', path).set('Authorization', key).send(body).expect(200);
    await change({ name: 'Salon', superEvent: renamed.superEvent });
    expect((await find(event.id)).details?.series).toBeUndefined();
    const stated = { '@type': 'EventSeries', name: 'Festival', url: 'https://festival.example/' };
    await change({ superEvent: stated });
    expect((await read()).superEvent).toEqual(stated);
  });
});

describe('this and all later dates', () => {
  it('change together; what was changed by hand in another field, earlier and cancelled dates stay', async () => {
    const event = await first('Rounds', '2041-03-27T19:00:00Z', {
      endsAt: new Date('2041-03-27T21:00:00Z'),
      doorsAt: new Date('2041-03-27T18:30:00Z'),
    });
    const dates = await more(event.id, { step: 'day', until: '2041-03-31' });
    const [from, byHand, cancelled, last] = [0, 1, 2, 3].map((index) => dateOf(dates, index).id) as [string, string, string, string];
    await inside(async () => {
      await test.app.get(EventsService).update(byHand, { subtitle: 'With guests', capacity: 20 });
      await test.app.get(EventCancellationsService).cancel(cancelled);
    });
    const changed = await changeFrom(from, {
      change: { shortDescription: 'New words', capacity: 70 },
      clocks: { begins: '20:30', ends: '00:15', doors: '20:00' },
    });
    expect(changed!.map(({ id }) => id)).toEqual([from, byHand, last]);
    expect(await find(byHand)).toMatchObject({ subtitle: 'With guests', shortDescription: 'New words', capacity: 70 });
    expect(await find(from)).toMatchObject({
      startsAt: new Date('2041-03-28T19:30:00Z'),
      endsAt: new Date('2041-03-28T23:15:00Z'),
      doorsAt: new Date('2041-03-28T19:00:00Z'),
    });
    expect(await find(last)).toMatchObject({ startsAt: new Date('2041-03-31T18:30:00Z'), endsAt: new Date('2041-03-31T22:15:00Z') });
    for (const id of [event.id, cancelled]) expect(await find(id)).toMatchObject({ shortDescription: null, capacity: 50 });
  });

  it('keep the other times of a day, and the name of the series follows when all have the new name', async () => {
    const event = await first('Matinee', '2041-07-01T12:00:00Z');
    const dates = await more(event.id, { step: 'day', until: '2041-07-02', clocks: ['17:00'] });
    await changeFrom(event.id, { change: { name: 'Magic' }, clocks: { begins: '15:00' } });
    expect(await startsOf(event.id)).toEqual(['07-01 15:00', '07-01 17:00', '07-02 15:00', '07-02 17:00']);
    expect((await find(dateOf(dates, 0).id)).series).toMatchObject({ name: 'Magic' });
    // All or none: the second date has its own reason.
    await inside(() => test.app.get(EventsService).update(dateOf(dates, 2).id, { category: 'ACT', superEventId: event.id }));
    await expect(changeFrom(event.id, { change: { capacity: 9, superEventId: null } })).rejects.toMatchObject({
      field: 'superEventId',
      message: expect.stringContaining('17:00'),
    });
    expect((await find(event.id)).capacity).toBe(50);
  });

  it('follow one change after the other when two are made at a time, with one webhook event each', async () => {
    const event = await first('Races', '2041-08-01T19:00:00Z');
    const dates = await more(event.id, { step: 'day', until: '2041-08-06' });
    const ids = [event.id, ...dates!.map(({ id }) => id)];
    const before = await query<{ id: string; sequence: number }>('select id, sequence from event where id = any($1) order by id', [ids]);
    await Promise.all([
      changeFrom(event.id, { change: { capacity: 60, subtitle: 'One' } }),
      changeFrom(dateOf(dates, 1).id, { change: { capacity: 80, shortDescription: 'Two' } }),
      more(event.id, { days: ['2041-08-10'] }),
    ]);
    const now = await query<{ id: string; sequence: number; capacity: number; subtitle: string; text: string }>(
      'select id, sequence, capacity, subtitle, short_description as text from event where id = any($1) order by id',
      [ids],
    );
    expect(now.every(({ subtitle }) => subtitle === 'One')).toBe(true);
    const later = now.filter(({ text }) => text === 'Two');
    expect(later).toHaveLength(4);
    // The later dates have what was decided last, all of them the same.
    expect(new Set(later.map(({ capacity }) => capacity)).size).toBe(1);
    for (const [index, { sequence, text }] of now.entries()) expect(sequence - before[index]!.sequence).toBe(text === 'Two' ? 2 : 1);
    // The new date is as the dates were before or after a change, never between.
    const [added] = await query<{ capacity: number; subtitle: string | null }>(
      `select capacity, subtitle from event where starts_at = '2041-08-10T19:00:00Z' and name = 'Races'`,
    );
    expect([`50 null`, `60 One`, `80 One`]).toContain(`${added?.capacity} ${added?.subtitle}`);
  });
});

describe('a date that is added while all later dates change', () => {
  it('has the change, in whatever order the two happen', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const event = await first(`Meanwhile ${round}`, '2042-01-01T19:00:00Z');
      const dates = await more(event.id, { step: 'day', until: '2042-01-05' });
      const [, added] = await Promise.all([
        changeFrom(event.id, { change: { capacity: 99 } }),
        more(dateOf(dates, 3).id, { days: ['2042-01-20'] }),
      ]);
      expect((await find(dateOf(added, 0).id)).capacity).toBe(99);
    }
  });
});

describe('the panel', () => {
  type Fields = { name: string; value?: string | string[] }[];
  const viewOf = async (id: string, action: string): Promise<{ facts: string[]; fields: Fields }> =>
    (await staff.look('events', id, action)).view as unknown as { facts: string[]; fields: Fields };
  const valuesOf = (fields: Fields): Record<string, unknown> => Object.fromEntries(fields.map(({ name, value }) => [name, value ?? '']));
  it('adds dates, lists and filters them, and publishes all of them', async () => {
    const event = await first('Thursdays', '2041-10-03T18:00:00Z');
    const wrong = await staff.act('events', event.id, 'moreDates', { step: 'week' });
    expect(Object.keys(recordFaults(wrong))).toEqual(['until']);
    const made = await staff.act('events', event.id, 'moreDates', { step: 'week', until: '2041-10-17', day1: '2041-10-20' });
    expect(made.notice?.type).toBe('success');
    const { record } = await staff.look('events', event.id);
    const seriesId = String(record!.params['seriesId']);
    expect(made.redirectUrl).toContain(`seriesId=${seriesId}`);
    expect(record!.params).toMatchObject({ 'dates.items.2.details': '0 / 50' });
    expect(record!.params).not.toHaveProperty(['dates.items.3.title']);
    expect((await staff.list('events', { 'filters.seriesId': seriesId })).meta?.total).toBe(4);
    expect((await staff.look('series', seriesId)).record!.params).toMatchObject({ name: 'Thursdays', 'dates.add.label': 'All dates (4)' });
    await staff.act('events', event.id, 'publishDates');
    expect(await query('select 1 from event where series_id = $1 and published', [seriesId])).toHaveLength(4);
  });

  it('changes what people changed in the form, says whom it touches, and tells the guests', async () => {
    const event = await first('Fridays', '2041-11-01T19:00:00Z');
    const [next] = (await more(event.id, { step: 'week', until: '2041-11-15' }))!;
    await book(test, tenant, { id: next!.id, priceId: event.priceId }, { confirmed: true, paymentMethod: 'cash' });
    await inside(() => test.app.get(EventsService).update(next!.id, { subtitle: 'Only then' }));
    const { facts, fields } = await viewOf(event.id, 'changeDates');
    expect(facts.slice(0, 2)).toEqual(['This and all later dates: 3, without cancelled ones.', '1 of them has reservations.']);
    const values = valuesOf(fields);
    expect(values).toMatchObject({ name: 'Fridays', begins: '20:00', capacity: '50', tell: 'true' });
    const nothing = await staff.act('events', event.id, 'changeDates', values);
    expect(nothing.notice).toMatchObject({ type: 'error' });
    // Somebody changes another field meanwhile: the form does not undo it.
    await inside(() => test.app.get(EventsService).update(event.id, { access: 'Lift' }));
    const late = await staff.act('events', event.id, 'changeDates', { ...values, begins: '21:00', ends: '20:00x' });
    expect(Object.keys(recordFaults(late))).toEqual(['ends']);
    const done = await staff.act('events', event.id, 'changeDates', { ...values, begins: '21:00', capacity: '40', productIds: [] });
    expect(done.notice?.type).toBe('success');
    expect(await find(event.id)).toMatchObject({ access: 'Lift', capacity: 40, alteration: 'rescheduled' });
    expect(await find(next!.id)).toMatchObject({ subtitle: 'Only then', startsAt: new Date('2041-11-08T20:00:00Z'), capacity: 40 });
    expect(await query('select 1 from event_product where event_id = $1', [next!.id])).toEqual([]);
    expect(await query(`select 1 from event_notice where event_id = $1 and kind = 'changed'`, [next!.id])).toHaveLength(1);
    await staff.act('events', next!.id, 'cancelDates', { note: 'No heating.' });
    const cancelled = await query<{ id: string }>(
      'select event_id as id from event_cancellation join event on event.id = event_id where name = $1',
      ['Fridays'],
    );
    expect(cancelled).toHaveLength(2);
    expect(cancelled.map(({ id }) => id)).not.toContain(event.id);
  });
});
