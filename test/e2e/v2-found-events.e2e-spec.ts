import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { PostalAddress } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, startDate, type Body } from '../support/events-api.js';
import { foundAddresses, foundEvents, unknownMembers } from '../support/found-events.js';
import { newAddress, required } from '../support/postal-addresses.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { loopbackAllowed, newKey } from '../support/webhooks.js';
import { ownPart } from '../support/own-part.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let pictures: Server;
let picturesAt: string;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'many', environment: loopbackAllowed });
  const png = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#226644' } })
    .png()
    .toBuffer();
  pictures = createServer((request, response) => {
    response.statusCode = request.url?.startsWith('/gone') ? 404 : 200;
    response.end(png);
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  picturesAt = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
});
afterAll(async () => {
  pictures.close();
  await test.close();
});

async function begin(): Promise<void> {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'event:read', 'event:write', 'webhook:read');
}

const { call, create, get, patch, faultsOf } = eventsApi(() => ({ test, tenant, authorization }));
const addresses = (): Promise<PostalAddress[]> =>
  test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.find(PostalAddress, { order: { id: 'ASC' } })));
const location = (event: Body): Body => event['location'] as Body;

describe('events as others publish them', () => {
  // One tenant for all of them, because creating one takes longer than a test.
  beforeAll(begin);

  it.each(foundEvents)('are accepted: $name', async (found) => {
    const answer = await call('post').send(found);
    expect([answer.status, (answer.body as Body)['errors']]).toEqual([201, undefined]);
    // What was answered can be sent back, as a change and as a new event.
    const { identifier } = answer.body as { identifier: string };
    expect(await patch(identifier, answer.body as object)).toEqual(answer.body);
    await call('post')
      .send({ ...(answer.body as object), name: `Once more: ${found.name}` })
      .expect(201);
    const [{ slug }] = (await test.database.query(`select slug from "${tenant.schemaName}".event where id = '${identifier}'`)) as [
      { slug: string },
    ];
    const { body: page } = await test.on(tenant).get(`/event/${slug}.json`).expect(200);
    await call('post')
      .send({ ...(page as object), name: `From the page: ${found.name}` })
      .expect(201);
  });

  it.each(foundAddresses)('have addresses that are accepted: %j', async (found, expected) => {
    const answer = await test.on(tenant).post('/api/v2/postal-addresses/').set('Authorization', authorization).send(found);
    expect([answer.status, (answer.body as Body)['errors']]).toEqual([201, undefined]);
    expect(answer.body).toMatchObject(expected);
  });
});

describe('events as others publish them', () => {
  beforeEach(begin);

  it('keep what pages show', async () => {
    const event = await create({
      '@type': 'MusicEvent',
      name: 'Harbour night',
      startDate: '2027-06-01T20:00+0200',
      doorTime: '19:00',
      duration: 'PT2H30M',
      eventAttendanceMode: 'OfflineEventAttendanceMode',
      inLanguage: 'fr',
      isAccessibleForFree: 'False',
      typicalAgeRange: '7-12',
      keywords: 'jazz, harbour',
      performer: ['The Mudlarks', { '@type': 'MusicGroup', name: 'Tin Heron', sameAs: 'https://heron.example' }],
      organizer: [{ '@type': 'Organization', name: 'Quay Society', url: 'https://quay.example' }, { name: 'Town' }],
      superEvent: { '@type': 'EventSeries', name: 'Summer on the quay' },
      offers: [
        { '@type': 'Offer', name: 'Member', price: '15.00', priceCurrency: 'GBP' },
        { '@type': 'AggregateOffer', lowPrice: 20, highPrice: 30, priceCurrency: 'GBP', availability: 'https://schema.org/SoldOut' },
      ],
    });
    const kept = {
      startDate: '2027-06-01T20:00:00+02:00',
      endDate: '2027-06-01T22:30:00+02:00',
      doorTime: '2027-06-01T19:00:00+02:00',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      inLanguage: ['fr'],
      isAccessibleForFree: false,
      typicalAgeRange: '7-12',
      keywords: ['harbour', 'jazz'],
      performer: [
        { '@type': 'Thing', name: 'The Mudlarks' },
        { '@type': 'MusicGroup', name: 'Tin Heron' },
      ],
      organizer: { '@type': 'Organization', name: 'Quay Society', url: 'https://quay.example' },
      superEvent: { '@type': 'EventSeries', name: 'Summer on the quay' },
      offers: {
        '@type': 'AggregateOffer',
        offers: [
          { '@type': 'Offer', name: 'Member', price: '15.00', priceCurrency: 'GBP' },
          { '@type': 'AggregateOffer', lowPrice: '20', highPrice: '30', availability: 'https://schema.org/SoldOut' },
        ],
      },
    };
    expect(event).toMatchObject(kept);
    expect(await get(event.identifier)).toEqual(event);
    const { text: html } = await test
      .on(tenant)
      .get(new URL(String(event['url'])).pathname)
      .set('Accept-Language', 'en')
      .expect(200);
    for (const shown of ['doors 19:00', 'The Mudlarks', 'Tin Heron', 'Quay Society', 'Summer on the quay', 'French', '7-12', '£15.00']) {
      expect(html).toContain(shown);
    }
    // The doors move with the start; null removes; what is absent stays.
    const moved = await patch(event.identifier, { startDate: '2027-06-02T21:00', endDate: null, performer: null });
    expect(moved).toMatchObject({ doorTime: '2027-06-02T20:00:00+02:00', organizer: kept.organizer, superEvent: kept.superEvent });
    expect(moved).not.toHaveProperty('performer');
    expect(await patch(event.identifier, { duration: 'PT1H' })).toMatchObject({ endDate: '2027-06-02T22:00:00+02:00' });
  });

  it('last whole days when dates have no time', async () => {
    const one = await create({ startDate: '2027-02-02', endDate: '2027-02-02' });
    expect(one).toMatchObject({ startDate: '2027-02-02T00:00:00+01:00', endDate: '2027-02-02T23:59:59+01:00' });
    expect(await create({ startDate: '2027-02-03' })).toMatchObject({ endDate: '2027-02-03T23:59:59+01:00' });
    expect(await create({ startDate: '2027-11-28T17:30:00', endDate: '2027-11-28' })).toMatchObject({
      endDate: '2027-11-28T23:59:59+01:00',
    });
    const several = await create({ startDate: '2027-03-27', endDate: '2027-03-29' });
    expect(several).toMatchObject({ startDate: '2027-03-27T00:00:00+01:00', endDate: '2027-03-29T23:59:59+02:00' });
    const { text } = await test
      .on(tenant)
      .get(new URL(String(several['url'])).pathname)
      .set('Accept-Language', 'en')
      .expect(200);
    const shown = ownPart(text).replaceAll(/<script[\s\S]*?<\/script>/g, '');
    expect(shown).toMatch(/Saturday 27 March 2027<\/time> –<.*Monday 29 March 2027<\/time>/);
    expect(shown).not.toContain('23:59');
    expect(shown).not.toContain('00:00');
  });

  it('take place at an address that is found, or made once', async () => {
    const hall = await newAddress(test, tenant);
    expect(location(await create({ location: { '@type': 'Place', name: 'blue hall' } }))).toMatchObject({
      name: 'Blue Hall',
      address: { identifier: Number(hall.id) },
    });
    const villa = { name: 'Villa', address: '178 rue de la Carriérasse, Montpellier' };
    const both = await Promise.all([create({ location: villa }), create({ location: villa }), create({ location: villa })]);
    expect(new Set(both.map((event) => (location(event)['address'] as Body)['identifier'])).size).toBe(1);
    expect(location(both[0])).toMatchObject({
      name: 'Villa',
      address: { name: 'Villa', streetAddress: '178 rue de la Carriérasse, Montpellier' },
    });
    expect(location(await create({ location: 'Sky Stadium' }))).toMatchObject({ name: 'Sky Stadium' });
    expect(location(await create({ location: { name: 'Pier', geo: { latitude: '-41.27', longitude: 174.78 } } }))).toMatchObject({
      address: { geo: { latitude: -41.27, longitude: 174.78 } },
    });
    expect((await addresses()).map(({ name }) => name)).toEqual(['Blue Hall', 'Villa', 'Sky Stadium', 'Pier']);
  });

  it('get the address of the place only when the body has no location', async () => {
    const main = await newAddress(test, tenant);
    await test.database.query(`update "${tenant.schemaName}".postal_address set is_main = true`);
    expect(location(await create())).toMatchObject({ address: { identifier: Number(main.id) } });
    for (const none of [{}, null, { '@type': 'Place' }, []]) expect(await create({ location: none })).not.toHaveProperty('location');
    const online = await create({ location: { '@type': 'VirtualLocation', url: 'https://stream.example/1' } });
    expect(online['location']).toEqual({ '@type': 'VirtualLocation', url: 'https://stream.example/1' });
    const hybrid = await call('post').send({
      name: 'Both',
      startDate,
      location: [
        { '@type': 'VirtualLocation', url: 'https://stream.example/1' },
        { '@type': 'Place', name: 'Blue Hall' },
      ],
    });
    expect(location(hybrid.body as Body)).toMatchObject({ name: 'Blue Hall' });
    expect(hybrid.headers['ignored-members']).toBe('"/location/0"');
  });

  it('take their own address when another place gave its identifier', async () => {
    const own = await newAddress(test, tenant);
    const elsewhere = { identifier: Number(own.id), ...required, name: 'Elsewhere' };
    const event = await create({ location: { address: elsewhere } });
    expect(location(event)['address']).toMatchObject({ ...required, name: 'Elsewhere', identifier: Number(own.id) + 1 });
    expect(location(await create({ location: { address: { ...elsewhere, identifier: 4711 } } }))).toEqual(location(event));
  });

  it('bring pictures as addresses, objects and lists', async () => {
    for (const image of [`${picturesAt}/a`, { '@type': 'ImageObject', url: `${picturesAt}/a` }, [{ contentUrl: `${picturesAt}/a` }]]) {
      expect((await create({ image }))['image']).toHaveLength(1);
    }
    const answer = await call('post').send({ name: 'Three', startDate, image: ['a', 'b', 'c'].map((name) => `${picturesAt}/${name}`) });
    const { image } = answer.body as { image: string[] };
    expect([image.length, answer.headers['ignored-members']]).toEqual([2, '"/image/2"']);
    // Pictures of this place are read from where they are stored.
    expect((await create({ image }))['image']).toHaveLength(2);
    expect(await faultsOf({ image: `${picturesAt}/gone` })).toEqual(['/image']);
    expect(await faultsOf({ image: ['/relative.jpg'] })).toEqual(['/image']);
    const lenient = await call('post')
      .set('Prefer', 'handling=lenient')
      .send({ name: 'Gone', startDate, image: `${picturesAt}/gone` });
    expect([lenient.status, lenient.headers['ignored-members']]).toEqual([201, '"/image"']);
  });
});

describe('members without a meaning here', () => {
  beforeEach(begin);

  it('are accepted when schema.org has them, and named', async () => {
    const answer = await call('post')
      .set('Idempotency-Key', 'found')
      .send({
        name: 'Named',
        startDate,
        identifier: 'e-4711',
        aggregateRating: { ratingValue: 4, bogus: true },
        location: {
          name: 'Pier',
          hasMap: 'https://map.example',
          telephone: '+33 2',
          address: { addressLocality: 'Brest', telephone: '+33 2' },
        },
        offers: { price: 5, seller: { name: 'x' } },
      });
    const named =
      '"/identifier", "/aggregateRating", "/location/hasMap", "/location/telephone", "/location/address/telephone", "/offers/seller"';
    expect([answer.status, String(answer.headers['ignored-members']).split(', ').toSorted()]).toEqual([201, named.split(', ').toSorted()]);
    const again = await call('post')
      .set('Idempotency-Key', 'found')
      .send({
        name: 'Named',
        startDate,
        identifier: 'e-4711',
        aggregateRating: { ratingValue: 4, bogus: true },
        location: {
          name: 'Pier',
          hasMap: 'https://map.example',
          telephone: '+33 2',
          address: { addressLocality: 'Brest', telephone: '+33 2' },
        },
        offers: { price: 5, seller: { name: 'x' } },
      });
    expect([again.headers['idempotency-replayed'], again.headers['ignored-members']]).toEqual(['true', answer.headers['ignored-members']]);
    expect((await call('post').send({ name: 'Plain', startDate })).headers).not.toHaveProperty('ignored-members');
  });

  it.each(unknownMembers)('are refused when schema.org has none of the name, unless the caller is lenient: %j', async (body, pointer) => {
    expect(await faultsOf(body)).toEqual([pointer]);
    const lenient = await call('post')
      .set('Prefer', 'respond-async, handling=lenient')
      .send({ name: 'Lenient', startDate, ...body });
    expect([lenient.status, lenient.headers['ignored-members'], lenient.headers['preference-applied']]).toEqual([
      201,
      `"${pointer.split('/').map(encodeURIComponent).join('/')}"`,
      'handling=lenient',
    ]);
  });

  it('are named fifty at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x${index}`, 1]));
    const answer = await call('post')
      .set('Prefer', 'handling=lenient; return=minimal')
      .send({ name: 'Many', startDate, ...many });
    expect(answer.headers['ignored-members']).toMatch(/^"\/x0", .*"\/x49", more;count=30$/);
  });
});
