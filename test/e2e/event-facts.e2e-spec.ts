import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventCopiesService, EventsService, type Event } from '#catalogue';
import { tenantEventFacts } from '../../libs/tenancy/src/migrations/tenant-081-event-facts.js';
import type { TenantIdentity } from '#tenancy';
import { EventNoticesService } from '#notices';
import { newKey } from '../support/webhooks.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const read = async (path: string): Promise<string> =>
  (await test.on(tenant).get(path).set('Accept-Language', 'en').buffer(true).expect(200)).text.replaceAll('\r\n ', '');
const stored = async (id: string): Promise<Event> => (await inside(() => test.app.get(EventsService).find(id)))!;
const facts = {
  doorsAt: new Date('2041-05-03T17:30:00Z'),
  durationMinutes: 165,
  ageRange: 'from 5 years',
  access: 'Step-free <lift> & loop',
};
let number = 0;
const add = (): Promise<Event> =>
  inside(() =>
    test.app.get(EventsService).create({ name: `Facts ${(number += 1)}`, startsAt: new Date('2041-05-03T18:30:00Z'), ...facts }),
  );

describe('the practical facts of an event', () => {
  it('are shown on its page, in calendars, feeds and the agenda as JSON', async () => {
    const event = await add();
    const access = 'Step-free & loop';
    const page = await read(`/event/${event.slug}`);
    expect(page).toContain('<time datetime="2041-05-03T19:30:00+02:00">doors 19:30</time>');
    expect(page).toContain('<div><dt>Length</dt><dd dir="auto">2 hours 45 minutes</dd></div>');
    expect(page).toContain('<dt>Ages</dt><dd dir="auto">from 5 years</dd>');
    expect(page).toContain('<dt>Access</dt><dd dir="auto">Step-free &amp; loop</dd>');
    for (const path of ['/agenda.ics', `/event/${event.slug}.ics`]) {
      expect(await read(path)).toContain(`doors 19:30\\n\\nLength: 2 hours 45 minutes\\n\\nAges: from 5 years\\n\\nAccess: ${access}`);
    }
    expect(await read('/agenda.rss')).toContain(', doors 19:30');
    const members = {
      doorTime: '2041-05-03T19:30:00+02:00',
      duration: 'PT2H45M',
      typicalAgeRange: 'from 5 years',
      accessibilitySummary: access,
    };
    const { results } = JSON.parse(await read('/agenda.json')) as { results: { identifier: string }[] };
    expect(results.find(({ identifier }) => identifier === event.id)).toMatchObject(members);
    expect(JSON.parse(await read(`/event/${event.slug}.json`))).toMatchObject(members);
  });

  it('are sent, changed and removed over the API, and a length that is sent back sets no end', async () => {
    const authorization = await newKey(test, tenant, 'event:read', 'event:write');
    const event = await add();
    const patch = async (body: object): Promise<Record<string, unknown>> =>
      (await test.on(tenant).call('patch', `/api/v2/events/${event.id}/`).set('Authorization', authorization).send(body).expect(200)).body;
    expect(await patch({ duration: 'PT2H45M' })).not.toHaveProperty('endDate');
    const moved = await patch({ startDate: '2041-05-04T21:00' });
    expect(moved).toMatchObject({ doorTime: '2041-05-04T20:00:00+02:00', duration: 'PT2H45M' });
    expect(await patch({ startDate: '2041-05-04T21:30', doorTime: '20:00' })).toMatchObject({ doorTime: '2041-05-04T20:00:00+02:00' });
    // What a change does not name moves with the start by the same amount.
    expect(await patch({ endDate: '2041-05-05T00:30' })).toMatchObject({ doorTime: '2041-05-04T20:00:00+02:00' });
    expect(await patch({ startDate: '2041-05-04T22:00' })).toMatchObject({
      doorTime: '2041-05-04T20:30:00+02:00',
      endDate: '2041-05-05T01:00:00+02:00',
    });
    expect(await patch({ endDate: '2041-05-05T00:00', duration: 'PT45M', accessibilitySummary: 'Loop' })).toMatchObject({
      endDate: '2041-05-05T00:00:00+02:00',
      duration: 'PT45M',
      accessibilitySummary: 'Loop',
    });
    const bare = await patch({ doorTime: null, duration: null, typicalAgeRange: null, accessibilitySummary: null });
    for (const member of ['doorTime', 'duration', 'typicalAgeRange', 'accessibilitySummary']) expect(bare).not.toHaveProperty(member);
  });

  it('are entered in the panel, which stores the doors that it shows, never after the start', async () => {
    const staff = await staffOf(test, tenant);
    const { id } = await add();
    const edit = (fields: Record<string, string>) => staff.act('events', id, 'edit', fields);
    const doorsAt = facts.doorsAt.toISOString();
    await edit({ startsAt: '2041-05-03T18:45:00.000Z', doorsAt });
    expect((await stored(id)).doorsAt).toEqual(facts.doorsAt);
    await edit({
      startsAt: '2041-05-03T19:00:00.000Z',
      doorsAt: '2041-05-03T18:00:00.000Z',
      durationMinutes: '90',
      ageRange: '7-12',
      access: ' <b>Lift</b> ',
    });
    expect(await stored(id)).toMatchObject({
      doorsAt: new Date('2041-05-03T18:00:00Z'),
      durationMinutes: 90,
      ageRange: '7-12',
      access: 'Lift',
    });
    for (const wrong of ['2041-05-03T19:00:01.000Z', '2041-05-02T18:59:59.000Z']) {
      expect(Object.keys((await edit({ doorsAt: wrong })).record!.errors)).toEqual(['doorsAt']);
    }
    expect(Object.keys((await edit({ durationMinutes: '0' })).record!.errors)).toEqual(['durationMinutes']);
    await edit({ doorsAt: '' });
    expect((await stored(id)).doorsAt).toBeNull();
  });

  it('belong to copies, at the same time of their day', async () => {
    const { id } = await add();
    const copy = await inside(() => test.app.get(EventCopiesService).copy(id, { step: 'week' }));
    expect(copy).toMatchObject({ ...facts, access: 'Step-free & loop', doorsAt: new Date('2041-05-10T17:30:00Z') });
  });

  it('are remembered as they were before a change of which guests are told', async () => {
    const event = await add();
    const telling = test.app.get(EventNoticesService).tellingOf(undefined);
    await inside(() => test.app.get(EventsService).update(event.id, { startsAt: new Date('2041-05-03T19:00:00Z') }, () => ({}), telling));
    expect(await stored(event.id)).toMatchObject({ doorsAt: new Date('2041-05-03T18:00:00Z') });
    const [notice] = await test.database.query(`select before from "${tenant.schemaName}".event_notice where event_id = $1`, [event.id]);
    expect(notice).toMatchObject({ before: { startsAt: '2041-05-03T18:30:00.000Z', doorsAt: '2041-05-03T17:30:00.000Z' } });
  });

  it('of older programs are read from the details of the event', async () => {
    const { id } = await add();
    const table = `"${tenant.schemaName}".event`;
    const details = { doorsMinutesBefore: 45, ageRange: '7-12', isFree: true };
    const columns = 'doors_at = null, age_range = null, details = $2';
    await test.database.query(`update ${table} set ${columns} where id = $1`, [id, JSON.stringify(details)]);
    await test.database.query(`set search_path to "${tenant.schemaName}"; ${tenantEventFacts.sql} reset search_path;`);
    expect(await stored(id)).toMatchObject({ doorsAt: new Date('2041-05-03T17:45:00Z'), ageRange: '7-12' });
  });
});
