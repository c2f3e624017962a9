import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { emptyTenant } from '../support/empty-tenant.js';
import { eventsApi, eventsPath as path, startDate } from '../support/events-api.js';
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

const { call, create, get } = eventsApi(() => ({ test, tenant, authorization }));

describe('conditional requests', () => {
  it('change only the version that the caller read', async () => {
    const { identifier } = await create();
    const tag = (await call('get', `${identifier}/`)).headers['etag'] as string;
    const french = (await call('get', `${identifier}/`).set('Accept-Language', 'fr')).headers['etag'] as string;
    const change = (match: string, name: string) => call('patch', `${identifier}/`).set('If-Match', match).send({ name });
    const first = await change(`"x", ${french}`, 'First').expect(200);
    expect(first.headers['etag']).not.toBe(tag);
    const { body, headers } = await change(tag, 'Second').expect(412);
    expect(body).toMatchObject({ code: 'precondition.failed', status: 412 });
    expect(headers['etag']).toBe(first.headers['etag']);
    await change(`W/${first.headers['etag']}`, 'Weak').expect(412);
    await change('nonsense', 'Nonsense').expect(412);
    await change('*', 'Third').expect(200);
    await call('patch', `${identifier}/`).set('If-None-Match', '*').send({ name: 'Fourth' }).expect(412);
    const past = 'Sat, 01 Jan 2000 00:00:00 GMT';
    await call('patch', `${identifier}/`).set('If-Unmodified-Since', past).send({ name: 'Fifth' }).expect(412);
    await call('post', `${identifier}/link-address/`).set('If-Match', tag).send(address).expect(412);
    await call('delete', `${identifier}/`).set('If-Match', tag).expect(412);
    expect(await get(identifier)).toMatchObject({ name: 'Third' });
    expect(await test.database.query(`select 1 from "${tenant.schemaName}".postal_address`)).toEqual([]);
    const last = (await call('get', `${identifier}/`)).headers['etag'] as string;
    await call('delete', `${identifier}/`).set('If-Match', last).expect(204);
    await call('delete', `${identifier}/`).set('If-Match', last).expect(404);
  });

  it('accept one of two changes of the same version', async () => {
    // Verified to accept both without the row lock.
    const { identifier } = await create();
    const tag = (await call('get', `${identifier}/`)).headers['etag'] as string;
    const answers = await test.database.race(`select 1 from "${tenant.schemaName}".event where id = $1 for update`, [identifier], () =>
      Promise.all(
        [60, 70].map((maximumAttendeeCapacity) => call('patch', `${identifier}/`).set('If-Match', tag).send({ maximumAttendeeCapacity })),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('detect a change of the address, too', async () => {
    const { identifier } = await create();
    const { body } = await call('post', `${identifier}/link-address/`).send(address).expect(200);
    const { identifier: id } = (body as { location: { address: { identifier: number } } }).location.address;
    const tag = (await call('get', `${identifier}/`)).headers['etag'] as string;
    await test
      .on(tenant)
      .call('patch', `/api/v2/postal-addresses/${id}/`)
      .set('Authorization', authorization)
      .send({ name: 'Hall' })
      .expect(200);
    await call('get', `${identifier}/`).set('If-None-Match', tag).expect(200);
    await call('patch', `${identifier}/`).set('If-Match', tag).send({ name: 'Late' }).expect(412);
  });

  it('answer without a body on request', async () => {
    const made = await call('post').set('Prefer', 'respond-async, return=minimal').send({ name: 'Ball', startDate }).expect(201);
    expect(made.text).toBe('');
    expect(made.headers).toMatchObject({ 'preference-applied': 'return=minimal', location: expect.any(String) });
    const where = (made.headers['location'] as string).slice(path.length);
    const changed = await call('patch', where).set('Prefer', 'return=minimal').send({ name: 'Dance' }).expect(204);
    expect(changed.headers['preference-applied']).toBe('return=minimal');
    expect(changed.headers['etag']).toBe((await call('get', where)).headers['etag']);
    const whole = await call('patch', where).set('Prefer', 'return=representation').send({ name: 'Ball' }).expect(200);
    expect(whole.headers['preference-applied']).toBe('return=representation');
    expect((await call('patch', where).send({ name: 'Hop' }).expect(200)).headers).not.toHaveProperty('preference-applied');
  });
});
