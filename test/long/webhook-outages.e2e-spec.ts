import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { status, webhookAttempts } from '../support/webhook-attempts.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { letPass, loopbackAllowed } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
beforeEach(async () => {
  tenant = await test.newTenant();
});
afterEach(() => stopReceivers());
afterAll(() => test.close());

const { receivers, receiving, stopReceivers, happen, deliveries, attempted, endpointState } = webhookAttempts(() => ({ test, tenant }));

describe('an endpoint that failed', () => {
  it.each([
    ['is enabled again', { enabled: true }],
    ['gets another address', { url: 'https' }],
  ])('gets what waits as soon as it %s', async (_what, change) => {
    const { receiver, endpointId } = await receiving();
    const { receiver: other, endpointId: otherId } = await receiving();
    await test.inside(tenant, () => test.app.get(WebhookEndpointsService).remove(otherId));
    receiver.behaviour = status(429, { 'Retry-After': '3600' });
    await happen();
    await attempted(1);
    const endpoints = test.app.get(WebhookEndpointsService);
    const update = (values: { enabled?: boolean; url?: string }) => test.inside(tenant, () => endpoints.update(endpointId, values));
    // The same address or another description does not end the requested pause.
    await update({ url: receiver.url });
    expect((await endpointState(endpointId))['pausedUntil']).not.toBeNull();
    receiver.accept();
    if ('enabled' in change) await update({ enabled: false });
    await update('enabled' in change ? change : { url: other.url });
    await until(deliveries, ([one]) => one?.status === 'delivered');
  });
});

describe('a receiver that is dead for 30 minutes', () => {
  it('finally receives every event at least once, with one id, and nothing that was rolled back', async () => {
    const { receiver, secret } = await receiving();
    const { port } = receiver;
    const faults = [
      status(500),
      status(302, { Location: 'http://127.0.0.1:1/' }),
      status(429, { 'Retry-After': '60' }),
      (_request: unknown, response: ServerResponse): void => void response.destroy(),
      (_request: unknown, response: ServerResponse): void => {
        response.writeHead(200, { 'Content-Length': '100' }).write('half');
        setImmediate(() => response.destroy());
      },
    ];
    receiver.behaviour = (request, response) => faults[receiver.received.length % faults.length]!(request, response);
    const startsAt = new Date(Date.now() + 3_600_000);
    const subjects: string[] = [];
    const change = async (): Promise<void> => {
      const { id } = await happen();
      subjects.push(id);
      await test.inside(tenant, () => test.app.get(EventsService).update(id, { capacity: 10 }));
      await test
        .inside(tenant, () =>
          test.app.get(TenantDb).transaction(async (tx) => {
            await test.app.get(EventsService).createIn(tx, { name: `Never ${randomUUID()}`, startsAt });
            throw new Error('rolled back');
          }),
        )
        .catch(() => undefined);
    };
    let before = receiver.received;
    for (let minute = 0; minute < 30; minute += 1) {
      // Stopped in the tenth minute, and back on its port in the twentieth, still failing.
      if (minute === 10) await receiver.stop();
      if (minute === 20) {
        const revived = await WebhookReceiver.start(port);
        revived.secret = secret;
        revived.behaviour = receiver.behaviour;
        receivers.splice(0, receivers.length, revived);
      }
      await change();
      await letPass(test, tenant, '1 minute');
      await delay(50);
    }
    const [revived] = receivers as [WebhookReceiver];
    revived.accept();
    for (let hour = 0; hour < 40; hour += 1) {
      if ((await deliveries()).every((one) => one.status === 'delivered')) break;
      await letPass(test, tenant, '30 minutes');
      await delay(250);
    }
    expect((await deliveries()).map((one) => one.status)).toEqual(Array(60).fill('delivered'));

    before = [...before, ...revived.received];
    const delivered = new Map(before.map((one) => [one.id, one]));
    expect(delivered.size).toBe(60);
    for (const { id, body } of before) expect(body).toBe(delivered.get(id)!.body);
    expect([...receiver.refused, ...revived.refused]).toEqual([]);
    const told = [...delivered.values()].map(({ data }) => data as { identifier: string; sequence: number; name: string });
    expect(told.filter(({ name }) => name.startsWith('Never'))).toEqual([]);
    for (const subject of subjects) {
      const sequences = told.filter(({ identifier }) => identifier === subject).map(({ sequence }) => sequence);
      expect(sequences.toSorted()).toEqual([1, 2]);
    }
  });
});
