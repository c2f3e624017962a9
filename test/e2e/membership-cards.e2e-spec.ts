import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MembershipsService, type WholeMembership } from '#memberships';
import { ReservationChangesService, TicketsService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { book, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { newDevice, newEvent, type PairedDevice } from '../support/builders.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let device: PairedDevice;
let priceId: string;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  tenant = await test.newTenant();
  device = await newDevice(test, tenant);
  priceId = await test.inside(tenant, async () => {
    const product = await test.app.get(ProductsService).create({ name: 'Friends', category: 'A' });
    return (await test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0', subscriptionType: 'Y' })).id;
  });
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const call = (path: string, code: string, more: object = {}): supertest.Test =>
  test
    .on(tenant)
    .post(path)
    .set('Authorization', device.authorization)
    .send({ qrcode_data: code, ...more });
const check = (code: string, more?: object): supertest.Test => call('/scan/check_ticket/', code, more);
const scan = (code: string, more?: object): supertest.Test => call('/scan/ticket/', code, more);

async function newMembership(): Promise<WholeMembership & { code: string }> {
  return inside(async () => {
    const memberships = test.app.get(MembershipsService);
    const made = await memberships.create({ priceId, email: 'ada@example.org', firstName: 'Ada', lastName: 'Martin' });
    return Object.assign(made, { code: await memberships.codeOf(made) });
  });
}

const logOf = (id: string): Promise<{ action: string; outcome: string }[]> =>
  sql('select action, outcome from scan_log where membership_id = $1 order by id', [id]);

describe('a membership card at the door', () => {
  it('is valid, with its holder and its end', async () => {
    const { id, code } = await newMembership();
    const { body, headers } = await check(code).expect(200);
    const instant = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+0[12]:00$/;
    expect(body).toEqual({
      success: true,
      message: 'Membership information retrieved',
      may_enter: false,
      reason: 'membership',
      detail: 'Membership card valid',
      membership: {
        is_valid: true,
        uuid: id,
        first_name: 'Ada',
        last_name: 'Martin',
        product: 'Friends',
        price: 'Year',
        valid_from: expect.stringMatching(instant),
        valid_until: expect.stringMatching(instant),
        status: 'Active',
      },
    });
    expect(headers['cache-control']).toBe('no-store');
    const french = await check(code).set('Accept-Language', 'fr').expect(200);
    expect(french.body).toMatchObject({ detail: 'Carte d’adhésion valable', membership: { status: 'Active' } });
    expect(await logOf(id)).toEqual([
      { action: 'check', outcome: 'accepted' },
      { action: 'check', outcome: 'accepted' },
    ]);
  });

  it.each([
    ['expired', `valid_from = now() - interval '2 years', valid_until = now() - interval '1 second'`, 'Membership expired', 'Active'],
    ['not_yet_valid', `valid_from = now() + interval '1 hour'`, 'Membership not valid yet', 'Active'],
    ['not_paid', `status = 'pending', expires_at = now() + interval '15 minutes'`, 'Membership not paid', 'Awaiting payment'],
    ['cancelled', `status = 'cancelled'`, 'Membership cancelled', 'Cancelled'],
  ])('is read and called %s', async (reason, change, message, status) => {
    const { id, code } = await newMembership();
    await sql(`update membership set ${change} where id = $1`, [id]);
    if (reason === 'cancelled') await sql('update price set sold = sold - 1 where id = $1', [priceId]);
    const { body } = await check(code).expect(200);
    expect(body).toMatchObject({
      success: true,
      message: 'Membership information retrieved',
      may_enter: false,
      reason,
      detail: message,
      membership: { uuid: id, status, is_valid: false },
    });
    expect(await logOf(id)).toEqual([{ action: 'check', outcome: reason }]);
  });

  it('has no end when the membership has none', async () => {
    const { id, code } = await newMembership();
    await sql('update membership set valid_until = null where id = $1', [id]);
    expect((await check(code).expect(200)).body).toMatchObject({ success: true, membership: { valid_until: null } });
  });

  it('is not scanned: no state changes, and the answer says what to do', async () => {
    const { id, code } = await newMembership();
    const before = await sql('select * from membership where id = $1', [id]);
    const { body } = await scan(code).expect(200);
    expect(body).toMatchObject({
      success: false,
      reason: 'membership',
      message: 'This is a membership card, not a ticket: check it instead',
      membership: { uuid: id, validity: 'valid' },
    });
    expect(body).not.toHaveProperty('ticket');
    expect(await sql('select * from membership where id = $1', [id])).toEqual(before);
    expect(await logOf(id)).toEqual([{ action: 'scan', outcome: 'membership' }]);
    const undone = await call('/scan/undo/', code, { reason: 'mistake' }).expect(404);
    expect(undone.body).toMatchObject({ success: false, code: 'ticket.unknown' });
  });

  it('is answered byte for byte when an attempt is repeated, also simultaneously', async () => {
    const { id, code } = await newMembership();
    const scan_id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => check(code, { scan_id }).expect(200)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    await sql(`update membership set status = 'cancelled' where id = $1`, [id]);
    await sql('update price set sold = sold - 1 where id = $1', [priceId]);
    expect((await check(code, { scan_id }).expect(200)).text).toBe(answers[0]!.text);
    expect(await logOf(id)).toHaveLength(1);
    expect((await check(code, { scan_id, event_uuid: randomUUID() })).body).toMatchObject({ code: 'scan.id_reused' });
  });

  it('of another place is unknown, like every unknown code; both are logged once', async () => {
    const { code, signingKeyId } = await newMembership();
    const nothing = await inside(() => test.app.get(TicketsService).codeOf({ id: randomUUID(), signingKeyId }));
    const scan_id = randomUUID();
    for (let turn = 0; turn < 2; turn += 1)
      expect((await check(nothing, { scan_id }).expect(404)).body).toMatchObject({ code: 'ticket.unknown', reason: 'unknown' });
    expect(await sql('select outcome, membership_id, ticket_id from scan_log')).toEqual([
      { outcome: 'unknown', membership_id: null, ticket_id: null },
    ]);
    const abroad = await test.newTenant();
    const other = await newDevice(test, abroad);
    const answer = await test.on(abroad).post('/scan/check_ticket/').set('Authorization', other.authorization).send({ qrcode_data: code });
    expect(answer.body).toMatchObject({ code: 'qrcode.forged' });
  });
});

describe('tickets from the booking service at the door', () => {
  const codesOf = (tickets: readonly { id: string; signingKeyId: number }[]): Promise<string[]> =>
    inside(() => Promise.all(tickets.map((ticket) => test.app.get(TicketsService).codeOf(ticket))));
  const changes = (): ReservationChangesService => test.app.get(ReservationChangesService);
  const outcome = async (code: string): Promise<unknown> => {
    const { body } = await scan(code).expect(200);
    return (body as { reason?: string }).reason ?? (body as { success: boolean }).success;
  };

  it('are not paid while a payment is awaited, including free tickets of the reservation', async () => {
    const event = await newEvent(test, tenant);
    const free = await newPrice(test, tenant, event.id, { amount: '0' });
    const held = await book(test, tenant, event, {
      tickets: [event.priceId, free].map((price) => ({ priceId: price, quantity: 1 })),
    });
    const codes = await codesOf(held.tickets);
    for (const code of codes) expect(await outcome(code)).toBe('not_paid');
    await letHoldsLapse(test, tenant);
    expect(await outcome(codes[0]!)).toBe('not_paid');
    await inside(() => changes().confirm(held.id));
    for (const code of codes) expect(await outcome(code)).toBe(true);
    expect(await outcome(codes[0]!)).toBe('already_scanned');
  });

  it('are not active while an e-mail address is not verified', async () => {
    const event = await newEvent(test, tenant);
    const free = await newPrice(test, tenant, event.id, { amount: '0' });
    const waits = await book(test, tenant, { id: event.id, priceId: free });
    const [code] = await codesOf(waits.tickets);
    expect(await outcome(code!)).toBe('not_active');
    await inside(() => changes().verify(waits.id));
    expect(await outcome(code!)).toBe(true);
  });

  it('are cancelled one by one, and all with their reservation', async () => {
    const event = await newEvent(test, tenant);
    const sold = await book(test, tenant, event, { quantity: 2, confirmed: true });
    const [first, second] = await codesOf(sold.tickets);
    await inside(() => changes().cancelTicket(sold.tickets[0]!.id, { reason: 'staff' }));
    expect(await outcome(first!)).toBe('cancelled');
    expect((await check(second!).expect(200)).body).toMatchObject({ success: true, reservation: { tickets_count: 1 } });
    await inside(() => changes().cancel(sold.id, { reason: 'staff' }));
    expect(await outcome(second!)).toBe('cancelled');
  });
});
