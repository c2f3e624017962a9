import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tenantMigrations, type TenantIdentity } from '#tenancy';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, startDate, type Body } from '../support/events-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the tests read events from the feed.
beforeAll(async () => {
  test = await startTestApp({ tenants: 'many' });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const { call, create, get, patch } = eventsApi(() => ({ test, tenant, authorization }));

describe('@type and additionalType', () => {
  it.each([
    ['MusicEvent', 'Concert', 'MusicEvent'],
    ['Festival', 'Festival', 'Festival'],
    ['SocialEvent', 'Meeting', 'SocialEvent'],
    ['EducationEvent', 'Conference', 'EducationEvent'],
    ['FoodEvent', 'Catering', 'FoodEvent'],
    ['Event', 'Workcamp', 'Event'],
    ['musicEVENT', 'Concert', 'MusicEvent'],
    ['https://schema.org/FoodEvent', 'Catering', 'FoodEvent'],
    ['Regatta', 'Workcamp', 'Event'],
    ['TheaterEvent', 'Theatre', 'TheaterEvent'],
    ['DanceEvent', 'Dance', 'DanceEvent'],
    ['ComedyEvent', 'Comedy', 'ComedyEvent'],
    ['ExhibitionEvent', 'Exhibition', 'ExhibitionEvent'],
    ['ScreeningEvent', 'Screening', 'ScreeningEvent'],
    ['LiteraryEvent', 'Literature', 'LiteraryEvent'],
    ['ChildrensEvent', 'For children', 'ChildrensEvent'],
    ['SportsEvent', 'Sport', 'SportsEvent'],
    ['http://schema.org/theaterevent', 'Theatre', 'TheaterEvent'],
    [['Event', 'TheaterEvent', 'MusicEvent'], 'Theatre', 'TheaterEvent'],
    [['Event'], 'Workcamp', 'Event'],
    ['VisualArtsEvent', 'Exhibition', 'ExhibitionEvent'],
    ['BusinessEvent', 'Conference', 'EducationEvent'],
  ])('read %s as %s', async (type, additionalType, answered) => {
    expect(await create({ '@type': type })).toMatchObject({ '@type': answered, additionalType });
  });

  it.each([
    ['Concert', 'MusicEvent'],
    ['Réunion', 'SocialEvent'],
    ['conférence', 'EducationEvent'],
    ['Restauration', 'FoodEvent'],
    ['Catering', 'FoodEvent'],
    ['Chantier', 'Event'],
    ['Théâtre', 'TheaterEvent'],
    ['Jeune public', 'ChildrensEvent'],
    ['Für Kinder', 'ChildrensEvent'],
    ['Exposición', 'ExhibitionEvent'],
    [['Soirée', 'Danse'], 'DanceEvent'],
  ])('read the label %s, in either language, before the type', async (additionalType, answered) => {
    expect(await create({ additionalType, '@type': 'Festival' })).toMatchObject({ '@type': answered });
  });

  it('keep the type of an event whose other members are changed, and take an answer back', async () => {
    const { identifier } = await create({ '@type': ['Event', 'ComedyEvent'] });
    expect(await patch(identifier, { name: 'One more laugh', '@type': 'ComedyEvent', additionalType: 'Comedy' })).toMatchObject({
      '@type': 'ComedyEvent',
    });
    expect(await patch(identifier, { additionalType: 'https://schema.org/DanceEvent', '@type': null })).toMatchObject({
      '@type': 'DanceEvent',
      additionalType: 'Dance',
    });
  });

  it('answer the label in the language of the request', async () => {
    const { identifier } = await create({ '@type': 'SocialEvent' });
    for (const [language, label] of [
      ['fr', 'Réunion'],
      ['en', 'Meeting'],
    ] as const) {
      const { body } = await call('get', `${identifier}/`).set('Accept-Language', language).expect(200);
      expect((body as Body)['additionalType']).toBe(label);
    }
  });

  it('require superEvent for volunteering, which includes children of a generic type', async () => {
    for (const body of [{ additionalType: 'Volunteering' }, { additionalType: 'Volontariat', '@type': 'MusicEvent' }]) {
      const problem = await create(body, 400);
      expect(problem).toMatchObject({ code: 'event.super_event_required', errors: [{ pointer: '/superEvent' }] });
    }
    const parent = await create({ name: 'Fair', '@type': 'Festival' });
    const superEvent = parent.identifier;
    for (const body of [
      { superEvent: parent.identifier },
      { superEvent, '@type': 'Event' },
      { superEvent: parent.identifier.toUpperCase(), '@type': 'Regatta' },
      { superEvent: parent.identifier, '@type': 'MusicEvent', additionalType: 'Bénévolat, Volunteering?' },
      { superEvent: { identifier: parent.identifier }, additionalType: 'volontariat' },
      { superEvent: parent.identifier, '@type': 'Event', additionalType: 'Workcamp' },
    ]) {
      const type = body['@type'] === 'MusicEvent' ? 'MusicEvent' : 'Event';
      const label = { MusicEvent: 'Concert', Event: body.additionalType === 'Workcamp' ? 'Workcamp' : 'Volunteering' }[type];
      expect(await create(body)).toMatchObject({ '@type': type, additionalType: label, superEvent });
    }
  });
});

describe('volunteering events without a parent', () => {
  it('become workcamps when the schema is migrated', async () => {
    const { identifier } = await create();
    const { sql } = tenantMigrations.find(({ name }) => name === 'semantic-events') as { sql: string };
    await test.database.query(
      `begin; set local search_path to "${tenant.schemaName}"; set constraints all immediate;
       alter table event drop constraint event_super_event_check;
       update event set category = 'ACT'; ${sql} commit`,
    );
    expect(await get(identifier)).toMatchObject({ additionalType: 'Workcamp' });
  });
});

describe('keywords', () => {
  it('become tags, one for each in any case, created when missing', async () => {
    const first = await create({ keywords: ['Jazz', 'Été', 'jazz'] });
    const second = await create({ keywords: ['ÉTÉ', 'Blues'] });
    expect(first['keywords']).toEqual(['Jazz', 'Été']);
    expect(second['keywords']).toEqual(['Blues', 'Été']);
    expect(await patch(first.identifier, { keywords: ['JAZZ', 'Swing'] })).toMatchObject({
      keywords: ['Jazz', 'Swing'],
    });
    expect(await patch(first.identifier, { keywords: null })).not.toHaveProperty('keywords');
    const tags = await test.database.query(`select name from "${tenant.schemaName}".tag order by key collate "C"`);
    expect(tags.map(({ name }) => name as string)).toEqual(['Blues', 'Jazz', 'Swing', 'Été']);
  });

  it('create one tag when twenty requests bring the same one at once', async () => {
    // Verified to fail for nineteen of them without `on conflict`.
    const answers = await test.database.race(`lock table "${tenant.schemaName}".tag in share mode`, [], () =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          call('post').send({
            name: `No. ${index}`,
            startDate,
            keywords: index % 2 ? ['New', 'wave'] : ['WAVE', 'new'],
          }),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await test.database.query(`select 1 from "${tenant.schemaName}".tag`)).toHaveLength(2);
    expect(new Set(answers.map(({ body }) => JSON.stringify((body as Body)['keywords']))).size).toBe(1);
  });
});
