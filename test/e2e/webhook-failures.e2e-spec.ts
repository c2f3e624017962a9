import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { itInLongRuns } from '../support/long-run.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { status, webhookAttempts } from '../support/webhook-attempts.js';
import { letPass, loopbackAllowed } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some', environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
beforeEach(async () => {
  tenant = await test.newTenant();
});
afterEach(() => stopReceivers());
afterAll(() => test.close());

const { receiving, stopReceivers, happen, deliveries, attempted, endpointState } = webhookAttempts(() => ({ test, tenant }));

describe('a receiver that fails', () => {
  it('is called ten times on the schedule, each time with the same id and body, and then no more', async () => {
    const { receiver } = await receiving();
    receiver.behaviour = status(500);
    await happen();
    const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, pause] of pauses.entries()) {
      const delivery = await attempted(index + 1);
      expect(delivery).toMatchObject({
        status: 'waiting',
        failures: index + 1,
        last_status: 500,
        last_failure: 'status',
      });
      expect(delivery.pause! / pause).toBeGreaterThan(0.89);
      expect(delivery.pause! / pause).toBeLessThan(1.11 + 1 / pause);
      await letPass(test, tenant, `${Math.ceil(delivery.pause!)} seconds`);
    }
    expect(await attempted(10)).toMatchObject({ status: 'failed', failures: 10, pause: null });
    await letPass(test, tenant, '4 days');
    await delay(1500);
    expect(receiver.received).toHaveLength(10);
    expect(receiver.ids.size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.refused).toEqual([]);
  });

  it('is not followed when it redirects', async () => {
    const { receiver } = await receiving();
    const { receiver: elsewhere } = await receiving();
    elsewhere.behaviour = status(500);
    receiver.behaviour = status(307, { Location: elsewhere.url });
    await happen();
    const found = await until(deliveries, (list) => list.length === 2 && list.every(({ attempts }) => attempts === 1));
    expect(found.map(({ last_failure }) => last_failure).toSorted()).toEqual(['redirect', 'status']);
    expect(elsewhere.received).toHaveLength(1);
  });

  it('is not called again after 410, with the reason', async () => {
    const { receiver, endpointId } = await receiving();
    receiver.behaviour = status(410);
    await happen();
    await until(
      () => endpointState(endpointId),
      ({ disabledReason }) => disabledReason === 'gone',
    );
    expect(await attempted(1)).toMatchObject({ status: 'failed', last_status: 410, last_failure: 'gone' });
    await happen();
    await delay(1500);
    expect(receiver.received).toHaveLength(1);
    await test.inside(tenant, () => test.app.get(WebhookEndpointsService).update(endpointId, { enabled: true }));
    receiver.accept();
    await happen();
    await receiver.until(({ length }) => length === 2);
  });

  it('is not called for the time in Retry-After, without a failure', async () => {
    const { receiver, endpointId } = await receiving();
    receiver.behaviour = status(429, { 'Retry-After': '120' });
    await happen();
    const delivery = await attempted(1);
    expect(delivery).toMatchObject({ status: 'waiting', failures: 0, last_status: 429 });
    expect(delivery.pause).toBeGreaterThan(119);
    // Other events are not sent to it either.
    await happen();
    await delay(1500);
    expect(receiver.received).toHaveLength(1);
    receiver.accept();
    await letPass(test, tenant, '121 seconds');
    await receiver.until(({ length }) => length === 3);
    expect(await endpointState(endpointId)).toMatchObject({ disabledAt: null });
    await until(deliveries, (list) => list.every((one) => one.status === 'delivered'));
  });

  it('is disabled after five days of failures, and not before', async () => {
    const { receiver, endpointId } = await receiving();
    receiver.behaviour = status(503);
    await happen();
    await attempted(1);
    await letPass(test, tenant, '4 days 23 hours');
    await happen();
    await until(deliveries, (list) => list.length === 2 && list[1]!.attempts === 1);
    expect(await endpointState(endpointId)).toMatchObject({ disabledAt: null });
    await letPass(test, tenant, '2 hours');
    await happen();
    await until(
      () => endpointState(endpointId),
      ({ disabledReason }) => disabledReason === 'failing',
    );
  });

  it('has the first 2 kB of its answer stored as valid text', async () => {
    const { receiver } = await receiving();
    receiver.behaviour = (_request, response) => {
      response.writeHead(500);
      response.end(Buffer.concat([Buffer.from('a\0b\xff', 'latin1'), Buffer.alloc(100_000, 'x')]));
    };
    await happen();
    await attempted(1);
    const [attempt] = await test.database.query<{ answer: string; milliseconds: number }>(
      `select answer, milliseconds from "${tenant.schemaName}".webhook_attempt`,
    );
    expect(attempt!.answer.slice(0, 4)).toBe('ab\uFFFDx');
    expect(attempt!.answer.length).toBe(2047);
  });

  itInLongRuns('is abandoned after 15 seconds when it hangs, also within its answer, and delays nobody', async () => {
    const { receiver: hanging } = await receiving();
    const { receiver: stuck } = await receiving();
    const { receiver: healthy } = await receiving();
    hanging.behaviour = () => undefined;
    stuck.behaviour = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
    };
    const started = Date.now();
    await happen();
    await healthy.until(({ length }) => length === 1, 2000);
    const list = await until(deliveries, (all) => all.filter(({ last_failure }) => last_failure === 'timeout').length === 2, 25_000);
    const seconds = (Date.now() - started) / 1000;
    expect(seconds).toBeGreaterThan(14.5);
    expect(seconds).toBeLessThan(18);
    expect(list.map(({ last_status }) => last_status).toSorted()).toEqual([200, 204, null]);
  });

  it('is not connected to when its address is private', async () => {
    const { endpointId } = await receiving();
    await test.database.query(`update "${tenant.schemaName}".webhook_endpoint set url = 'http://10.255.255.1:1/' where id = $1`, [
      endpointId,
    ]);
    await happen();
    expect(await attempted(1)).toMatchObject({ last_failure: 'address', last_status: null });
  });

  it('receives waiting deliveries as soon as it works again', async () => {
    const { receiver } = await receiving();
    receiver.behaviour = status(500);
    for (let count = 0; count < 20; count += 1) await happen();
    await until(deliveries, (list) => list.length === 20 && list.every(({ attempts }) => attempts >= 1));
    await letPass(test, tenant, '2 minutes');
    await until(deliveries, (list) => list.every(({ failures }) => failures >= 2));
    await letPass(test, tenant, '2 minutes');
    // The next attempts are due in minutes; a success makes them due at once.
    receiver.accept();
    await happen();
    await until(deliveries, (list) => list.length === 21 && list.every((one) => one.status === 'delivered'));
  });
});
