import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SigningKeysService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { newAddress } from '../support/postal-addresses.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1');
  event = await newEvent(test, venue);
});
afterAll(() => test.close());

const { call, scan, check, undo, log } = scanApi(() => ({ test, venue, device }));
async function statusOf(ticketId: string): Promise<string | undefined> {
  const [row] = await test.database.query<{ status: string }>(`select status from "${venue.schemaName}".ticket where id = $1`, [ticketId]);
  return row?.status;
}

describe('POST /scan/ticket/', () => {
  it('scans a valid ticket and answers its summary', async () => {
    const [ticket] = await newTickets(test, venue, { event, count: 3 });
    const { body, headers } = await scan({ qrcode_data: ticket!.code }).expect(200);
    expect(body).toEqual({
      success: true,
      message: 'Ticket successfully scanned',
      ticket: {
        uuid: ticket!.id,
        status: 'Valid and scanned',
        event: event.name,
        first_name: 'Ada',
        last_name: 'Martin',
        price: 'Full price',
        product: expect.stringMatching(/^Ticket /),
      },
      reservation: { uuid: ticket!.reservationId, tickets_count: 3 },
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(await log(ticket!.id)).toEqual([{ action: 'scan', outcome: 'accepted', device_id: device.id }]);
  });

  it('refuses a ticket that is already scanned, and names the device and the time', async () => {
    const ticket = await newTicket(test, venue, { event });
    const first = await newDevice(test, venue, 'Balcony');
    await scan({ qrcode_data: ticket.code }, first).expect(200);
    const { body } = await scan({ qrcode_data: ticket.code }).expect(200);
    expect(body).toMatchObject({
      success: false,
      message: 'Ticket already scanned',
      reason: 'already_scanned',
      scanned_by: first.id,
      scanned_by_name: 'Balcony',
      scanned_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/),
      ticket: { uuid: ticket.id, status: 'Valid and scanned', scanned_by: first.id },
      reservation: { uuid: ticket.reservationId, tickets_count: 1 },
    });
    expect(Math.abs(Date.parse(body.scanned_at) - Date.now())).toBeLessThan(60_000);
    expect((await log(ticket.id)).map(({ outcome }) => outcome)).toEqual(['accepted', 'already_scanned']);
  });

  it.each([
    ['cancelled', { status: 'R' }, 'Cancelled'],
    ['cancelled', { status: 'K', reservationStatus: 'C' }, 'Cancelled'],
    ['not_paid', { status: 'N', reservationStatus: 'U' }, 'Not active'],
    ['not_paid', { status: 'C', reservationStatus: 'R' }, 'Reserved'],
    ['not_active', { status: 'N', reservationStatus: 'F', amount: '0' }, 'Not active'],
    ['not_active', { status: 'C', reservationStatus: 'R', amount: '0' }, 'Reserved'],
  ] as const)('refuses %s (%j) and changes nothing', async (reason, state, label) => {
    const ticket = await newTicket(test, venue, { event, ...state });
    for (const attempt of [scan, check]) {
      const { body } = await attempt({ qrcode_data: ticket.code }).expect(200);
      expect(body).toMatchObject({
        ...(attempt === scan ? { success: false } : { success: true, may_enter: false }),
        reason,
        ticket: { uuid: ticket.id, status: label },
        reservation: { uuid: ticket.reservationId },
      });
      expect(attempt === scan ? body.message : body.detail).toMatch(/^Ticket /);
    }
    expect(await statusOf(ticket.id)).toBe(state.status);
    expect(await log(ticket.id)).toMatchObject([
      { action: 'scan', outcome: reason },
      { action: 'check', outcome: reason },
    ]);
  });

  it('refuses a ticket of another event, and names that event with place and time', async () => {
    const address = await newAddress(test, venue);
    const elsewhere = await newEvent(test, venue, {
      name: 'Choir night',
      postalAddressId: address.id,
      startsAt: new Date('2026-12-05T19:30:00Z'),
    });
    const ticket = await newTicket(test, venue, { event: elsewhere });
    for (const attempt of [check, scan]) {
      const { body } = await attempt({ qrcode_data: ticket.code, event_uuid: event.id }).expect(200);
      expect(body).toMatchObject({
        ...(attempt === scan ? { success: false } : { success: true, may_enter: false }),
        reason: 'wrong_event',
        event: { uuid: elsewhere.id, name: 'Choir night', place: 'Blue Hall', start: '2026-12-05T20:30:00+01:00' },
      });
      expect(attempt === scan ? body.message : body.detail).toContain('Choir night');
    }
    const right = await scan({ qrcode_data: ticket.code, event_uuid: elsewhere.id.toUpperCase() }).expect(200);
    expect(right.body.success).toBe(true);
  });

  it('applies the scan window of the event', async () => {
    const inTwoHours = new Date(Date.now() + 7_200_000);
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    const early = await newEvent(test, venue, { startsAt: inTwoHours, scanOpensMinutesBefore: 60 });
    const late = await newEvent(test, venue, {
      startsAt: twoHoursAgo,
      endsAt: new Date(Date.now() - 3_600_000),
      scanClosesMinutesAfter: 30,
    });
    const open = await newEvent(test, venue, {
      startsAt: inTwoHours,
      scanOpensMinutesBefore: 180,
      scanClosesMinutesAfter: 0,
    });
    const tooEarly = await scan({ qrcode_data: (await newTicket(test, venue, { event: early })).code }).expect(200);
    expect(tooEarly.body).toMatchObject({ success: false, reason: 'too_early' });
    expect(Date.parse(tooEarly.body.event.scan_opens_at)).toBe(inTwoHours.getTime() - 3_600_000);
    const tooLate = await scan({ qrcode_data: (await newTicket(test, venue, { event: late })).code }).expect(200);
    expect(tooLate.body).toMatchObject({ success: false, reason: 'too_late' });
    const inTime = await scan({ qrcode_data: (await newTicket(test, venue, { event: open })).code }).expect(200);
    expect(inTime.body.success).toBe(true);
  });

  it('refuses invalid codes, forged codes and unknown tickets, and logs each of them', async () => {
    const ticket = await newTicket(test, venue, { event });
    const [data = '', signature = ''] = ticket.code.split(':');
    const otherTicket = await newTicket(test, venue, { event });
    const unknown = await test.inside(venue, async () => {
      const { renderCode } = await import('#tickets');
      return renderCode(1, randomUUID(), await test.app.get(SigningKeysService).privateKey(1));
    });
    const cases: [object, number, string][] = [
      [{}, 400, 'qrcode.missing'],
      [{ qrcode_data: '' }, 400, 'qrcode.missing'],
      [{ qrcode_data: null }, 400, 'qrcode.missing'],
      [{ qrcode_data: 'https://example.org' }, 400, 'qrcode.malformed'],
      [{ qrcode_data: 42 }, 400, 'qrcode.malformed'],
      [{ qrcode_data: [ticket.code] }, 400, 'qrcode.malformed'],
      [{ qrcode_data: ' \r\n\t' }, 400, 'qrcode.missing'],
      [{ qrcode_data: `${ticket.code} x` }, 400, 'qrcode.malformed'],
      [{ qrcode_data: ticket.code.replace(':', ': ') }, 400, 'qrcode.malformed'],
      [{ qrcode_data: `${data}:${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}` }, 400, 'qrcode'],
      [{ qrcode_data: `${data}:${otherTicket.code.split(':')[1]}` }, 400, 'qrcode.forged'],
      [{ qrcode_data: unknown }, 404, 'ticket.unknown'],
    ];
    const before = await test.database.query(`select id from "${venue.schemaName}".scan_log`);
    for (const path of ['/scan/ticket/', '/scan/check_ticket/']) {
      for (const [body, status, code] of cases) {
        const answer = await call(path, body)
          .expect(status)
          .expect('Content-Type', /problem\+json/);
        expect(answer.body.code).toMatch(new RegExp(`^${code}`));
        expect(answer.body).toMatchObject({
          success: false,
          status,
          reason: answer.body.code.split('.')[1],
          message: answer.body.detail,
        });
        expect(JSON.stringify(answer.body)).not.toContain(ticket.code.slice(0, 20));
      }
    }
    const rows = await test.database.query<{ outcome: string; ticket_id: string | null }>(
      `select outcome, ticket_id from "${venue.schemaName}".scan_log order by id offset ${before.length}`,
    );
    expect(rows).toHaveLength(2 * cases.length);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['missing', 'malformed', 'forged', 'unknown']));
    expect(rows.every(({ ticket_id }) => ticket_id === null)).toBe(true);
  });

  it('refuses a malformed event_uuid, scan_id and device_time, all at once', async () => {
    const { body } = await scan({ qrcode_data: 'x', event_uuid: 'x', scan_id: 7, device_time: 'yesterday' }).expect(400);
    expect(body.code).toBe('body.invalid');
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(['/device_time', '/event_uuid', '/scan_id']);
  });

  it('is in French on request, with French labels', async () => {
    const ticket = await newTicket(test, venue, { event });
    const { body } = await scan({ qrcode_data: ticket.code }).set('Accept-Language', 'fr-FR').expect(200);
    expect(body).toMatchObject({ message: 'Billet scanné', ticket: { status: 'Valide et scanné' } });
  });

  it('counts the tickets of the reservation that are not cancelled', async () => {
    const [one, two] = await newTickets(test, venue, { event, count: 4 });
    await test.database.query(`update "${venue.schemaName}".ticket set status = 'R' where id = $1`, [two!.id]);
    const { body } = await check({ qrcode_data: one!.code }).expect(200);
    expect(body.reservation.tickets_count).toBe(3);
  });
});

describe('POST /scan/undo/', () => {
  it('undoes a scan by scan_id, so that the ticket can enter again', async () => {
    const ticket = await newTicket(test, venue, { event });
    const scanId = randomUUID();
    await scan({ qrcode_data: ticket.code, scan_id: scanId }).expect(200);
    const { body } = await undo({ scan_id: scanId, reason: 'turned away at the cloakroom' }).expect(200);
    expect(body).toMatchObject({
      success: true,
      message: 'Scan undone',
      ticket: { uuid: ticket.id, status: 'Valid and not scanned' },
    });
    const again = await scan({ qrcode_data: ticket.code }).expect(200);
    expect(again.body.success).toBe(true);
    expect((await log(ticket.id)).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'scan accepted',
      'undo undone',
      'scan accepted',
    ]);
    const [row] = await test.database.query<{ reason: string }>(
      `select reason from "${venue.schemaName}".scan_log where action = 'undo' and ticket_id = $1`,
      [ticket.id],
    );
    expect(row?.reason).toBe('turned away at the cloakroom');
  });

  it('undoes a scan by the code, and answers a repeat in the same way', async () => {
    const ticket = await newTicket(test, venue, { event });
    await scan({ qrcode_data: ticket.code }).expect(200);
    const first = await undo({ qrcode_data: ticket.code, reason: 'wrong person' }).expect(200);
    const second = await undo({ qrcode_data: ticket.code, reason: 'wrong person' }).expect(200);
    expect(first.body.success).toBe(true);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });

  it('undoes once when 20 devices ask at the same time', async () => {
    const ticket = await newTicket(test, venue, { event });
    await scan({ qrcode_data: ticket.code }).expect(200);
    // Verified to fail without the conditions on `t.status`, `scanned_by` and `scanned_at` and without the unique index on `undoes`.
    const answers = await test.database.race(`select 1 from "${venue.schemaName}".ticket where id = $1 for update`, [ticket.id], () =>
      Promise.all(Array.from({ length: 20 }, () => undo({ qrcode_data: ticket.code, reason: 'race' }))),
    );
    expect(answers.every(({ status, body }) => status === 200 && body.success)).toBe(true);
    const undone = await test.database.query(`select id from "${venue.schemaName}".scan_log where ticket_id = $1 and undoes is not null`, [
      ticket.id,
    ]);
    expect(undone).toHaveLength(1);
  });

  it('refuses another device, a ticket that is not scanned, and an undo after 15 minutes', async () => {
    const other = await newDevice(test, venue, 'Other');
    const ticket = await newTicket(test, venue, { event });
    const notYet = await undo({ qrcode_data: ticket.code, reason: 'x' }).expect(200);
    expect(notYet.body).toMatchObject({ success: false, reason: 'not_scanned' });
    await scan({ qrcode_data: ticket.code }).expect(200);
    const foreign = await undo({ qrcode_data: ticket.code, reason: 'x' }, other).expect(200);
    expect(foreign.body).toMatchObject({ success: false, reason: 'other_device' });
    await test.database.query(`update "${venue.schemaName}".ticket set scanned_at = now() - interval '16 minutes' where id = $1`, [
      ticket.id,
    ]);
    const late = await undo({ qrcode_data: ticket.code, reason: 'x' }).expect(200);
    expect(late.body).toMatchObject({ success: false, reason: 'undo_expired' });
    expect(await statusOf(ticket.id)).toBe('S');
  });

  it('refuses an unknown scan_id, another device’s scan_id, a missing reason and a missing code', async () => {
    const other = await newDevice(test, venue, 'Another');
    const ticket = await newTicket(test, venue, { event });
    const scanId = randomUUID();
    await scan({ qrcode_data: ticket.code, scan_id: scanId }).expect(200);
    expect((await undo({ scan_id: randomUUID(), reason: 'x' }).expect(404)).body.code).toBe('scan.unknown');
    expect((await undo({ scan_id: scanId, reason: 'x' }, other).expect(404)).body.code).toBe('scan.unknown');
    expect((await undo({ scan_id: scanId }).expect(400)).body.errors[0].pointer).toBe('/reason');
    expect((await undo({ scan_id: scanId, reason: ' ' }).expect(400)).body.errors[0].pointer).toBe('/reason');
    expect((await undo({ reason: 'x' }).expect(400)).body.code).toBe('qrcode.missing');
    expect((await undo({ reason: 'x', qrcode_data: 'y' }).expect(400)).body.code).toBe('qrcode.malformed');
  });
});
