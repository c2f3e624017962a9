import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { expanded, schema } from '../support/json-ld.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  authorization = await newKey(test, tenant, 'event:read', 'event:write');
});
afterAll(() => test.close());

function create(path: string, body: object): Promise<{ body: Record<string, unknown> }> {
  return test.on(tenant).post(path).set('Authorization', authorization).send(body).expect(201);
}

describe('answers as JSON-LD', () => {
  it('are schema.org events with all their properties', async () => {
    const { body: address } = await create('/api/v2/postal-addresses/', {
      streetAddress: '14 quai des Ferblantiers',
      addressLocality: 'Nantes',
      postalCode: '44200',
      addressCountry: 'FR',
      geo: { latitude: 47.2, longitude: -1.54 },
      additionalProperty: [{ name: 'isMain', value: true }],
    });
    const { body: event } = await create('/api/v2/events/', {
      '@type': 'MusicEvent',
      name: 'Nuit blanche',
      startDate: '2027-03-01T20:00:00+01:00',
      endDate: '2027-03-01T23:00:00+01:00',
      keywords: ['jazz', 'night'],
      audience: { audienceType: 'private' },
      sameAs: 'https://example.org/nuit-blanche',
      offers: { eligibleQuantity: { maxValue: 4 } },
      additionalProperty: [{ name: 'optionsRadio', value: ['Balcony', 'Floor'] }],
    });
    const node = await expanded(event, tenant);
    expect(node['@type']).toEqual([schema('MusicEvent')]);
    expect(node[schema('name')]).toEqual([{ '@value': 'Nuit blanche' }]);
    expect(node[schema('startDate')]).toEqual([{ '@type': schema('DateTime'), '@value': '2027-03-01T20:00:00+01:00' }]);
    expect(node[schema('eventStatus')]).toEqual([{ '@id': schema('EventScheduled') }]);
    expect(node[schema('sameAs')]).toEqual([{ '@id': 'https://example.org/nuit-blanche' }]);
    expect(node[schema('keywords')]).toEqual([{ '@value': 'jazz' }, { '@value': 'night' }]);
    expect(node[schema('audience')]).toMatchObject([{ '@type': [schema('Audience')] }]);
    expect(node[schema('offers')]).toMatchObject([
      {
        '@type': [schema('Offer')],
        [schema('eligibleQuantity')]: [{ '@type': [schema('QuantitativeValue')], [schema('maxValue')]: [{ '@value': 4 }] }],
        [schema('returnPolicy')]: [{ '@type': [schema('MerchantReturnPolicy')] }],
      },
    ]);
    expect(node[schema('location')]).toMatchObject([
      {
        '@type': [schema('Place')],
        [schema('address')]: [
          {
            '@id': `http://${tenant.host}${String(address['@id'])}`,
            '@type': [schema('PostalAddress')],
            [schema('addressCountry')]: [{ '@value': 'FR' }],
            [schema('identifier')]: [{ '@value': address['identifier'] }],
            [schema('geo')]: [{ '@type': [schema('GeoCoordinates')], [schema('latitude')]: [{ '@value': 47.2 }] }],
          },
        ],
      },
    ]);
  });

  it('contain their parent', async () => {
    const { body: parent } = await create('/api/v2/events/', { name: 'Build', startDate: '2027-04-01T09:00', '@type': 'Festival' });
    const { body: child } = await create('/api/v2/events/', {
      name: 'Paint the stage',
      startDate: '2027-04-01T10:00',
      superEvent: parent['identifier'],
    });
    const node = await expanded(child, tenant);
    expect(node[schema('superEvent')]).toEqual([{ '@value': parent['identifier'] }]);
  });
});
