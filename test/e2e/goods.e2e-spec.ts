import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ReservationChangesService, TicketsService, type WholeReservation } from '#tickets';
import { ApiKeysService, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newDevice, newEvent, type PairedDevice } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let door: PairedDevice;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  door = await newDevice(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

interface Sold {
  readonly reservation: WholeReservation;
  readonly ticket: string;
  readonly shirt: string;
  readonly shirtId: string;
}

/** Sells a ticket and a shirt. @returns their codes */
async function sell(): Promise<Sold> {
  const event = await newEvent(test, tenant);
  const shirtPrice = await newPrice(test, tenant, event.id, { name: 'Size M' }, 'T');
  const tickets = [event.priceId, shirtPrice].map((priceId) => ({ priceId, quantity: 1 }));
  const reservation = await book(test, tenant, event, { tickets, confirmed: true });
  const [ticket, shirt] = await test.inside(tenant, () =>
    Promise.all(reservation.tickets.map((one) => test.app.get(TicketsService).codeOf(one))),
  );
  return { reservation, ticket: ticket!, shirt: shirt!, shirtId: reservation.tickets[1]!.id };
}

const post = (path: string, body: object, device = door) =>
  test.on(tenant).post(`/scan/${path}/`).set('Authorization', device.authorization).send(body);

describe('the code of goods at the door', () => {
  it('does not admit, and the answer describes the goods', async () => {
    const { ticket, shirt, shirtId, reservation } = await sell();
    const refused = await post('ticket', { qrcode_data: shirt }).expect(200);
    expect(refused.body).toMatchObject({
      success: false,
      reason: 'not_admission',
      message: `Not an admission ticket: ${reservation.tickets[1]!.price.product.name}, Size M`,
      fulfilled_at: null,
      ticket: { uuid: shirtId, product: reservation.tickets[1]!.price.product.name, price: 'Size M' },
      reservation: { uuid: reservation.id, tickets_count: 1 },
    });
    const french = await post('ticket', { qrcode_data: shirt }).set('Accept-Language', 'fr').expect(200);
    expect((french.body as { message: string }).message).toContain('Ce n’est pas un billet d’entrée');
    const checked = await post('check_ticket', { qrcode_data: shirt }).expect(200);
    expect(checked.body).toMatchObject({
      success: true,
      may_enter: false,
      reason: 'not_admission',
      ticket: { is_scanned: false },
    });
    expect((await post('ticket', { qrcode_data: ticket }).expect(200)).body).toMatchObject({ success: true });
  });
});

describe('handing goods out', () => {
  const logOf = (ticketId: string) =>
    test.database.query<{ action: string; outcome: string }>(
      `select action, outcome from "${tenant.schemaName}".scan_log where ticket_id = $1 order by id`,
      [ticketId],
    );

  it('happens once, names who did it, and is logged', async () => {
    const { shirt, shirtId, reservation } = await sell();
    const given = await post('fulfil', { qrcode_data: shirt }).expect(200);
    expect(given.body).toMatchObject({
      success: true,
      message: 'Item handed out',
      fulfilled_at: expect.stringMatching(/^2\d{3}-/),
      fulfilled_by_name: door.name,
      ticket: { uuid: shirtId, price: 'Size M' },
      reservation: { uuid: reservation.id },
    });
    const again = await post('fulfil', { qrcode_data: shirt }).expect(200);
    const { fulfilled_at, fulfilled_by_name } = given.body as Record<string, unknown>;
    expect(again.body).toMatchObject({ success: false, reason: 'already_fulfilled', fulfilled_at, fulfilled_by_name });
    const scanned = await post('ticket', { qrcode_data: shirt }).expect(200);
    expect(scanned.body).toMatchObject({ reason: 'not_admission', fulfilled_at, fulfilled_by_name });
    expect(await logOf(shirtId)).toEqual([
      { action: 'fulfil', outcome: 'fulfilled' },
      { action: 'fulfil', outcome: 'already_fulfilled' },
      { action: 'scan', outcome: 'not_admission' },
    ]);
  });

  // The update has the condition `t.fulfilled_at is null`, so only one of several devices succeeds.
  it('is decided once among 30 simultaneous devices', async () => {
    const { shirt, shirtId } = await sell();
    const answers = await Promise.all(Array.from({ length: 30 }, () => post('fulfil', { qrcode_data: shirt }).expect(200)));
    const won = answers.filter(({ body }) => (body as { success: boolean }).success);
    expect(won).toHaveLength(1);
    expect((await logOf(shirtId)).filter(({ outcome }) => outcome === 'fulfilled')).toHaveLength(1);
  });

  it('answers a repeat with the same scan_id byte for byte', async () => {
    const { shirt } = await sell();
    const body = { qrcode_data: shirt, scan_id: randomUUID() };
    const first = await post('fulfil', body).expect(200);
    const repeat = await post('fulfil', body).expect(200);
    expect([repeat.text, repeat.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    expect((await post('fulfil', { ...body, event_uuid: randomUUID() }).expect(422)).body).toMatchObject({
      code: 'scan.id_reused',
    });
  });

  it('refuses admission tickets, other events, unpaid and cancelled goods, and invalid codes', async () => {
    const { ticket, shirt, reservation } = await sell();
    const reasonOf = async (body: object): Promise<unknown> => ((await post('fulfil', body).expect(200)).body as { reason: string }).reason;
    expect(await reasonOf({ qrcode_data: ticket })).toBe('admission');
    expect(await reasonOf({ qrcode_data: shirt, event_uuid: randomUUID() })).toBe('wrong_event');
    const { schemaName } = tenant;
    const withdraw = (at: string) =>
      test.database.query(`update "${schemaName}".ticket set withdrawn_at = ${at} where reservation_id = $1`, [reservation.id]);
    await withdraw('now()');
    expect(await reasonOf({ qrcode_data: shirt })).toBe('cancelled');
    await withdraw('null');
    await test.inside(tenant, () => test.app.get(ReservationChangesService).cancel(reservation.id, { reason: 'staff' }));
    expect(await reasonOf({ qrcode_data: shirt })).toBe('cancelled');
    const event = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, event.id, {}, 'M');
    const unpaid = await book(test, tenant, { id: event.id, priceId });
    const code = await test.inside(tenant, () => test.app.get(TicketsService).codeOf(unpaid.tickets[0]!));
    expect(await reasonOf({ qrcode_data: code })).toBe('not_paid');
    expect((await post('fulfil', { qrcode_data: 'x' }).expect(400)).body).toMatchObject({ code: 'qrcode.malformed' });
    expect((await post('fulfil', {}).expect(400)).body).toMatchObject({ code: 'qrcode.missing' });
  });

  it('is undone by the same device, by code or scan_id, once', async () => {
    const { shirt, shirtId } = await sell();
    const scan_id = randomUUID();
    await post('fulfil', { qrcode_data: shirt, scan_id }).expect(200);
    const other = await newDevice(test, tenant, 'Other');
    const refused = await post('undo_fulfil', { qrcode_data: shirt, reason: 'wrong size' }, other).expect(200);
    expect(refused.body).toMatchObject({
      success: false,
      reason: 'other_device',
      message: 'Another device handed this item out',
    });
    const undone = await post('undo_fulfil', { scan_id, reason: 'wrong size' }).expect(200);
    expect(undone.body).toMatchObject({ success: true, message: 'Hand-out undone', fulfilled_at: null });
    const repeated = await post('undo_fulfil', { scan_id, reason: 'wrong size' }).expect(200);
    expect([repeated.body, repeated.headers['idempotency-replayed']]).toMatchObject([{ success: true }, 'true']);
    expect((await post('fulfil', { qrcode_data: shirt }).expect(200)).body).toMatchObject({ success: true });
    await post('undo_fulfil', { qrcode_data: shirt, reason: 'again' }).expect(200);
    const nothing = await post('undo_fulfil', { qrcode_data: shirt, reason: 'again' }, other).expect(200);
    expect(nothing.body).toMatchObject({ success: false, reason: 'not_fulfilled' });
    expect((await logOf(shirtId)).filter(({ outcome }) => outcome === 'undone').length).toBeGreaterThanOrEqual(2);
    expect((await post('undo_fulfil', { scan_id: randomUUID(), reason: 'x' }).expect(404)).body).toMatchObject({
      code: 'scan.unknown',
    });
  });

  it('prevents the cancellation of the reservation until it is undone', async () => {
    const { shirt, shirtId, reservation } = await sell();
    await post('fulfil', { qrcode_data: shirt }).expect(200);
    const wanted = { name: 'Shop', scopes: ['reservation:read', 'reservation:write'] as const };
    const { key } = await test.inside(tenant, () => test.app.get(ApiKeysService).createIntegrationKey(wanted));
    const cancel = () =>
      test
        .on(tenant)
        .call('patch', `/api/v2/reservations/${reservation.id}/`)
        .set('Authorization', `Api-Key ${key}`)
        .send({ reservationStatus: 'https://schema.org/ReservationCancelled' });
    expect((await cancel().expect(409)).body).toMatchObject({ code: 'reservation.fulfilled' });
    const one = test.inside(tenant, () => test.app.get(ReservationChangesService).cancelTicket(shirtId, { reason: 'staff' }));
    await expect(one).rejects.toMatchObject({ reason: 'fulfilled' });
    await post('undo_fulfil', { qrcode_data: shirt, reason: 'given back' }).expect(200);
    await cancel().expect(200);
  });

  it('is done and undone by staff in the panel', async () => {
    const staff = await staffOf(test, tenant);
    const { shirtId, reservation } = await sell();
    const act = (name: string, data: object = {}) => staff.act('tickets', shirtId, name, data);
    expect((await act('fulfil')).notice).toMatchObject({ type: 'success' });
    expect((await act('fulfil')).notice).toMatchObject({ type: 'error' });
    const shown = (await staff.look('tickets', shirtId)).record!.params;
    expect(shown).toMatchObject({
      admission: false,
      fulfilledAt: expect.any(String),
      fulfilledByName: expect.any(String),
    });
    expect((await act('undoFulfil', { reason: 'wrong size' })).notice).toMatchObject({ type: 'success' });
    expect((await staff.look('tickets', shirtId)).record!.params['fulfilledAt'] ?? null).toBeNull();
    expect((await act('undoFulfil', { reason: 'wrong size' })).notice).toMatchObject({ type: 'error' });
    expect(JSON.stringify((await staff.look('reservations', reservation.id)).record!.params)).toContain('To hand out');
    expect((await logOf(shirtId)).map(({ outcome }) => outcome)).toEqual(['fulfilled', 'undone']);
  });
});
