import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import type { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  staff = await staffOf(test, venue);
});
afterAll(() => test.close());

it('staff create, change and delete gates and their rules, which scans apply', async () => {
  const event = await newEvent(test, venue);
  const other = await newEvent(test, venue);
  expect((await staff.create('gates', { name: ' ' })).record!.errors['name']).toBeDefined();
  const gate = (await staff.create('gates', { name: 'Balcony', position: '2' })).record!.id;
  await staff.act('gates', gate, 'edit', { name: 'East balcony', eventId: event.id });
  expect((await staff.look('gates', gate)).record!.params).toMatchObject({
    name: 'East balcony',
    position: 2,
    eventId: event.id,
    rules: 0,
  });

  const [product] = await test.database.query<{ id: string }>(`select product_id as id from "${venue.schemaName}".price where id = $1`, [
    other.priceId,
  ]);
  const both = { gateId: gate, productId: product!.id, priceId: event.priceId };
  expect((await staff.create('gate-rules', both)).record!.errors['productId']).toBeDefined();
  expect((await staff.create('gate-rules', { gateId: gate })).record!.errors['productId']).toBeDefined();
  const rule = (await staff.create('gate-rules', { gateId: gate, productId: product!.id })).record!.id;
  expect((await staff.create('gate-rules', { gateId: gate, productId: product!.id })).record!.errors['productId']).toBeDefined();
  const price = { gateId: gate, priceId: other.priceId };
  const twice = await Promise.all([staff.create('gate-rules', price), staff.create('gate-rules', price)]);
  expect(twice.map(({ record }) => Object.keys(record!.errors)).toSorted()).toEqual([[], ['priceId']]);
  expect((await staff.list('gate-rules')).records).toHaveLength(2);
  await staff.act('gate-rules', twice.find(({ record }) => record!.id)!.record!.id, 'delete');

  const device = await newDevice(test, venue);
  const ticket = await newTicket(test, venue, { event });
  const scan = async () => {
    const sent = test.on(venue).post('/scan/ticket/').set('Authorization', device.authorization);
    return (await sent.send({ qrcode_data: ticket.code, gate }).expect(200)).body as { success: boolean; reason?: string };
  };
  expect(await scan()).toMatchObject({ success: false, reason: 'wrong_gate', next_step: { code: 'to_desk' } });
  await staff.act('gate-rules', rule, 'delete');
  expect(await scan()).toMatchObject({ success: true });
  await staff.act('gates', gate, 'delete');
  expect((await staff.list('gates')).records).toEqual([]);
});

it('staff allow re-entry per event', async () => {
  const event = await newEvent(test, venue);
  await staff.act('events', event.id, 'edit', { reentry: 'true' });
  expect((await staff.look('events', event.id)).record!.params).toMatchObject({ reentry: true });
});
