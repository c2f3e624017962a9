import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentsService } from '#payments';
import type { WholeReservation } from '#tickets';
import { PricesService, ProductsService, type NewPrice } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { book, expectNoDrift } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import type { PanelAnswer, PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let event: { id: string; priceId: string };

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
  event = await newEvent(test, venue, { capacity: 500 });
});
afterEach(() => expectNoDrift(test, venue));
afterAll(() => test.close());

const params = async (resource: string, id: string): Promise<Record<string, unknown>> => (await staff.look(resource, id)).record!.params;
const faults = ({ record }: PanelAnswer): string[] => Object.keys(record?.errors ?? {});
const sold = (quantity = 1): Promise<WholeReservation> => book(test, venue, event, { quantity, confirmed: true, paymentMethod: 'card' });
const actionsOf = async (resource: string, id: string): Promise<string[]> => {
  const { record } = (await staff.look(resource, id)) as unknown as { record: { recordActions: { name: string }[] } };
  return record.recordActions.map(({ name }) => name).toSorted();
};

describe('a reservation in the panel', () => {
  it('is confirmed with its payment method', async () => {
    const { id } = await book(test, venue, event);
    expect(await params('reservations', id)).toMatchObject({ status: 'R', expiresAt: expect.any(String) });
    expect(await actionsOf('reservations', id)).toEqual(['cancel', 'confirm', 'correctEmail', 'history', 'show']);
    expect((await staff.look('reservations', id, 'confirm')).view).toMatchObject({
      lead: [expect.stringContaining('€12.50'), expect.stringContaining('No mail server')],
      fields: [{ name: 'method', options: [{ value: 'cash' }, { value: 'card' }, { value: 'offered' }] }],
    });
    const done = await staff.act('reservations', id, 'confirm', { method: 'card' });
    expect(done.notice).toMatchObject({ type: 'success', message: 'confirmedKept' });
    expect(await params('reservations', id)).toMatchObject({
      status: 'V',
      expiresAt: null,
      'payments.items.0.details': 'Card · at the venue',
      'payments.items.0.badge.text': 'Paid',
    });
    expect(await actionsOf('reservations', id)).toEqual(['cancel', 'correctEmail', 'history', 'pdf', 'print', 'resend', 'show']);
    expect((await staff.act('reservations', id, 'confirm', { method: 'card' })).notice?.type).toBe('error');
  });

  it('is cancelled with a note, and payments at the venue are marked as refunded', async () => {
    const { id, email } = await sold(2);
    const asked = await staff.look('reservations', id, 'cancel');
    expect(asked.view).toMatchObject({
      danger: true,
      facts: [
        expect.stringContaining('2 tickets'),
        expect.stringMatching(/€25\.00 paid at the venue .* by hand/),
        expect.stringContaining(email),
      ],
    });
    expect((await staff.act('reservations', id, 'cancel', { note: 'The hall is flooded.' })).notice?.type).toBe('success');
    expect(await params('reservations', id)).toMatchObject({
      status: 'C',
      cancelReason: 'staff',
      refundsDue: 1,
      'payments.items.0.badge.text': 'Paid',
      'payments.items.1.title': '−€25.00',
      'payments.items.1.badge.text': 'To be refunded',
      'payments.items.1.details': expect.stringContaining('The hall is flooded.'),
      'mails.items.0.title': 'Reservation cancelled',
      'mails.items.1.badge.text': 'No longer needed',
    });
    expect(await actionsOf('reservations', id)).toEqual(['history', 'refunded', 'show']);
    expect((await staff.look('reservations', id, 'refunded')).view).toMatchObject({ facts: ['€25.00 · Card'] });
    expect((await staff.act('reservations', id, 'refunded', { confirmed: true })).notice?.type).toBe('success');
    expect(await params('reservations', id)).toMatchObject({
      refundsDue: 0,
      'payments.items.1.badge.text': 'Refunded',
    });
    expect((await staff.act('reservations', id, 'refunded', { confirmed: true })).notice?.type).toBe('error');
  });

  it('says that online payments are refunded automatically', async () => {
    const { id } = await book(test, venue, event);
    await test.inside(venue, () =>
      test.app.get(TenantDb).transaction(async (tx) => {
        const begun = await test.app
          .get(PaymentsService)
          .begin(tx, [{ reservationId: id }], [{ id: randomUUID(), provider: 'stripe', minimum: '0.50' }]);
        await test.app.get(PaymentsService).move(tx, [begun!.paymentId], 'paid');
      }),
    );
    const { view } = await staff.look('reservations', id, 'cancel');
    expect(view).toMatchObject({ facts: expect.arrayContaining(['€12.50 paid online is refunded automatically.']) });
    await staff.act('reservations', id, 'cancel', { note: '' });
  });

  it('is not cancelled while one of its tickets is scanned', async () => {
    const { id, tickets } = await sold(2);
    const device = await newDevice(test, venue);
    await scan(device.authorization, tickets[0]!.id);
    expect((await staff.look('reservations', id, 'cancel')).view).toMatchObject({ fields: [], lead: [expect.stringContaining('scanned')] });
    const refused = await staff.act('reservations', id, 'cancel', { note: '' });
    expect(faults(refused)).toEqual(['status']);
    expect(await params('reservations', id)).toMatchObject({ status: 'V' });
  });

  it('sends its mail again, but not while it still waits', async () => {
    const { id } = await sold();
    const kinds = async (): Promise<unknown[]> => {
      const all = await params('reservations', id);
      return [0, 1, 2].map((index) => all[`mails.items.${index}.badge.text`]);
    };
    expect((await staff.act('reservations', id, 'resend', { confirmed: true })).notice?.message).toBe('resentKept');
    expect((await kinds()).toSorted()).toEqual(['No longer needed', 'Waiting', undefined]);
    const unpaid = await book(test, venue, event);
    expect((await staff.act('reservations', unpaid.id, 'resend', { confirmed: true })).notice?.type).toBe('error');
    expect(await params('reservations', unpaid.id)).not.toHaveProperty('mails.items.0.title');
  });
});

describe('a ticket in the panel', () => {
  it('is renamed', async () => {
    const [ticket] = (await sold()).tickets;
    const { id } = ticket!;
    const done = await staff.act('tickets', id, 'rename', { firstName: ' Grace ', lastName: 'Hopper' });
    expect(done.notice?.message).toBe('renamed');
    expect((await staff.look('tickets', id)).record!.title).toBe('Grace Hopper');
    expect((await staff.look('tickets', id, 'rename')).view).toMatchObject({ fields: [{ value: 'Grace' }, { value: 'Hopper' }] });
    for (const firstName of ['x'.repeat(101), 'Win at evil.com'])
      expect(faults(await staff.act('tickets', id, 'rename', { firstName, lastName: '' }))).toEqual(['firstName']);
  });

  it('is cancelled alone; the last one cancels its reservation', async () => {
    const { id, tickets } = await sold(2);
    const [first, second] = tickets;
    await staff.act('tickets', first!.id, 'cancel', { confirmed: true });
    expect(await params('tickets', first!.id)).toMatchObject({ status: 'R' });
    expect(await params('reservations', id)).toMatchObject({ status: 'V', ticketsCount: 1 });
    const { view } = await staff.look('tickets', second!.id, 'cancel');
    expect((view!['facts'] as string[])[0]).toContain('last');
    await staff.act('tickets', second!.id, 'cancel', { note: 'Sorry' });
    expect(await params('reservations', id)).toMatchObject({ status: 'C', refundsDue: 2 });
    expect((await staff.act('tickets', second!.id, 'rename', { firstName: 'No' })).notice?.type).toBe('error');
  });

  it('has its scan undone by staff once, with a reason, and can be scanned again', async () => {
    const device = await newDevice(test, venue);
    const id = (await sold()).tickets[0]!.id;
    await scan(device.authorization, id);
    expect(await actionsOf('tickets', id)).toEqual(['pdf', 'rename', 'show', 'undo']);
    const silent = await staff.act('tickets', id, 'undo', { reason: '  ' });
    expect(faults(silent)).toEqual(['reason']);
    expect(await params('tickets', id)).toMatchObject({ status: 'S' });

    const two = await Promise.all([1, 2].map(() => staff.act('tickets', id, 'undo', { reason: 'Wrong person' })));
    expect(two.map(({ notice }) => notice?.type).toSorted()).toEqual(['error', 'success']);
    expect(await params('tickets', id)).toMatchObject({
      status: 'K',
      scannedAt: null,
      'history.items.0.title': 'Undo of the scan',
      'history.items.0.details': 'Zoé Staff · Wrong person',
    });
    const log = await staff.list('scan-log', { 'filters.action': 'undo', 'filters.staff': 'Zoé' });
    expect(log.records!.map((entry) => [entry.params['deviceId'], entry.params['reason']])).toEqual([[null, 'Wrong person']]);
    const told = await test.inside(venue, () =>
      test.app
        .get(TenantDb)
        .transaction((tx) =>
          tx.query<{ data: Record<string, unknown>; sequence: number }[]>(
            `select data, sequence from shared.outbox where subject_id = $1 and type = 'ticket.scan_undone'`,
            [id],
          ),
        ),
    );
    expect(told).toMatchObject([{ data: { deviceName: 'Zoé Staff', reason: 'Wrong person', facts: { ticket: { status: 'K' } } } }]);
    expect(await scan(device.authorization, id)).toMatchObject({ success: true });
    // The undo of the device is independent of it: the last scan is again its own.
    expect(await actionsOf('tickets', id)).toEqual(['pdf', 'rename', 'show', 'undo']);
  });
});

describe('a membership in the panel', () => {
  const membershipPrice = (name: string, price: Partial<NewPrice> = {}): Promise<string> =>
    test.inside(venue, async () => {
      const product = await test.app.get(ProductsService).create({ name: `Membership ${name}`, category: 'A' });
      const made = await test.app
        .get(PricesService)
        .create({ productId: product.id, name: 'Yearly', amount: '20', subscriptionType: 'Y', ...price });
      return made.id;
    });
  const enrol = (fields: object): Promise<PanelAnswer> => staff.send('memberships', 'enrol', { paymentMethod: 'cash', ...fields });
  const idOf = ({ redirectUrl }: PanelAnswer): string => redirectUrl!.split('/').at(-2)!;

  it('is created with its payment method, shows its card, and is found by its state', async () => {
    const priceId = await membershipPrice('made');
    expect((await staff.page('memberships', 'enrol')).view).toMatchObject({
      fields: [{ name: 'priceId' }, { name: 'email' }, {}, {}, { name: 'language' }, { name: 'code' }, { name: 'paymentMethod' }],
    });
    const id = idOf(await enrol({ priceId, email: 'ada@example.org', firstName: 'Ada', lastName: 'Martin' }));
    const shown = await params('memberships', id);
    expect(shown).toMatchObject({
      name: 'Ada Martin',
      state: 'valid',
      price: 'Membership made · Yearly',
      'payments.items.0.details': 'Cash · at the venue',
      'mails.items.0.title': 'Membership',
    });
    expect(String(shown['card.text'])).toMatch(/^[\w-]{24}:[\w-]{86}$/);
    const valid = await staff.list('memberships', { 'filters.state': 'valid', 'filters.name': 'Ada' });
    expect(valid.records!.map((record) => record.id)).toEqual([id]);
    expect((await staff.list('memberships', { 'filters.state': 'expired' })).records).toEqual([]);
  });

  it('is renewed for the following period, and cancelled with its refund', async () => {
    const priceId = await membershipPrice('renewed', { maxPerUser: 1 });
    const id = idOf(await enrol({ priceId, email: 'bo@example.org' }));
    const forLife = await membershipPrice('for life', { maxPerUser: 1, subscriptionType: null });
    await enrol({ priceId: forLife, email: 'bo@example.org' });
    const twice = await enrol({ priceId: forLife, email: 'bo@example.org' });
    expect(twice.errors).toMatchObject({ priceId: { message: expect.stringContaining('0 more') } });
    const renewed = await staff.act('memberships', id, 'renew', { paymentMethod: 'card' });
    const next = idOf(renewed);
    const [first, second] = [await params('memberships', id), await params('memberships', next)];
    expect(second).toMatchObject({ state: 'coming', validFrom: first['validUntil'] });
    expect((await staff.look('memberships', next, 'cancel')).view).toMatchObject({
      facts: [expect.any(String), expect.stringContaining('€20.00')],
    });
    await staff.act('memberships', next, 'cancel', { note: 'Moved away' });
    expect(await params('memberships', next)).toMatchObject({ state: 'cancelled', card: null, refundsDue: 1 });
    expect((await staff.act('memberships', next, 'refunded', { confirmed: true })).notice?.type).toBe('success');
    expect(await params('memberships', next)).toMatchObject({ 'payments.items.1.badge.text': 'Refunded' });
    expect(await actionsOf('memberships', next)).toEqual(['history', 'show']);
  });

  it('shows errors beside the field', async () => {
    expect(Object.keys((await enrol({ email: 'x@example.org' })).errors!)).toEqual(['priceId']);
    const priceId = await membershipPrice('refused', { stock: 0 });
    expect(Object.keys((await enrol({ priceId, email: 'no address' })).errors!)).toEqual(['email']);
    expect((await enrol({ priceId, email: 'x@example.org' })).errors).toMatchObject({
      priceId: { message: expect.stringContaining('Yearly: 0') },
    });
    expect(Object.keys((await enrol({ priceId: event.priceId, email: 'x@example.org' })).errors!)).toEqual(['priceId']);
    expect(Object.keys((await enrol({ priceId, email: 'x@example.org', paymentMethod: 'online' })).errors!)).toEqual(['paymentMethod']);
  });

  it('appears in the scan log with the name of its holder', async () => {
    const { authorization } = await newDevice(test, venue);
    const priceId = await membershipPrice('shown');
    const id = idOf(await enrol({ priceId, email: 'card@example.org', firstName: 'Carla', lastName: 'Card' }));
    const code = (await params('memberships', id))['card.text'];
    const at = (path: string) => test.on(venue).post(path).set('Authorization', authorization).send({ qrcode_data: code });
    const age = (days: number) =>
      test.database.query(
        `update "${venue.schemaName}".membership set valid_from = now() + make_interval(days => $2 - 1),
         valid_until = now() + make_interval(days => $2) where id = $1`,
        [id, days],
      );
    await at('/scan/ticket/').expect(200);
    await age(-3);
    await at('/scan/check_ticket/').expect(200);
    await age(9);
    await at('/scan/check_ticket/').expect(200);
    const { records } = await staff.list('scan-log', { 'filters.membershipId': id });
    expect(records!.map((record) => record.params['outcome'])).toEqual(['not_yet_valid', 'expired', 'membership']);
    expect((await staff.list('scan-log', { 'filters.outcome': 'expired' })).records).toHaveLength(1);
    const { body } = await staff.call('get', '/api/dashboard').expect(200);
    expect((body as { scans: unknown[] }).scans[0]).toMatchObject({
      outcome: 'membership',
      who: 'Carla Card',
      href: expect.stringContaining(id),
    });
  });
});

async function scan(authorization: string, ticketId: string): Promise<Record<string, unknown>> {
  const code = (await params('tickets', ticketId))['qr.text'];
  const { body } = await test.on(venue).post('/scan/ticket').set('Authorization', authorization).send({ qrcode_data: code });
  return body as Record<string, unknown>;
}
