import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventCancellationsService } from '#tickets';
import { EventsService, ImagesService, PostalAddressesService, type Event, type EventChange, type NewEvent } from '#catalogue';
import { NetworkAgendaService, NetworksService } from '#places';
import { ApiKeysService, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { agendaDrifts, copyOf, joinNetwork, listsWith, networkLists, publicEvent, readOn } from '../support/federation.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let network: TenantIdentity;
let member: TenantIdentity;
let key: string;
const day = 86_400_000;

interface Listed {
  identifier: string;
  name: string;
  eventStatus: string;
  keywords?: string[];
  image?: string[];
  organizer: { name: string; url: string };
  location?: { name?: string; address: { addressLocality: string } };
}

beforeAll(async () => {
  test = await startTestApp();
  network = await test.newTenant({ category: 'M', name: 'Agenda of the Loire' });
  member = await test.newTenant({ name: 'Le Hangar & Co' });
  await joinNetwork(test, network, member);
  key = await keyOf(member);
});
afterAll(() => test.close());

const events = (): EventsService => test.app.get(EventsService);
const read = (path: string, language?: string): Promise<string> => readOn(test, network, path, language);
const add = (input: Partial<NewEvent> = {}, tenant = member): Promise<Event> => publicEvent(test, tenant, input);
const change = (id: string, wanted: EventChange): Promise<unknown> => test.inside(member, () => events().update(id, wanted));
const where = (event: Event): Promise<string[]> => listsWith(test, network, event);

async function keyOf(tenant: TenantIdentity): Promise<string> {
  const made = await test.inside(tenant, () =>
    test.app.get(ApiKeysService).createIntegrationKey({ name: 'Test', scopes: ['event:read', 'event:write'] }),
  );
  return `Api-Key ${made.key}`;
}

async function listed(query = ''): Promise<Listed[]> {
  return (JSON.parse(await read(`/agenda.json${query}`)) as { results: Listed[] }).results;
}

const find = async (id: string): Promise<Listed | undefined> => (await listed()).find(({ identifier }) => identifier === id);

describe('an event on the agenda of a network', () => {
  it('is on every list when it is created, and on none when it is unpublished, private or deleted', async () => {
    const event = await add();
    expect(await where(event)).toEqual(networkLists);
    await change(event.id, { published: false });
    expect(await where(event)).toEqual([]);
    await change(event.id, { published: true });
    expect(await where(event)).toEqual(networkLists);
    await change(event.id, { isPrivate: true });
    expect(await where(event)).toEqual([]);
    await change(event.id, { isPrivate: false });
    expect(await where(event)).toEqual(networkLists);
    await test.inside(member, () => events().remove(event.id));
    expect(await where(event)).toEqual([]);
    for (const hidden of [{ isPrivate: true }, { published: false }]) expect(await where(await add(hidden))).toEqual([]);
  });

  it('follows changes over the API of the member', async () => {
    const name = `Fête ${randomUUID()}`;
    const call = (method: 'post' | 'patch' | 'delete', path: string) =>
      test.on(member).call(method, `/api/v2/events/${path}`).set('Authorization', key);
    const { body } = await call('post', '')
      .send({ name, alternateName: 'Bal à la nuit', startDate: '2031-05-01T20:00:00Z', keywords: ['Folk'] })
      .expect(201);
    const id = (body as { identifier: string }).identifier;
    expect(await find(id)).toMatchObject({
      name,
      alternateName: 'Bal à la nuit',
      keywords: ['Folk'],
      organizer: { name: 'Le Hangar & Co' },
    });
    expect((await listed('?q=bal+a+la+nuit')).map(({ identifier }) => identifier)).toEqual([id]);
    expect(await read('/?q=nuit')).toContain('<p class="entry-sub" dir="auto">Bal à la nuit</p>');
    const address = { name: 'Salle bleue', streetAddress: '1 rue X', addressLocality: 'Angers', postalCode: '49000', addressCountry: 'FR' };
    await call('post', `${id}/link-address/`).send(address).expect(200);
    expect((await find(id))?.location).toMatchObject({ name: 'Salle bleue', address: { addressLocality: 'Angers' } });
    await call('patch', `${id}/`).send({ eventStatus: 'https://schema.org/EventCancelled' }).expect(200);
    expect(await find(id)).toBeUndefined();
    const moved = { eventStatus: 'https://schema.org/EventRescheduled', previousStartDate: '2031-04-01T20:00:00Z' };
    await call('patch', `${id}/`).send(moved).expect(200);
    expect(await find(id)).toMatchObject({ ...moved, previousStartDate: expect.stringContaining('2031-04-01T') });
    expect(await read('/?q=nuit')).toMatch(/>New date</);
    await call('delete', `${id}/`).expect(204);
    expect(await find(id)).toBeUndefined();
  });

  it('is marked as cancelled at once, and restored when it is published again', async () => {
    const event = await add();
    const cancellations = test.app.get(EventCancellationsService);
    await test.inside(member, () => cancellations.cancel(event.id));
    expect((await find(event.id))?.eventStatus).toBe('https://schema.org/EventCancelled');
    expect(await read(`/?q=${event.name.slice(8)}`, 'fr')).toContain('Annulé');
    expect(await read('/agenda.ics')).toContain('STATUS:CANCELLED');
    await change(event.id, { published: true });
    await test.inside(member, () => cancellations.withdraw(event.id));
    expect((await find(event.id))?.eventStatus).toBe('https://schema.org/EventScheduled');
  });

  it('follows addresses, pictures, tags and copies', async () => {
    const addresses = test.app.get(PostalAddressesService);
    const { id: addressId } = await test.inside(member, () =>
      addresses.create({ streetAddress: '2 quai', addressLocality: 'Nantes', postalCode: '44000', addressCountry: 'FR' }),
    );
    const one = await add({ postalAddressId: addressId, keywords: ['Jazz'] });
    const two = await add({ postalAddressId: addressId });
    await test.inside(member, () => addresses.update(addressId, { addressLocality: 'Rezé' }));
    for (const { id } of [one, two]) expect((await find(id))?.location?.address.addressLocality).toBe('Rezé');
    await test.inside(member, () => addresses.remove(addressId));
    expect((await find(one.id))?.location).toBeUndefined();
    const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const picture = await test.inside(member, () => test.app.get(ImagesService).prepare(bytes, 'img'));
    await change(one.id, { picture, keywords: ['Jazz', 'Soul'] });
    const shown = (await find(one.id)) as Listed;
    expect(shown.keywords).toEqual(['Jazz', 'Soul']);
    const { host, pathname } = new URL(shown.image?.[0] ?? '');
    expect(host.split(':')[0]).toBe(member.host);
    await test.on(member).get(pathname).expect(200);
    const copy = await copyOf(test, member, one);
    expect(await find(copy.id)).toBeUndefined();
    await change(copy.id, { published: true });
    expect(await find(copy.id)).toMatchObject({ keywords: ['Jazz', 'Soul'] });
    expect(await agendaDrifts(test, member)).toEqual([]);
  });

  it('links to the page of the place that sends it', async () => {
    const event = await add({ name: '<b>Rock</b> & "Roll" 1', sameAs: null });
    const page = await read('/');
    expect(page).toMatch(new RegExp(`//${member.host}(:\\d+)?/event/${event.slug}"`));
    expect(page).toContain('Le Hangar &amp; Co');
    const { headers } = await test.on(network).get(`/event/${event.slug}`).expect(302);
    expect(headers['location']).toMatch(new RegExp(`//${member.host}(:\\d+)?/event/${event.slug}$`));
    await test.on(network).get('/event/nothing-like-it').expect(404);
  });
});

describe('the agenda of a network', () => {
  it('has a link that opens the calendar program of the reader', async () => {
    expect(await read('/')).toContain(`<a href="webcal://${network.host}:3000/agenda.ics">Subscribe to the agenda in your calendar</a>`);
  });

  it('is filtered by place, tag, category, days and words, ignoring case and accents', async () => {
    const other = await test.newTenant({ name: 'Théâtre du Fleuve' });
    await joinNetwork(test, network, other);
    const at = (days: number): Date => new Date(Date.now() + days * day);
    const mine = await add({ name: 'Soirée Électro', startsAt: at(40), category: 'LIV', keywords: ['Électro'] });
    const theirs = await add({ name: 'Bal de Mai', startsAt: at(50), endsAt: at(56), category: 'FES' }, other);
    const found = async (query: string): Promise<string[]> => {
      const names = new Set((await listed(query)).map(({ name }) => name));
      return [mine, theirs].map(({ name }) => name).filter((name) => names.has(name));
    };
    const date = (days: number): string => at(days).toISOString().slice(0, 10);
    expect(await found('')).toEqual([mine.name, theirs.name]);
    expect(await found(`?place=${other.slug}`)).toEqual([theirs.name]);
    expect(await found(`?tag=${encodeURIComponent('ÉLECTRO')}`)).toEqual([mine.name]);
    expect(await found('?category=FES')).toEqual([theirs.name]);
    expect(await found(`?from=${date(45)}`)).toEqual([theirs.name]);
    expect(await found(`?to=${date(45)}&utm_source=letter`)).toEqual([mine.name]);
    // An event of several days is found on each of them.
    expect(await found(`?from=${date(53)}&to=${date(53)}`)).toEqual([theirs.name]);
    expect(await found('?q=electro')).toEqual([mine.name]);
    expect(await found('?q=BAL+mai')).toEqual([theirs.name]);
    expect(await found('?q=theatre+fleuve')).toEqual([theirs.name]);
    expect(await found('?q=100%25')).toEqual([]);
    expect(await found(`?q=&tag=&from=&category=`)).toEqual([mine.name, theirs.name]);
    const page = await read(`/?place=${other.slug}&q=bal`, 'fr');
    expect(page).toContain('Bal de Mai');
    expect(page).not.toContain('Soirée Électro');
    expect(page).toContain('noindex');
    expect(await read('/agenda.ics?q=electro')).not.toContain('Bal de Mai');
    const places = await read('/places');
    expect(places).toContain('Théâtre du Fleuve');
    expect(places).toContain(`/?place=${other.slug}`);
  });

  it('lists all faults of a query, and ignores other long parameters', async () => {
    const query = `place=${'x'.repeat(300)}&category=XXX&from=2031-02-30&after=soon&skip=-1&q=a&q=b&tag=${'t'.repeat(201)}`;
    for (const path of networkLists) {
      const { body } = await test.on(network).get(`${path}?${query}`).set('Accept', 'application/json').expect(400);
      if (path === '/') continue;
      const { errors } = body as { errors: { pointer: string }[] };
      expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/after', '/category', '/from', '/place', '/q', '/skip', '/tag']);
    }
    await test.on(network).get('/agenda.json?from=2031-02-02&to=2031-02-01').expect(400);
  });

  it('pages by complete days, and continues within a day that is longer than a page', async () => {
    const crowded = await test.newTenant({ category: 'M' });
    await test.database.query(
      `insert into shared.federated_event (network_id, tenant_id, event_id, name, slug, category, starts_at, over_at, search_text,
       created_at, updated_at)
       select $1, $2, gen_random_uuid(), 'Page ' || n, 'page-' || n, 'LIV', at, at + interval '1 hour', 'page', now(), now()
       from (select n, timestamptz '2032-03-01T18:00Z' + (n / 450) * interval '1 day' as at from generate_series(0, 699) n) given`,
      [crowded.id, member.id],
    );
    const names: string[] = [];
    const sizes: number[] = [];
    for (let path: string | null = '/agenda.json'; path !== null;) {
      const { results, next } = JSON.parse(await readOn(test, crowded, path)) as { results: Listed[]; next: string | null };
      names.push(...results.map(({ name }) => name));
      sizes.push(results.length);
      path = next && next.slice(next.indexOf('/agenda.json'));
    }
    expect(sizes).toEqual([200, 200, 50, 200, 50]);
    expect(new Set(names).size).toBe(700);
    const page = await readOn(test, crowded, '/?after=2032-03-01&skip=400');
    expect(page.match(/<li class="entry/g)).toHaveLength(50);
    expect(page).toContain('/?after=2032-03-02"');
  });

  it('answers 304 until something changes, and can be read by pages of any origin', async () => {
    const event = await add();
    for (const path of networkLists) {
      const { headers } = await test.on(network).get(path).expect(200);
      expect(headers['cache-control']).toBe('public, no-cache');
      const again = () =>
        test
          .on(network)
          .get(path)
          .set('If-None-Match', headers['etag'] as string);
      await again().expect(304);
      await change(event.id, { shortDescription: `Changed for ${path}` });
      await again().expect(200);
    }
    const { headers } = await test.on(network).get('/agenda.json').set('Origin', 'https://elsewhere.example').expect(200);
    expect(headers['access-control-allow-origin']).toBe('*');
    const own = await test.on(member).get('/agenda.json').expect(200);
    expect(own.body).toMatchObject({ next: null });
    await test.on(member).get('/places').expect(404);
  });

  it('has another version when a day begins at a member in another time zone', async () => {
    const far = await test.newTenant({ name: 'Kourou', timeZone: 'America/Cayenne' });
    await joinNetwork(test, network, far);
    const startsAt = new Date('2031-05-02T23:00:00Z');
    await add({ startsAt }, far);
    const agenda = test.app.get(NetworkAgendaService);
    // Days begin at 22:00 UTC in Paris and at 03:00 UTC in Cayenne.
    const versionAt = (instant: string): Promise<string> => {
      const now = new Date(instant);
      return agenda.state('network', network.id, { since: now }, { limit: 1000 }, now);
    };
    const evening = await versionAt('2031-05-02T02:50:00Z');
    expect(await versionAt('2031-05-02T02:55:00Z')).toBe(evening);
    expect(await versionAt('2031-05-02T03:05:00Z')).not.toBe(evening);
    await test.inside(far, () => test.app.get(NetworksService).leave(network.id));
  });

  it('is the list of events of the API for a key of the network', async () => {
    const event = await add({ keywords: ['Key'] });
    await test.on(network).get('/api/v2/events/').expect(401);
    await test.on(network).get('/api/v2/events/').set('Authorization', key).expect(401);
    const authorization = await keyOf(network);
    const ask = (path: string) => test.on(network).get(`/api/v2/events/${path}`).set('Authorization', authorization);
    const answer = await ask('?only_futur=1').expect(200);
    const { results } = answer.body as { results: Listed[] };
    expect(results.find(({ identifier }) => identifier === event.id)).toMatchObject({
      organizer: { name: 'Le Hangar & Co' },
    });
    await ask('?only_futur=1')
      .set('If-None-Match', answer.headers['etag'] as string)
      .expect(304);
    expect((await ask(`?filter=${event.name.slice(8)}`).expect(200)).body.results).toHaveLength(1);
    for (const named of [event.id, event.slug]) expect((await ask(`${named}/`).expect(200)).body.identifier).toBe(event.id);
    const hidden = await add({ isPrivate: true });
    await ask(`${hidden.id}/`).expect(404);
  });

  it('shows no events of a member that has left', async () => {
    const leaving = await test.newTenant();
    await joinNetwork(test, network, leaving);
    const event = await add({}, leaving);
    expect(await where(event)).toEqual(networkLists);
    const { headers } = await test.on(network).get('/').expect(200);
    await test.inside(leaving, () => test.app.get(NetworksService).leave(network.id));
    await test
      .on(network)
      .get('/')
      .set('If-None-Match', headers['etag'] as string)
      .expect(200);
    expect(await where(event)).toEqual([]);
  });
});
