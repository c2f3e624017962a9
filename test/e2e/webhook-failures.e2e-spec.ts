import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { letPass, loopbackAllowed, newReceiver } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  test = await startTestApp({ environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
beforeEach(async () => {
  tenant = await test.newTenant();
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
afterAll(() => test.close());

async function receiving(): ReturnType<typeof newReceiver> {
  const made = await newReceiver(test, tenant);
  receivers.push(made.receiver);
  return made;
}

const startsAt = new Date(Date.now() + 3_600_000);

function happen(): Promise<{ id: string }> {
  return test.inside(tenant, () => test.app.get(EventsService).create({ name: `Concert ${randomUUID()}`, startsAt }));
}

interface Delivery {
  readonly status: string;
  readonly attempts: number;
  readonly failures: number;
  readonly last_status: number | null;
  readonly last_failure: string | null;
  /** Seconds from the last attempt to the next. */
  readonly pause: number | null;
}

function deliveries(): Promise<Delivery[]> {
  return test.database.query<Delivery & Record<string, unknown>>(
    `select d.status, d.attempts, d.failures, d.last_status, d.last_failure,
     extract(epoch from d.next_attempt_at - d.last_attempt_at)::float8 as pause
     from "${tenant.schemaName}".webhook_delivery d join "${tenant.schemaName}".webhook_event v on v.id = d.event_id order by v.position`,
  );
}

async function until<Value>(look: () => Promise<Value>, satisfied: (value: Value) => boolean, milliseconds = 20_000): Promise<Value> {
  for (const end = Date.now() + milliseconds; ; await delay(20)) {
    const value = await look();
    if (satisfied(value)) return value;
    if (Date.now() > end) throw new Error(`Waited in vain: ${JSON.stringify(value)}`);
  }
}

/** Waits until the only delivery has had this number of attempts. */
async function attempted(times: number): Promise<Delivery> {
  const [delivery] = await until(deliveries, ([first]) => first?.attempts === times);
  return delivery as Delivery;
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_request: unknown, response: ServerResponse): void => {
    response.writeHead(code, headers).end('no');
  };

async function endpointState(id: string): Promise<Record<string, unknown>> {
  const endpoint = await test.inside(tenant, () => test.app.get(WebhookEndpointsService).get(id));
  return { ...endpoint };
}

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

  it('is abandoned after 15 seconds when it hangs, also within its answer, and delays nobody', async () => {
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
        receivers = [revived];
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
