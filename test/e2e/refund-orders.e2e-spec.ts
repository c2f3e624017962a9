import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountErasureService, AccountExportService, BuyerRetentionService } from '#holders';
import { ReservationChangesService } from '#tickets';
import { MembershipsService } from '#memberships';
import { CartCompletionService, CartsService } from '#selling';
import { ArrivedMoneyService, BankEntriesService, BankTransfersService, OrderedRefundsService } from '#transfers';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { sparkasseCamt } from '../support/bank-files.js';
import { expectNoDrift } from '../support/booking.js';
import { bankOrders, line } from '../support/bank-orders.js';
import { addToCart, cartOf, completeCart, newCart } from '../support/carts.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import { outcome } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let bank: Awaited<ReturnType<typeof bankOrders>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { ERASE_BUYERS_MONTHS: '2', RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
  bank = await bankOrders(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
});

describe('what is to be paid back', () => {
  it('is ordered once as pain.001, and settled by the debit of a statement', async () => {
    const event = await bank.paidEvent();
    const { id, transfer } = await bank.ordered(event, 'Éva Nagy');
    await bank.upload(
      sparkasseCamt(
        [line(`${transfer.reference} back`, '25.00', { name: 'Éva Nagy & Co <x>'.replaceAll('&', '&amp;').replaceAll('<', '&lt;') })],
        7,
      ),
    );
    await bank.inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    const refunds = test.app.get(OrderedRefundsService);
    const due = await bank.inside(() => refunds.due());
    expect(due.count).toBeGreaterThanOrEqual(1);
    const orders = await Promise.all([1, 2, 3].map(() => bank.inside(() => refunds.order())));
    const [made, ...more] = orders.filter((one) => one !== undefined);
    expect(more).toEqual([]);
    const xml = (await bank.inside(() => refunds.file(made!)))!.content.toString();
    expect(xml).toContain('<Nm>Eva Nagy Co x</Nm>');
    expect(xml).toContain('<InstdAmt Ccy="EUR">25.00</InstdAmt>');
    expect(xml).toContain('<IBAN>FR7630006000011234567890189</IBAN>');
    expect(await bank.inside(() => refunds.due())).toMatchObject({ count: 0 });
    const [row] = await bank.sql<{ reference: string }>(
      `select refund_reference as reference from payment where reservation_id = $1 and kind = 'refund'`,
      [id],
    );
    expect(xml).toContain(`<EndToEndId>${row!.reference}</EndToEndId>`);
    expect(await bank.upload(sparkasseCamt([line(`Refund ${row!.reference}`, '-25.00')], 8))).toMatchObject({ findings: { refund: 1 } });
    expect((await bank.ledgerOf(id)).map(({ kind, status }) => `${kind} ${status}`)).toEqual(['payment paid', 'refund refunded']);
    // What is paid back is in no file any more.
    expect((await bank.inside(() => refunds.file(made!)))?.content.toString() ?? '').not.toContain(row!.reference);
  });

  it('leaves to staff where money of several accounts goes, and what is settled by hand', async () => {
    const event = await bank.paidEvent();
    const [{ id, transfer }, hand] = [await bank.ordered(event), await bank.ordered(event)];
    await bank.upload(sparkasseCamt([line(`${transfer.reference} of one`, '10.00')], 12));
    await bank.upload(sparkasseCamt([line(`${transfer.reference} of two`, '15.00', { iban: 'NL91ABNA0417164300' })], 13));
    await bank.upload(
      sparkasseCamt([line(`${hand.transfer.reference} by hand`, '26.00'), line('without', '5.00', { iban: 'FR7612345' })], 14),
    );
    await bank.inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    const refunds = test.app.get(OrderedRefundsService);
    expect(await bank.inside(() => refunds.due())).toMatchObject({ count: 1, amount: '1.00', withoutAccount: 1 });
    const made = (await bank.inside(() => refunds.order()))!;
    expect((await bank.inside(() => refunds.file(made)))!.content.toString()).toContain('<CtrlSum>1.00</CtrlSum>');
    expect(await bank.inside(async () => test.app.get(BankEntriesService).refunded((await bank.entryOf('by hand')).id, ''))).toBe(true);
    expect(await bank.inside(() => refunds.file(made))).toBeUndefined();
    const [unknown] = await bank.sql<{ iban: string }>(`select iban from bank_entry where text like 'without%'`);
    expect(unknown!.iban).toBe('');
  });
});

describe('a cart with a membership and a donation', () => {
  const wholeOf = async (cart: string) => {
    const { parts, memberships, own } = await cartOf(test, tenant, cart);
    return [parts[0]!.status, memberships[0]!.status, own[0]?.isPaid];
  };

  it('is paid by one transfer, whose parts are told apart in the ledger, and nothing of it alone', async () => {
    const plan = await newPlan(test, tenant, '30.00');
    const event = await bank.paidEvent();
    const priceId = await newMemberPrice(test, tenant, event, plan, '5.00');
    const carts = test.app.get(CartsService);
    const filled = async () => {
      const cart = await newCart(test, tenant, []);
      await bank.inside(() => carts.addMembership(cart, plan.priceId));
      await addToCart(test, tenant, cart, { id: event.id, priceId });
      await bank.inside(() => carts.setDonation(cart, '4'));
      return cart;
    };
    const [cart, email] = [await filled(), `${randomUUID()}@example.org`];
    const contact = { email, payment: 'transfer' } as const;
    expect(await outcome(completeCart(test, tenant, cart, { ...contact, payment: 'venue' }))).toMatchObject({ reason: 'not_payable' });
    expect(await outcome(completeCart(test, tenant, cart, contact))).toMatchObject({ reason: 'sign_in_transfer' });
    const completed = await completeCart(test, tenant, cart, { ...contact, signedIn: email });
    const [made] = completed.memberships;
    // It is kept as long as the tickets.
    expect(made!.expiresAt).toEqual(completed.parts[0]!.expiresAt);
    const order = { id: completed.parts[0]!.id, cartId: cart };
    const transfer = (await bank.inside(() => test.app.get(BankTransfersService).instructionsOf(order)))!;
    expect(transfer.amount).toBe('39.00');
    // Nothing opens a checkout for a part of it.
    expect(await bank.inside(() => test.app.get(CartCompletionService).pay(cart, completed, '/'))).toBe(completed);
    await bank.upload(sparkasseCamt([line(`${transfer.reference} cart`, '30.00')], 30));
    expect(await wholeOf(cart)).toEqual(['R', 'pending', false]);
    await bank.upload(sparkasseCamt([line(`${transfer.reference} rest`, '10.00')], 31));
    expect(await wholeOf(cart)).toEqual([expect.stringMatching(/[PV]/), 'active', true]);
    expect(
      await bank.sql('select amount::text, provider, status from payment where order_id = $1 order by payment.amount', [cart]),
    ).toEqual(['4.00', '5.00', '30.00'].map((amount) => ({ amount, provider: 'transfer', status: 'paid' })));
    expect(await bank.entryOf(`${transfer.reference} rest`)).toMatchObject({ state: 'refund_due', excess: '1.00' });
    await bank.inside(() => test.app.get(MembershipsService).cancel(made!.id));
    expect(await bank.sql(`select amount::text from payment where order_id = $1 and status = 'refund_due'`, [cart])).toEqual([
      { amount: '30.00' },
    ]);
  });

  it('is paid back once its membership was cancelled', async () => {
    const plan = await newPlan(test, tenant, '30.00');
    const event = await bank.paidEvent();
    const [cart, email] = [await newCart(test, tenant, [event]), `${randomUUID()}@example.org`];
    await bank.inside(() => test.app.get(CartsService).addMembership(cart, plan.priceId));
    const { memberships, parts } = await completeCart(test, tenant, cart, { email, signedIn: email, payment: 'transfer' });
    const order = { id: parts[0]!.id, cartId: cart };
    const transfer = (await bank.inside(() => test.app.get(BankTransfersService).instructionsOf(order)))!;
    await bank.upload(sparkasseCamt([line(`${transfer.reference} part`, '7.00')], 32));
    await bank.inside(() => test.app.get(MembershipsService).cancel(memberships[0]!.id));
    expect(await bank.inside(() => test.app.get(BankTransfersService).instructionsOf(order))).toBeUndefined();
    await bank.inside(() => test.app.get(ArrivedMoneyService).settle());
    expect(await bank.entryOf(`${transfer.reference} part`)).toMatchObject({ state: 'refund_due', excess: '7.00' });
  });
});

describe('who paid by transfer', () => {
  const payerOf = async (text: string) => (await bank.sql('select name, iban, bic from bank_entry where text like $1', [`%${text}%`]))[0];
  const blank = { name: '', iban: '', bic: '', text: '' };

  it('is in the data of the buyer, and erased with the buyer once nothing is to be paid back', async () => {
    const event = await bank.paidEvent();
    const { id, transfer } = await bank.ordered(event);
    await bank.upload(sparkasseCamt([line(`${transfer.reference} payer`, '26.10')], 20));
    const [person] = await bank.sql<{ email: string; emailKey: string }>(
      'select email, email_key as "emailKey" from reservation where id = $1',
      [id],
    );
    const data = async () =>
      JSON.parse(await bank.inside(() => test.app.get(AccountExportService).json(person!))) as { bankTransfers: object[] };
    expect((await data()).bankTransfers).toEqual([
      expect.objectContaining({ name: 'Somebody Else', iban: 'FR7630006000011234567890189', amount: '26.10' }),
    ]);
    const erasure = test.app.get(AccountErasureService);
    const stored = () => bank.sql('select name, iban, bic, text from bank_entry where amount = 26.1');
    await bank.sql(`update event set starts_at = now() - interval '3 days', ends_at = now() - interval '70 hours' where id = $1`, [
      event.id,
    ]);
    // A euro and ten cents are to be paid back to the account.
    expect(await bank.inside(() => erasure.obstacle(person!))).toBe('payment');
    await bank.inside(() => erasure.erase(person!));
    expect(await payerOf(`${transfer.reference} payer`)).toMatchObject({ name: 'Somebody Else' });
    await bank.sql(`update bank_entry set state = 'refunded' where amount = 26.1`);
    expect(await bank.inside(() => erasure.obstacle(person!))).toBeUndefined();
    await bank.inside(() => erasure.erase(person!));
    expect(await stored()).toEqual([blank]);
    expect((await bank.ledgerOf(id)).map(({ amount }) => amount)).toEqual(['25.00']);
    // The same file adds nothing.
    expect(await bank.upload(sparkasseCamt([line(`${transfer.reference} payer`, '26.10')], 20))).toMatchObject({ added: 0 });
  });

  it('is erased after the time for buyers, too, where the entry is of no order and settled', async () => {
    await bank.upload(sparkasseCamt([line('old and open', '3.10'), line('old and ignored', '3.20'), line('spent', '-3.30')], 21));
    const { id } = await bank.entryOf('old and ignored');
    await bank.inside(() => test.app.get(BankEntriesService).ignore(id, 'not ours'));
    await bank.sql(`update bank_entry set booked_on = current_date - 80 where amount in (3.10, 3.20, -3.30)`);
    await bank.inside(() => test.app.get(BuyerRetentionService).run());
    expect(await bank.sql(`select text, name from bank_entry where amount in (3.10, 3.20, -3.30) order by text desc`)).toEqual([
      { text: expect.stringContaining('old and open'), name: 'Somebody Else' },
      { text: '', name: '' },
      { text: '', name: '' },
    ]);
  });
});
