import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SigningKeysService } from '#booking';
import { PostalAddress } from '#catalogue';
import { ScanningDevicesService } from '#scan';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newDevice, newEvent, newTicket, newTickets, type NewTicket, type PairedDevice } from '../support/builders.js';
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

const call = (path: string, body: object, by = device): supertest.Test =>
  test.on(venue).post(path).set('Authorization', by.authorization).send(body);
const scan = (body: object, by = device): supertest.Test => call('/scan/ticket/', body, by);
const check = (body: object, by = device): supertest.Test => call('/scan/check_ticket/', body, by);
const undo = (body: object, by = device): supertest.Test => call('/scan/undo/', body, by);
const log = (ticketId: string): Promise<{ action: string; outcome: string; device_id: string }[]> =>
  test.database.query(`select action, outcome, device_id from "${venue.schemaName}".scan_log where ticket_id = $1 order by id`, [ticketId]);

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
    ['not_paid', { status: 'C', reservationStatus: 'R' }, 'Created'],
    ['not_active', { status: 'N', reservationStatus: 'F', amount: '0' }, 'Not active'],
    ['not_active', { status: 'C', reservationStatus: 'R', amount: '0' }, 'Created'],
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
    const [row] = await test.database.query<{ status: string }>(`select status from "${venue.schemaName}".ticket where id = $1`, [
      ticket.id,
    ]);
    expect(row?.status).toBe(state.status);
    expect(await log(ticket.id)).toMatchObject([
      { action: 'scan', outcome: reason },
      { action: 'check', outcome: reason },
    ]);
  });

  it('refuses a ticket of another event, and names that event with place and time', async () => {
    const address = await test.inside(venue, () =>
      test.app.get(TenantDb).transaction((tx) =>
        tx.save(PostalAddress, {
          name: 'Blue Hall',
          streetAddress: '1 Quay',
          addressLocality: 'Lyon',
          postalCode: '69001',
          addressCountry: 'FR',
        }),
      ),
    );
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
      const { renderCode } = await import('#booking');
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

describe('POST /scan/check_ticket/', () => {
  it('answers a valid ticket and changes nothing', async () => {
    const ticket = await newTicket(test, venue, { event });
    for (let round = 0; round < 2; round += 1) {
      const { body } = await check({ qrcode_data: ticket.code }).expect(200);
      expect(body).toMatchObject({
        success: true,
        message: 'Ticket information retrieved',
        ticket: { uuid: ticket.id, status: 'Valid and not scanned', is_scanned: false, scanned_by: null },
        reservation: { uuid: ticket.reservationId, tickets_count: 1 },
      });
    }
    const { body } = await scan({ qrcode_data: ticket.code }).expect(200);
    expect(body.success).toBe(true);
  });

  it('reports that a ticket is scanned, and by which device', async () => {
    const ticket = await newTicket(test, venue, { event });
    await scan({ qrcode_data: ticket.code }).expect(200);
    const { body } = await check({ qrcode_data: ticket.code }).expect(200);
    expect(body).toEqual({
      success: true,
      message: 'Ticket information retrieved',
      may_enter: false,
      reason: 'already_scanned',
      detail: 'Ticket already scanned',
      scanned_by: device.id,
      scanned_by_name: 'Door 1',
      scanned_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      ticket: expect.objectContaining({ status: 'Valid and scanned', is_scanned: true, scanned_by: device.id }),
      reservation: { uuid: ticket.reservationId, tickets_count: 1 },
    });
    const refused = await scan({ qrcode_data: ticket.code }).expect(200);
    const companions = ({ reason, scanned_by, scanned_by_name, scanned_at }: Record<string, unknown>): unknown[] => [
      reason,
      scanned_by,
      scanned_by_name,
      scanned_at,
    ];
    expect(companions(body)).toEqual(companions(refused.body));
  });

  it('reads a ticket in every state, and reports whether it may enter', async () => {
    const soon = await newEvent(test, venue, {
      startsAt: new Date(Date.now() + 7_200_000),
      scanOpensMinutesBefore: 60,
    });
    const over = await newEvent(test, venue, {
      startsAt: new Date(Date.now() - 7_200_000),
      endsAt: new Date(Date.now() - 3_600_000),
      scanClosesMinutesAfter: 30,
    });
    const cases: [NewTicket, string | undefined, string][] = [
      [{ event }, undefined, 'Valid and not scanned'],
      [{ event, status: 'S' }, 'already_scanned', 'Valid and scanned'],
      [{ event, status: 'R' }, 'cancelled', 'Cancelled'],
      [{ event, status: 'K', reservationStatus: 'C' }, 'cancelled', 'Cancelled'],
      [{ event, status: 'N', reservationStatus: 'U' }, 'not_paid', 'Not active'],
      [{ event, status: 'C', reservationStatus: 'R', amount: '0' }, 'not_active', 'Created'],
      [{ event: soon }, 'too_early', 'Valid and not scanned'],
      [{ event: over }, 'too_late', 'Valid and not scanned'],
    ];
    for (const [input, reason, status] of cases) {
      const ticket = await newTicket(test, venue, input);
      const { body } = await check({ qrcode_data: ticket.code }).expect(200);
      expect(body).toMatchObject({
        success: true,
        message: 'Ticket information retrieved',
        may_enter: reason === undefined,
        ticket: { uuid: ticket.id, status, is_scanned: input.status === 'S', scanned_by: null },
        reservation: { uuid: ticket.reservationId },
      });
      expect(body.reason).toBe(reason);
      const scanned = await scan({ qrcode_data: ticket.code }).expect(200);
      expect(scanned.body).toMatchObject(reason ? { success: false, reason } : { success: true });
      expect(body.event).toEqual(scanned.body.event);
      expect(body.detail).toEqual(reason && scanned.body.message);
    }
  });

  it('gives the reason in the language of the request, and stores it for a repeat', async () => {
    const ticket = await newTicket(test, venue, { event, status: 'R' });
    const body = { qrcode_data: ticket.code, scan_id: randomUUID() };
    const first = await check(body).set('Accept-Language', 'fr').expect(200);
    expect(first.body).toMatchObject({ message: 'Informations du billet trouvées', detail: 'Billet annulé' });
    expect((await check(body).expect(200)).text).toBe(first.text);
  });
});

describe('whitespace that hand scanners add to a code', () => {
  it.each(['\r', '\n', '\r\n', '\t', '   ', ' \t\r\n'])('is ignored: %j', async (added) => {
    const ticket = await newTicket(test, venue, { event });
    for (const qrcode_data of [`${ticket.code}${added}`, `${added}${ticket.code}`]) {
      expect((await check({ qrcode_data }).expect(200)).body).toMatchObject({
        may_enter: true,
        ticket: { uuid: ticket.id },
      });
    }
    const scanned = await scan({ qrcode_data: `${added}${ticket.code}${added}` }).expect(200);
    expect(scanned.body).toMatchObject({ success: true, ticket: { uuid: ticket.id } });
    const undone = await undo({ qrcode_data: `${ticket.code}${added}`, reason: 'wrong door' }).expect(200);
    expect(undone.body.success).toBe(true);
  });

  it('keeps a repeat with the same scan_id the same attempt', async () => {
    const ticket = await newTicket(test, venue, { event });
    const scan_id = randomUUID();
    const first = await scan({ qrcode_data: ticket.code, scan_id }).expect(200);
    expect((await scan({ qrcode_data: `${ticket.code}\r\n`, scan_id }).expect(200)).text).toBe(first.text);
  });
});

describe('scan_id', () => {
  it('answers a repeat byte for byte, and never scans twice', async () => {
    const ticket = await newTicket(test, venue, { event });
    const body = { qrcode_data: ticket.code, scan_id: randomUUID() };
    const first = await scan(body).expect(200);
    const second = await scan(body).set('Accept-Language', 'fr').expect(200);
    expect(first.body.success).toBe(true);
    expect(second.text).toBe(first.text);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await log(ticket.id)).toHaveLength(1);
  });

  it('repeats refusals and problems, too', async () => {
    const ticket = await newTicket(test, venue, { event, status: 'R' });
    for (const [attempt, request] of [
      [scan, { qrcode_data: ticket.code, scan_id: randomUUID() }],
      [check, { qrcode_data: ticket.code, scan_id: randomUUID() }],
      [scan, { qrcode_data: 'nonsense', scan_id: randomUUID() }],
      [scan, { scan_id: randomUUID() }],
    ] as const) {
      const first = await attempt(request);
      const second = await attempt(request);
      expect(second.status).toBe(first.status);
      expect(second.text).toBe(first.text);
      expect(second.headers['idempotency-replayed']).toBe('true');
    }
  });

  it('refuses the same id for another request with 422', async () => {
    const [one, two] = await newTickets(test, venue, { event, count: 2 });
    const id = randomUUID();
    await scan({ qrcode_data: one!.code, scan_id: id }).expect(200);
    const { body } = await scan({ qrcode_data: two!.code, scan_id: id }).expect(422);
    expect(body.code).toBe('scan.id_reused');
    const free = await check({ qrcode_data: two!.code }).expect(200);
    expect(free.body.success).toBe(true);
  });

  it('decides 40 simultaneous repeats of one attempt once', async () => {
    const ticket = await newTicket(test, venue, { event });
    const body = { qrcode_data: ticket.code, scan_id: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 40 }, () => scan(body)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.success).toBe(true);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await log(ticket.id)).toHaveLength(1);
  });

  it('accepts one of eight tickets when eight requests use one id simultaneously', async () => {
    // Verified to fail without the unique index scan_log_attempt: several tickets are scanned with one id.
    for (let round = 0; round < 10; round += 1) {
      const tickets = await newTickets(test, venue, { event, count: 8 });
      const id = randomUUID();
      const answers = await Promise.all(tickets.map(({ code }) => scan({ qrcode_data: code, scan_id: id })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 422)]);
      const [row] = await test.database.query<{ scanned: number }>(
        `select count(*)::int as scanned from "${venue.schemaName}".ticket where id = any($1) and status = 'S'`,
        [tickets.map((ticket) => ticket.id)],
      );
      expect(row?.scanned).toBe(1);
    }
  });
});

describe('simultaneous scans', () => {
  it('of one ticket give one success and 49 refusals that name the winner', async () => {
    // Verified to fail without `and t.status = 'K'` in the update: every scan that waits for the row then succeeds.
    const devices = await Promise.all(Array.from({ length: 10 }, (_, index) => newDevice(test, venue, `Gate ${index}`)));
    for (let round = 0; round < 5; round += 1) {
      const ticket = await newTicket(test, venue, { event });
      const answers = await test.database.race(`select 1 from "${venue.schemaName}".ticket where id = $1 for update`, [ticket.id], () =>
        Promise.all(Array.from({ length: 50 }, (_, index) => scan({ qrcode_data: ticket.code }, devices[index % 10]))),
      );
      const winners = answers.filter(({ body }) => body.success);
      expect(winners).toHaveLength(1);
      const losers = answers.filter(({ body }) => !body.success);
      expect(losers).toHaveLength(49);
      const [row] = await test.database.query<{ scanned_by: string }>(`select scanned_by from "${venue.schemaName}".ticket where id = $1`, [
        ticket.id,
      ]);
      const winner = devices.find(({ id }) => id === row?.scanned_by);
      for (const { body, status } of losers) {
        expect(status).toBe(200);
        expect(body).toMatchObject({
          reason: 'already_scanned',
          scanned_by: winner?.id,
          scanned_by_name: winner?.name,
          ticket: { scanned_by: winner?.id },
        });
      }
      const rows = await log(ticket.id);
      expect(rows).toHaveLength(50);
      expect(rows.filter(({ outcome }) => outcome === 'accepted')).toEqual([
        { action: 'scan', outcome: 'accepted', device_id: winner?.id },
      ]);
    }
  });

  it('are refused with a key that was just revoked or suspended', async () => {
    const lost = await newDevice(test, venue, 'Lost phone');
    const [one, two, three] = await newTickets(test, venue, { event, count: 3 });
    await scan({ qrcode_data: one!.code }, lost).expect(200);
    await test.database.query('update shared.api_key set suspended_at = now() where device_id = $1', [lost.id]);
    const suspended = await scan({ qrcode_data: two!.code }, lost).expect(403);
    expect(suspended.body.code).toBe('device.archived');
    await test.database.query('update shared.api_key set suspended_at = null where device_id = $1', [lost.id]);
    await scan({ qrcode_data: two!.code }, lost).expect(200);
    await test.database.query('update shared.api_key set revoked_at = now() where device_id = $1', [lost.id]);
    const revoked = await scan({ qrcode_data: three!.code }, lost).expect(401);
    expect(revoked.body.code).toBe('key.revoked');
    const still = await check({ qrcode_data: three!.code }).expect(200);
    expect(still.body.ticket.is_scanned).toBe(false);
  });

  it('are refused, like undo and check, for a device that was archived in the panel', async () => {
    const gone = await newDevice(test, venue, 'Gone');
    const ticket = await newTicket(test, venue, { event });
    await scan({ qrcode_data: ticket.code }, gone).expect(200);
    await test.inside(venue, () => test.app.get(ScanningDevicesService).archive(gone.id));
    for (const answer of [
      scan({ qrcode_data: ticket.code }, gone),
      check({ qrcode_data: ticket.code }, gone),
      undo({ qrcode_data: ticket.code, reason: 'x' }, gone),
    ]) {
      expect((await answer).status).toBe(403);
    }
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
    const [row] = await test.database.query<{ status: string }>(`select status from "${venue.schemaName}".ticket where id = $1`, [
      ticket.id,
    ]);
    expect(row?.status).toBe('S');
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

describe('the scan log', () => {
  it('is append-only: the database refuses to change or delete a row', async () => {
    const ticket = await newTicket(test, venue, { event });
    await scan({ qrcode_data: ticket.code }).expect(200);
    for (const statement of ['update %.scan_log set outcome = null', 'delete from %.scan_log', 'truncate %.scan_log']) {
      await expect(test.database.query(statement.replace('%', `"${venue.schemaName}"`))).rejects.toThrow('append-only');
    }
  });

  it('stores the device’s time beside the server’s time', async () => {
    const ticket = await newTicket(test, venue, { event });
    await scan({ qrcode_data: ticket.code, device_time: '2026-01-01T20:00:00+01:00' }).expect(200);
    const [row] = await test.database.query<{ device_time: Date; recorded_at: Date }>(
      `select device_time, recorded_at from "${venue.schemaName}".scan_log where ticket_id = $1`,
      [ticket.id],
    );
    expect(row?.device_time.toISOString()).toBe('2026-01-01T19:00:00.000Z');
    expect(Math.abs((row?.recorded_at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });
});

describe('signing keys', () => {
  it('always produce the same 111 characters for a ticket, also after a rotation, and verify offline', async () => {
    const own = await test.newTenant();
    const gate = await newDevice(test, own);
    const night = await newEvent(test, own);
    const before = await newTicket(test, own, { event: night });
    expect(before.code).toHaveLength(111);
    expect(before.code).toMatch(/^[A-Za-z0-9_-]{24}:[A-Za-z0-9_-]{86}$/);
    await test.inside(own, () => test.app.get(SigningKeysService).rotate());
    const after = await newTicket(test, own, { event: night });
    const { body } = await test.on(own).get('/scan/keys/').set('Authorization', gate.authorization).expect(200);
    expect(body.keys.map(({ kid, kty, crv }: Record<string, string>) => [kid, kty, crv])).toEqual([
      ['1', 'OKP', 'Ed25519'],
      ['2', 'OKP', 'Ed25519'],
    ]);
    for (const [ticket, key] of [
      [before, body.keys[0]],
      [after, body.keys[1]],
    ]) {
      const [data, signature] = ticket.code.split(':');
      const publicKey = await crypto.subtle.importKey('jwk', { kty: key.kty, crv: key.crv, x: key.x }, 'Ed25519', false, ['verify']);
      expect(await crypto.subtle.verify('Ed25519', publicKey, Buffer.from(signature, 'base64url'), Buffer.from(data))).toBe(true);
      const answer = await test.on(own).post('/scan/ticket/').set('Authorization', gate.authorization).send({ qrcode_data: ticket.code });
      expect(answer.body.success).toBe(true);
    }
    const [stored] = await test.database.query<{ sealed: Buffer }>(
      `select sealed_private_key as sealed from "${own.schemaName}".signing_key where id = 1`,
    );
    expect(stored?.sealed.includes(Buffer.from('302e020100300506032b6570', 'hex'))).toBe(false);
  });
});
