import { randomUUID } from 'node:crypto';
import { PackWaitsService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDevice, newEvent, type PairedDevice } from '../support/builders.js';
import { packApi, readPack } from '../support/packs.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue);
});
afterAll(() => test.close());

const { pack } = packApi(() => ({ test, venue, device }));

it('refuses a wait when 300 devices of the place wait, and says when to come back', async () => {
  const event = await newEvent(test, venue);
  const { position } = readPack(await pack({ event: event.id }).expect(200));
  const nothing = { since: 0n, told: '', ledger: '' };
  const waits = test.app.get(PackWaitsService);
  const others = test.inside(venue, () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    return Promise.all(Array.from({ length: 300 }, () => waits.wait(randomUUID(), randomUUID(), nothing, 60_000, never)));
  });
  const answer = await pack({ event: event.id, after: position, wait: '20' }).expect(429);
  expect(answer.body).toMatchObject({ type: 'urn:guichet:problem:pack.busy', reason: 'busy' });
  expect(answer.headers['retry-after']).toBe('5');
  await pack({ event: event.id, after: position }).expect(204);
  waits.onModuleDestroy();
  expect(await others).toHaveLength(300);
});
