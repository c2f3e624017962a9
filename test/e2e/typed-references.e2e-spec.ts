import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, newTickets, type BuiltTicket, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Failed look-ups that the test allows. */
const allowed = 6;

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_REFERENCES: `${allowed}/h` } });
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1');
  event = await newEvent(test, venue, { reentry: true });
});
afterAll(() => test.close());

const { call, scan } = scanApi(() => ({ test, venue, device }));
const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  test.database.query<Row>(text.replaceAll('{tenant}', `"${venue.schemaName}"`), values);
const look = async (reference: string, more: object = {}, by = device) =>
  (await call('/scan/reference/', { event_uuid: event.id, reference, ...more }, by).expect(200)).body;
/** As tickets, mails and the holder's page print it. */
const printed = ({ reservationId }: BuiltTicket): string => reservationId.slice(0, 8).toUpperCase();

describe('POST /scan/reference/', () => {
  it('answers the ticket of the printed reference, with its code for older apps, and nothing about people', async () => {
    const ticket = await newTicket(test, venue, { event });
    const { body, headers } = await call('/scan/reference/', { event_uuid: event.id, reference: printed(ticket) }).expect(200);
    expect(body).toEqual({ success: true, ticket: ticket.id, qrcode_data: ticket.code });
    expect(headers['cache-control']).toBe('no-store');
    for (const typed of [`# ${printed(ticket).replace(/^..../, '$& ')}`, ticket.reservationId, ticket.id, ticket.id.slice(0, 8)])
      expect(await look(typed)).toEqual(body);
    expect((await scan({ ticket: body.ticket, event_uuid: event.id }).expect(200)).body.success).toBe(true);
    const { ticket: found, ...others } = await look(printed(ticket), {}, await newDevice(test, venue, 'Desk', 'search'));
    expect([found, others]).toEqual([ticket.id, { success: true }]);
  });

  it('names the ticket of a reservation that can move now', async () => {
    const tickets = await newTickets(test, venue, { event, count: 3 });
    const [given, first, second] = tickets.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    await sql(`update {tenant}.ticket set holder_key = 'bob', holder_email = 'bob@example.org' where id = $1`, [given!.id]);
    const which = async (direction?: string): Promise<string> => (await look(printed(first!), { direction })).ticket;
    expect(await which()).toBe(first!.id);
    await scan({ qrcode_data: first!.code, direction: 'entry' }).expect(200);
    expect(await which()).toBe(second!.id);
    expect(await which('exit')).toBe(first!.id);
    await scan({ qrcode_data: second!.code, direction: 'entry' }).expect(200);
    await scan({ qrcode_data: second!.code, direction: 'exit' }).expect(200);
    expect(await which()).toBe(second!.id);
  });

  it('names tickets of another coming event, which the scan refuses by its name, and none of past events', async () => {
    const [other, past] = [await newEvent(test, venue, { name: 'Matinee' }), await newEvent(test, venue)];
    const ticket = await newTicket(test, venue, { event: other });
    const { ticket: found } = await look(printed(ticket));
    expect((await scan({ ticket: found, event_uuid: event.id }).expect(200)).body).toMatchObject({ reason: 'wrong_event' });
    const old = await newTicket(test, venue, { event: past });
    await sql(`update {tenant}.event set starts_at = now() - interval '9 days', ends_at = now() - interval '8 days' where id = $1`, [
      past.id,
    ]);
    expect(await look(printed(old))).toMatchObject({ success: false, reason: 'unknown' });
    // At its own door it is known.
    expect((await look(printed(old), { event_uuid: past.id })).ticket).toBe(old.id);
  });

  it('says that a reference names nothing, and logs it like an unknown code', async () => {
    const door = await newDevice(test, venue, 'Door 2');
    expect(await look('00000000', {}, door)).toEqual({
      success: false,
      message: 'No ticket has this reference. Compare each character with the ticket.',
      reason: 'unknown',
    });
    expect(await sql('select action, outcome from {tenant}.scan_log where device_id = $1', [door.id])).toEqual([
      { action: 'check', outcome: 'unknown' },
    ]);
  });

  it('says that several reservations begin with it, and names the ticket of a longer one', async () => {
    const [one, other] = [await newTicket(test, venue, { event }), await newTicket(test, venue, { event })];
    const twin = `${one.reservationId.slice(0, 8)}-0000-4000-8000-000000000000`;
    await sql('update {tenant}.ticket set id = $1 where id = $2', [twin, other.id]);
    expect(await look(printed(one))).toMatchObject({ success: false, reason: 'ambiguous' });
    expect((await look(twin)).ticket).toBe(twin);
    expect((await look(one.id)).ticket).toBe(one.id);
  });

  it.each(['7d5730a', '7d5730ag', '%'.repeat(8), '7'.repeat(33), `${' '.repeat(100)}7d5730a7`, '', 12_345_678, null])(
    'answers 400 for %j',
    async (reference) => {
      const { body } = await call('/scan/reference/', { event_uuid: event.id, reference }).expect(400);
      expect(body.errors[0].pointer).toBe('/reference');
    },
  );

  it('is refused at a kiosk, where guests would try', async () => {
    const kiosk = await newDevice(test, venue, 'Kiosk', 'kiosk');
    const ticket = await newTicket(test, venue, { event });
    const answer = await call('/scan/reference/', { event_uuid: event.id, reference: printed(ticket) }, kiosk).expect(403);
    expect(answer.body.code).toBe('device.permission');
    expect(await sql('select 1 from {tenant}.scan_log where device_id = $1', [kiosk.id])).toEqual([]);
  });

  it('limits what a device guesses, also at once, and counts no reference that names a ticket', async () => {
    const guesser = await newDevice(test, venue, 'Guesser');
    const ticket = await newTicket(test, venue, { event });
    for (let round = 0; round < allowed + 2; round += 1) expect((await look(printed(ticket), {}, guesser)).success).toBe(true);
    const guess = (at: number) => call('/scan/reference/', { event_uuid: event.id, reference: `0000000${at % 10}` }, guesser);
    const answers = await Promise.all(Array.from({ length: allowed + 4 }, (_, at) => guess(at)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(allowed);
    const refused = await guess(0).expect(429);
    expect(refused.body).toMatchObject({ success: false, code: 'rate.limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Scans go on, and so does every other device.
    expect((await scan({ qrcode_data: ticket.code }, guesser).expect(200)).body.success).toBe(true);
    expect((await look(printed(ticket))).success).toBe(true);
  });
});
