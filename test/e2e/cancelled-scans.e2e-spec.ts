import { randomUUID } from 'node:crypto';
import { ReservationChangesService } from '#tickets';
import { GatesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { hashOf, packApi, ticketsOf } from '../support/packs.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let gate: string;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ timeZone: 'Europe/Paris', language: 'en' });
  device = await newDevice(test, venue, 'Door 1');
  gate = await test.inside(venue, async () => (await test.app.get(GatesService).create({ name: 'Main door' })).id);
});
afterAll(() => test.close());

const { call, scan, check } = scanApi(() => ({ test, venue, device }));
const { full, delta } = packApi(() => ({ test, venue, device }));
const changes = () => test.app.get(ReservationChangesService);

/** Sets the times back, so that "since when" differs from now. */
async function ago(id: string, table: 'ticket' | 'reservation'): Promise<string> {
  const [row] = await test.database.query<{ at: Date }>(
    `with changed as (update "${venue.schemaName}".${table} set cancelled_at = cancelled_at - interval '3 days' where id = $1
       returning cancelled_at as at) select at from changed`,
    [id],
  );
  return row!.at.toISOString();
}
const instantOf = (text: string): string => new Date(text).toISOString();

describe('a cancelled ticket', () => {
  it.each(['alone', 'with its reservation'] as const)('that was cancelled %s is refused with the time', async (how) => {
    const event = await newEvent(test, venue);
    const [ticket, companion] = await newTickets(test, venue, { event, count: 2 });
    const before = await full(event.id);
    await test.inside<unknown>(venue, () =>
      how === 'alone'
        ? changes().cancelTicket(ticket!.id, { reason: 'staff' })
        : changes().cancel(ticket!.reservationId, { reason: 'staff' }),
    );
    const changed = ticketsOf(await delta(event.id, before.position)).get(hashOf(before.salt, ticket!.id));
    expect(changed).toMatchObject({ state: 5, gate: 255, device: 255 });
    expect(Math.abs(changed!.moment - Date.now() / 1000)).toBeLessThan(120);

    const since = await (how === 'alone' ? ago(ticket!.id, 'ticket') : ago(ticket!.reservationId, 'reservation'));
    const code = { qrcode_data: ticket!.code };
    for (const answer of [await scan({ ...code, gate }), await scan({ ...code, gate, tickets: 2 }), await check({ ...code, gate })]) {
      expect(answer.body).toMatchObject({ reason: 'cancelled', next_step: { code: 'to_desk' } });
      expect(instantOf(answer.body.cancelled_at)).toBe(since);
      expect(answer.body.detail ?? answer.body.message).toMatch(/^Cancelled since \w{3} \d+ \w+, \d\d:\d\d$/);
    }
    const attempt = { ...code, gate, scan_id: randomUUID() };
    expect((await scan(attempt)).text).toBe((await scan(attempt)).text);
    const line = { scan_id: randomUUID(), sequence: 0, ticket: ticket!.id, verdict: 'admitted', mode: 'offline', device_time: since };
    for (const tickets of [undefined, 2]) {
      const lines = [JSON.stringify({ ...line, scan_id: randomUUID(), tickets })];
      const [result] = (await call('/scan/batch/', { lines }).expect(200)).body.results;
      expect(result).toMatchObject({ state: 'was_cancelled' });
      expect(instantOf(result.cancelled_at)).toBe(since);
    }
    // A whole list may be a second old.
    await eventually(
      async () => {
        const tickets = ticketsOf(await full(event.id));
        expect(tickets.get(hashOf(before.salt, ticket!.id))?.moment).toBe(Math.floor(Date.parse(since) / 1000));
        if (how === 'alone') expect(tickets.get(hashOf(before.salt, companion!.id))).toMatchObject({ state: 0, moment: 0 });
      },
      { timeout: 10_000 },
    );
  });

  it('of an older version, whose time nobody wrote, is refused without one', async () => {
    const event = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event, status: 'R' });
    const { body } = await scan({ qrcode_data: ticket.code, gate }).expect(200);
    expect(body).toMatchObject({ reason: 'cancelled', message: 'Ticket cancelled', cancelled_at: null });
    const list = await full(event.id);
    expect(ticketsOf(list).get(hashOf(list.salt, ticket.id))).toMatchObject({ state: 5, moment: 0 });
  });

  it('is refused as before for devices that name no gate', async () => {
    const event = await newEvent(test, venue);
    const [ticket] = await newTickets(test, venue, { event, count: 2 });
    await test.inside(venue, () => changes().cancelTicket(ticket!.id, { reason: 'staff' }));
    const { body } = await scan({ qrcode_data: ticket!.code }).expect(200);
    expect(Object.keys(body)).toEqual(['success', 'message', 'reason', 'ticket', 'reservation']);
    expect(body).toMatchObject({ message: 'Ticket cancelled', reason: 'cancelled' });
  });
});

it.each([undefined, 1])('an exit that is older than the last entry does not take its ticket out (tickets: %s)', async (tickets) => {
  // Verified to fail without the condition on time in `goesOutSql`.
  const event = await newEvent(test, venue, { reentry: true });
  const [ticket] = await newTickets(test, venue, { event, count: 2 });
  const exit = (minutes: number): string =>
    JSON.stringify({
      scan_id: randomUUID(),
      sequence: 0,
      ticket: ticket!.id,
      direction: 'exit',
      verdict: 'admitted',
      mode: 'online',
      tickets,
      device_time: new Date(Date.now() - minutes * 6e4).toISOString(),
    });
  await scan({ qrcode_data: ticket!.code, gate }).expect(200);
  const send = async (line: string) => (await call('/scan/batch/', { lines: [line] }).expect(200)).body.results[0];
  expect(await send(exit(10))).toMatchObject({ state: 'refused', reason: 'not_inside' });
  expect(await send(exit(0))).toMatchObject({ state: 'applied' });
});
