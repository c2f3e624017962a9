import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, type Fault } from '../support/events-api.js';
import { required as address } from '../support/postal-addresses.js';
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
    [{}, ['/streetAddress', '/addressLocality', '/addressCountry']],
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
