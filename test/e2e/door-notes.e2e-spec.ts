import { randomUUID } from 'node:crypto';
import { GatesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { hashOf, packApi } from '../support/packs.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let gate: string;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue);
  gate = await test.inside(venue, async () => (await test.app.get(GatesService).create({ name: 'Main door' })).id);
  event = await newEvent(test, venue, { doorNote: 'Red wristband', minimumAge: 16 });
  await test.database.query(`update "${venue.schemaName}".price set door_note = 'Stairs on the left' where id = $1`, [event.priceId]);
});
afterAll(() => test.close());

const { scan, check } = scanApi(() => ({ test, venue, device }));
const { full, delta } = packApi(() => ({ test, venue, device }));
const rules = { notes: ['Red wristband', 'Stairs on the left'], age: 16 };

it('tells devices that name a gate or a direction the notes and the youngest age of the ticket', async () => {
  const [ticket] = await newTickets(test, venue, { event, count: 3 });
  const code = { qrcode_data: ticket!.code };
  expect((await check({ ...code, gate }).expect(200)).body).toMatchObject({ may_enter: true, ...rules });
  expect((await scan({ ...code, direction: 'entry' }).expect(200)).body).toMatchObject({ success: true, ...rules });
  expect((await scan({ ...code, gate }).expect(200)).body).toMatchObject({ reason: 'already_scanned', ...rules });
  expect((await check({ ...code, gate }).expect(200)).body).toMatchObject({ may_enter: false, ...rules });
  expect((await scan({ ...code, gate, tickets: 2 }).expect(200)).body).toMatchObject({ success: true, ...rules });
});

it('leaves out notes that nobody wrote, and says that there is no age', async () => {
  const plain = await newEvent(test, venue);
  const ticket = await newTicket(test, venue, { event: plain });
  expect((await scan({ qrcode_data: ticket.code, gate }).expect(200)).body).toMatchObject({ success: true, notes: [], age: null });
});

it('tells other devices nothing more than the specification', async () => {
  const ticket = await newTicket(test, venue, { event });
  for (const answer of [await check({ qrcode_data: ticket.code }), await scan({ qrcode_data: ticket.code })]) {
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).not.toEqual(expect.arrayContaining(['notes']));
    expect(Object.keys(answer.body)).not.toEqual(expect.arrayContaining(['age']));
  }
});

it('repeats an attempt with the notes of its first answer', async () => {
  const ticket = await newTicket(test, venue, { event });
  const attempt = { qrcode_data: ticket.code, gate, scan_id: randomUUID() };
  const first = await scan(attempt).expect(200);
  await test.database.query(`update "${venue.schemaName}".event set door_note = 'Blue wristband', minimum_age = null where id = $1`, [
    event.id,
  ]);
  expect((await scan(attempt).expect(200)).text).toBe(first.text);
  expect((await scan({ ...attempt, scan_id: randomUUID() }).expect(200)).body).toMatchObject({
    notes: ['Blue wristband', 'Stairs on the left'],
    age: null,
  });
});

it('says what to collect for an unpaid reservation as a whole, in the language of the answer, and to other devices nothing', async () => {
  const unpaid = { event, status: 'N', reservationStatus: 'U', amount: '2.00' } as const;
  const [ticket] = await newTickets(test, venue, { ...unpaid, count: 2 });
  await test.database.query(`update "${venue.schemaName}".reservation set amount = '4.00' where id = $1`, [ticket!.reservationId]);
  const attempt = { qrcode_data: ticket!.code, gate, scan_id: randomUUID() };
  const first = await scan(attempt).set('Accept-Language', 'en').expect(200);
  expect(first.body).toMatchObject({
    reason: 'not_paid',
    due: { amount: '4.00', currency: 'EUR' },
    next_step: { code: 'pay', text: 'Collect €4 at the box office' },
  });
  expect((await scan(attempt).expect(200)).text).toBe(first.text);
  const inGerman = (await check({ qrcode_data: ticket!.code, gate }).set('Accept-Language', 'de').expect(200)).body;
  expect(inGerman.next_step.text.replace('\u00a0', ' ')).toBe('4 € an der Kasse kassieren');
  expect((await scan({ qrcode_data: ticket!.code, gate, tickets: 2 }).expect(200)).body).toMatchObject({ due: { amount: '4.00' } });
  const plain = (await scan({ qrcode_data: ticket!.code }).expect(200)).body;
  expect(Object.keys(plain).toSorted()).toEqual(['message', 'reason', 'reservation', 'success', 'ticket']);
  const free = await newTicket(test, venue, { ...unpaid, amount: '0.00' });
  expect((await scan({ qrcode_data: free.code, gate }).set('Accept-Language', 'en').expect(200)).body).toMatchObject({
    reason: 'not_paid',
    next_step: { code: 'pay', text: 'Send to the box office to pay' },
  });
});

it('says what unpaid reservations cost, in whole lists and changes', async () => {
  const sold = await newEvent(test, venue);
  await newTicket(test, venue, { event: sold });
  const unpaid = await newTicket(test, venue, { event: sold, status: 'N', reservationStatus: 'U', amount: '12.50' });
  const list = await full(sold.id);
  expect(list['due']).toEqual({ [hashOf(list.salt, unpaid.id)]: '12.50' });
  const later = await newTicket(test, venue, { event: sold, status: 'N', reservationStatus: 'U', amount: '4.00' });
  expect((await delta(sold.id, list.position))['due']).toMatchObject({ [hashOf(list.salt, later.id)]: '4.00' });
  // Nothing to pay: nothing is said.
  expect(await full((await newEvent(test, venue)).id)).not.toHaveProperty('due');
});
