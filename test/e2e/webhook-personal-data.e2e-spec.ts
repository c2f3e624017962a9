import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { WebhookWorker } from '#webhooks';
import type supertest from 'supertest';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { loopbackAllowed, newKey, newReceiver, personalScopes } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let elsewhere: WebhookReceiver;

beforeAll(async () => {
  test = await startTestApp({ environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
  tenant = await test.newTenant();
  elsewhere = await WebhookReceiver.start();
});
afterAll(async () => {
  await elsewhere.stop();
  await test.close();
});

/** A receiver that got an event about a reservation. */
async function told(): Promise<{ below: string; deliveries: { identifier: string; type: string }[] }> {
  const { receiver, endpointId } = await newReceiver(test, tenant);
  const event = await newEvent(test, tenant);
  const writer = await newKey(test, tenant, 'reservation:write');
  const reservation = {
    reservationFor: event.id,
    underName: { email: 'ada@example.org', givenName: 'Ada' },
    reservedTicket: [{ identifier: event.priceId }],
  };
  await test.on(tenant).post('/api/v2/reservations/').set('Authorization', writer).send(reservation).expect(201);
  await receiver.until((received) => received.some(({ type }) => type === 'reservation.created'));
  await receiver.stop();
  const below = `/api/v2/webhook-endpoints/${endpointId}`;
  const reader = await newKey(test, tenant, 'webhook:read');
  const { body } = await test.on(tenant).get(`${below}/deliveries/`).set('Authorization', reader).expect(200);
  return { below, deliveries: (body as { results: { identifier: string; type: string }[] }).results };
}

// Verified to fail when only the current types of the endpoint are checked: its types were reduced first, then its address was changed, and
// earlier events were sent there again.
it('a key that may not read reservations cannot have them sent to another address', async () => {
  const { below, deliveries } = await told();
  const key = await newKey(test, tenant, 'webhook:read', 'webhook:write');
  const change = (body: object): supertest.Test => test.on(tenant).call('patch', `${below}/`).set('Authorization', key).send(body);
  const types = ['event.created'];
  expect((await change({ types, url: elsewhere.url }).expect(403)).body).toMatchObject({ code: 'key.scope' });
  await change({ types }).expect(200);
  expect((await change({ url: elsewhere.url }).expect(403)).body).toMatchObject({ code: 'key.scope' });
  const { identifier } = deliveries.find(({ type }) => type === 'reservation.created')!;
  await test.on(tenant).post(`${below}/send-again/`).set('Authorization', key).send({ delivery: identifier }).expect(202);
  expect(elsewhere.received).toEqual([]);

  const trusted = await newKey(test, tenant, 'webhook:write', ...personalScopes);
  await test.on(tenant).call('patch', `${below}/`).set('Authorization', trusted).send({ url: elsewhere.url }).expect(200);
}, 30_000);
