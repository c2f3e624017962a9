import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SigningKeysService } from '#tickets';
import { ImagesService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import type supertest from 'supertest';
import { newEvent, newTicket } from '../support/builders.js';
import { newAddress } from '../support/postal-addresses.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
  venue = await test.newTenant({ name: 'La Lune' });
});
afterAll(() => test.close());

type Shown = Record<string, unknown> & { uuid: string; name: string; childrens: Shown[]; publicKeyPem: string };

const hours = (number: number): Date => new Date(Date.now() + number * 3_600_000);
const list = async (query = '', on = venue): Promise<Shown[]> =>
  (await test.on(on).get(`/api/events/${query}`).expect(200)).body as Shown[];
const names = (events: Shown[]): string[] => events.map(({ name }) => name);

describe('GET /api/events/', () => {
  it('answers published events that are not private to everybody, with all their members', async () => {
    const own = await test.newTenant({ name: 'La Grue' });
    const address = await newAddress(test, own);
    const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#204060' } })
      .png()
      .toBuffer();
    const picture = await test.inside(own, () => test.app.get(ImagesService).prepare(png, 'img'));
    const event = await newEvent(test, own, {
      name: 'Nuit blanche',
      startsAt: new Date('2027-05-21T18:30:00Z'),
      endsAt: new Date('2027-05-21T22:00:00Z'),
      shortDescription: 'Jazz until dawn',
      longDescription: '<p>Jazz <b>until</b> dawn</p>',
      postalAddressId: address.id,
      picture,
    });
    await newEvent(test, own, { name: 'Draft', published: false });
    await newEvent(test, own, { name: 'For members', isPrivate: true });
    const [shown, ...others] = await list('', own);
    expect(others).toEqual([]);
    expect(shown).toEqual({
      uuid: event.id,
      name: 'Nuit blanche',
      startDate: '2027-05-21T20:30:00+02:00',
      endDate: '2027-05-22T00:00:00+02:00',
      disambiguatingDescription: 'Jazz until dawn',
      description: '<p>Jazz <b>until</b> dawn</p>',
      url: expect.stringMatching(new RegExp(`^http://${own.host}(:\\d+)?/event/nuit-blanche-`)),
      eventStatus: 'https://schema.org/EventScheduled',
      image: [expect.stringMatching(/^http:.*\/images\/.*\/fhd\.png$/)],
      location: {
        '@type': 'Place',
        name: 'Blue Hall',
        address: expect.objectContaining({ '@type': 'PostalAddress', addressLocality: 'Lyon' }),
      },
      organizer: { '@type': 'Organization', name: 'La Grue', url: expect.stringMatching(/^http:\/\/[^/]+\/$/) },
      childrens: [],
      publicKeyPem: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=]{60}\n-----END PUBLIC KEY-----\n$/),
    });
    await test
      .on(own)
      .get((shown!['image'] as string[])[0]!.replace(/^http:\/\/[^/]+/, ''))
      .expect(200);
  });

  it('leaves out past events with only_futur, and sorts each list', async () => {
    const own = await test.newTenant();
    await newEvent(test, own, { name: 'last month', startsAt: hours(-24 * 30) });
    await newEvent(test, own, { name: 'running', startsAt: hours(-24 * 5), endsAt: hours(5) });
    await newEvent(test, own, { name: 'soon', startsAt: hours(2) });
    await newEvent(test, own, { name: 'next month', startsAt: hours(24 * 30) });
    for (const query of ['?only_futur=true', '?only_futur=1', '?only_futur=True']) {
      expect(names(await list(query, own))).toEqual(['running', 'soon', 'next month']);
    }
    for (const query of ['', '?only_futur=false', '?only_futur=0']) {
      expect(names(await list(query, own))).toEqual(['next month', 'soon', 'running', 'last month']);
    }
    const { body } = await test.on(own).get('/api/events/?only_futur=maybe&page=0').expect(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(['/only_futur', '/page']);
  });

  it('answers at most 500 events and links to the others', async () => {
    const own = await test.newTenant();
    await test.database.query(
      `insert into "${own.schemaName}".event (name, slug, starts_at)
       select 'Night ' || n, 'night-' || n, now() + make_interval(days => n) from generate_series(1, 501) n`,
    );
    const first = await test.on(own).get('/api/events/').expect(200);
    expect(first.body).toHaveLength(500);
    expect(first.headers['link']).toContain('page=2&page_size=500>; rel="next"');
    expect(names(await list('?page=2&page_size=500', own))).toEqual(['Night 1']);
    expect(names(await list('?page=2&page_size=2&only_futur=true', own))).toEqual(['Night 3', 'Night 4']);
  });

  it('answers 304 to a client with the current list', async () => {
    const own = await test.newTenant();
    const event = await newEvent(test, own);
    const { headers } = await test.on(own).get('/api/events/').expect(200);
    const again = (): supertest.Test =>
      test
        .on(own)
        .get('/api/events/')
        .set('If-None-Match', headers['etag'] ?? '');
    await again().expect(304);
    await test.database.query(`update "${own.schemaName}".event set name = 'Other' where id = $1`, [event.id]);
    await again().expect(200);
  });

  it('names the key that signs new tickets, which verifies their codes', async () => {
    const own = await test.newTenant();
    const event = await newEvent(test, own);
    const verifies = async (): Promise<boolean> => {
      const { code } = await newTicket(test, own, { event });
      const [data = '', signature = ''] = code.split(':');
      const [{ publicKeyPem } = { publicKeyPem: '' }] = await list('', own);
      return verify(null, Buffer.from(data), createPublicKey(publicKeyPem), Buffer.from(signature, 'base64url'));
    };
    const [before] = await list('', own);
    expect(await verifies()).toBe(true);
    await test.inside(own, () => test.app.get(SigningKeysService).rotate());
    expect(await verifies()).toBe(true);
    expect((await list('', own))[0]!.publicKeyPem).not.toBe(before!.publicKeyPem);
  });

  it('shows nothing of other places', async () => {
    await newEvent(test, venue, { name: 'Only here' });
    expect(names(await list('', await test.newTenant()))).toEqual([]);
  });
});

describe('GET /api/events/<uuid>', () => {
  it('answers one event with its public sub-events', async () => {
    const own = await test.newTenant();
    const parent = await newEvent(test, own, { name: 'Festival', startsAt: hours(48) });
    const part = (name: string, more: object): ReturnType<typeof newEvent> =>
      newEvent(test, own, { name, superEventId: parent.id, ...more });
    await part('second', { startsAt: hours(52) });
    const first = await part('first', { startsAt: hours(50) });
    await part('draft', { startsAt: hours(51), published: false });
    await part('private', { startsAt: hours(51), isPrivate: true });
    for (const path of [`/api/events/${parent.id}`, `/api/events/${parent.id.toUpperCase()}/`]) {
      const { body, headers } = await test.on(own).get(path).expect(200);
      expect(body).toMatchObject({ uuid: parent.id, name: 'Festival', location: null, image: [], endDate: null });
      expect(names(body.childrens)).toEqual(['first', 'second']);
      expect(body.childrens[0]).toMatchObject({ uuid: first.id, startDate: expect.any(String), url: expect.any(String) });
      expect(body.childrens[0]).not.toHaveProperty('childrens');
      expect(headers['cache-control']).toBe('public, no-cache');
    }
    const child = await test.on(own).get(`/api/events/${first.id}`).expect(200);
    expect(child.body.childrens).toEqual([]);
  });

  it('answers 404 for unknown, malformed, unpublished, private and foreign events', async () => {
    const draft = await newEvent(test, venue, { published: false });
    const members = await newEvent(test, venue, { isPrivate: true });
    const foreign = await newEvent(test, await test.newTenant());
    for (const id of [randomUUID(), 'x', draft.id, members.id, foreign.id, draft.slug]) {
      const { body } = await test
        .on(venue)
        .get(`/api/events/${id}/`)
        .expect(404)
        .expect('Content-Type', /problem\+json/);
      expect(body.code).toBe('event.unknown');
    }
  });
});
