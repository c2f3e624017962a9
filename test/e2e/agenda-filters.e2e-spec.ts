import { EventsService, type NewEvent } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;

const add = (name: string, startsAt: string, more: Partial<NewEvent> = {}): Promise<unknown> =>
  test.inside(venue, () => test.app.get(EventsService).create({ name, startsAt: new Date(startsAt), category: 'LIV', ...more }));

const read = async (path: string): Promise<string> => (await test.on(venue).get(path).set('Accept-Language', 'en').expect(200)).text;

/** Names of the events that a page lists. */
const listed = async (path: string): Promise<string[]> =>
  [...(await read(path)).matchAll(/<h3[^>]*><a [^>]*>([^<]*)<\/a>/g)].map(([, name]) => name as string);

interface AgendaJson {
  readonly results: readonly { readonly name: string; readonly keywords?: readonly string[] }[];
  readonly next: string | null;
}

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min' } });
  venue = await test.newTenant({ language: 'en', timeZone: 'Pacific/Auckland' });
  // Midnight of 1 June in Auckland is 12:00 of 31 May in UTC.
  await add('Last of May', '2041-05-31T11:00:00Z', { keywords: ['Jazz', 'Été'] });
  await add('First of June', '2041-05-31T12:30:00Z', { keywords: ['jazz'], subtitle: 'With the Été quartet' });
  await add('Crêpes for all', '2041-06-20T10:00:00Z', { category: 'RES', shortDescription: 'Bring 100% of your hunger' });
  await add('Winter workshop', '2041-12-30T10:00:00Z', { category: 'CON', keywords: ['Craft'] });
  await add('Prints', '2041-04-10T10:00:00Z', { category: 'EXP', endsAt: new Date('2041-07-15T05:00:00Z') });
  // It ends at midnight of 1 June in Auckland.
  await add('May only', '2041-05-30T10:00:00Z', { category: 'EXP', endsAt: new Date('2041-05-31T12:00:00Z') });
});
afterAll(() => test.close());

describe('the agenda of a venue', () => {
  it('is filtered by month in the time zone of the venue, by kind, tag and words', async () => {
    expect(await listed('/?month=2041-06')).toEqual(['Prints', 'First of June', 'Crêpes for all']);
    expect(await listed('/?month=2041-12')).toEqual(['Winter workshop']);
    expect(await listed('/?category=res')).toEqual(['Crêpes for all']);
    expect(await listed('/?tag=JAZZ')).toEqual(['Last of May', 'First of June']);
    expect(await listed('/?q=crepes')).toEqual(['Crêpes for all']);
    expect(await listed('/?q=ete+jazz')).toEqual(['Last of May', 'First of June']);
    expect(await listed('/?q=100%25')).toEqual(['Crêpes for all']);
    expect(await listed('/?q=%25')).toEqual(['Crêpes for all']);
    expect(await listed('/?tag=jazz&month=2041-06&q=&category=')).toEqual(['First of June']);
    expect(await read('/?tag=nothing')).toContain('Nothing found.');
  });

  it('has the events that run in a month or on a day, also those that began before', async () => {
    expect(await listed('/?month=2041-07')).toEqual(['Prints']);
    expect(await listed('/?month=2041-08')).toEqual([]);
    expect(await listed('/?month=2041-05&category=EXP')).toEqual(['Prints', 'May only']);
    expect(await listed('/?from=2041-06-02&to=2041-06-20')).toEqual(['Prints', 'Crêpes for all']);
    expect(await listed('/?from=2041-07-15&to=2041-07-15')).toEqual(['Prints']);
    expect(await listed('/?from=2041-07-16&to=2041-07-16')).toEqual([]);
    expect(await listed('/?from=2041-06-20&month=2041-06')).toEqual(['Prints', 'Crêpes for all']);
    const { body } = await test.on(venue).get('/agenda.json?from=2041-06-21&to=2041-07-01').expect(200);
    expect((body as AgendaJson).results.map(({ name }) => name)).toEqual(['Prints']);
    expect(await read('/?from=2041-06-20&q=crepes')).toContain('<input type="date" id="from" name="from" value="2041-06-20"/>');
    // A page starts at a day, and does not repeat what began before.
    expect(await listed('/?after=2041-06-01&month=2041-06')).toEqual(['First of June', 'Crêpes for all']);
  });

  it('names the kind CHT, which is that of events without one, in words for visitors', async () => {
    for (const [language, kind] of Object.entries({ en: 'Workshop', fr: 'Atelier ou chantier', de: 'Workshop', es: 'Taller' })) {
      const { text } = await test.on(venue).get('/?category=CHT').set('Accept-Language', language).expect(200);
      expect(text).toContain(`aria-current="true"><bdi>${kind}</bdi>`);
      expect(text).not.toMatch(/Workcamp|Arbeitseinsatz|Campo de trabajo/);
    }
  });

  it('offers the filters without scripts, and links to remove each', async () => {
    const plain = await test.on(venue).get('/').set('Accept-Language', 'en').expect(200);
    expect(plain.headers['content-security-policy']).toContain("form-action 'self'");
    expect(plain.text).toContain('<form method="get" action="/" role="search"');
    expect(plain.text).not.toContain('<script');
    expect(plain.text).toContain(`<link rel="canonical" href="http://${venue.host}:3000/"/>`);
    expect(plain.text).toContain('href="/?tag=jazz" rel="nofollow"><bdi>Jazz</bdi>');
    const filtered = await read('/?month=2041-06&tag=jazz&q=%22%3E%3Cb%3E');
    expect(filtered).toContain('<meta name="robots" content="noindex"/>');
    expect(filtered).not.toContain('rel="canonical"');
    for (const part of [
      '<input type="hidden" name="month" value="2041-06"/>',
      'value="&quot;>&lt;b>"',
      '<input type="hidden" name="tag" value="jazz"/>',
      'href="/?tag=jazz&amp;q=%22%3E%3Cb%3E" aria-label="Remove: Month: June 2041"',
    ])
      expect(filtered).toContain(part);
  });

  it('gives programs the same, with tags, and keeps the filters in links to later events', async () => {
    const json = async (path: string): Promise<AgendaJson> => (await test.on(venue).get(path).expect(200)).body as AgendaJson;
    const { results } = await json('/agenda.json?tag=jazz');
    expect(results.map(({ name, keywords }) => [name, keywords])).toEqual([
      ['Last of May', ['Jazz', 'Été']],
      ['First of June', ['Jazz']],
    ]);
    for (let index = 0; index < 201; index += 1) {
      const startsAt = new Date(Date.UTC(2042, 0, 1 + Math.floor(index / 40), 1, index % 40)).toISOString();
      await add(`Night ${index}`, startsAt, { category: 'FES' });
    }
    const { next } = await json('/agenda.json?category=FES');
    const later = new URL(next!);
    expect(`${later.pathname}${later.search}`).toBe('/agenda.json?category=FES&after=2042-01-06');
    const page = await read('/?category=FES');
    expect(page).toContain('href="/?category=FES&amp;after=2042-01-02" rel="next"');
    expect(await listed('/?category=FES&after=2042-01-06')).toEqual(['Night 200']);
    expect(await read('/?category=FES&after=2042-01-06')).toContain('<a href="/?category=FES">←');
  });

  it('refuses what is too long or no month, naming every fault', async () => {
    const query = `month=2041-13&tag=${'t'.repeat(201)}&category=XXX&from=soon&q=a&q=b`;
    const { body } = await test.on(venue).get(`/agenda.json?${query}`).expect(400);
    const faults = (body as { errors: { pointer: string; code: string }[] }).errors.map(({ pointer, code }) => `${pointer} ${code}`);
    expect(faults.toSorted()).toEqual(['/category category', '/from date', '/month month', '/q once', '/tag length']);
    await test.on(venue).get('/?month=0000-01').expect(400);
    await test.on(venue).get('/?month=9999-12').expect(200);
    // Parameters of networks have no effect here.
    expect(await listed('/?place=elsewhere&skip=x&month=2041-12')).toEqual(['Winter workshop']);
  });
});
