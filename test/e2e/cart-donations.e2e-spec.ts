import { AccountExportService } from '#holders';
import { ReceiptsService } from '#notices';
import { Payment } from '#payments';
import { PlaceProfileService } from '#places';
import { CartCompletionService, CartsService, DonationsService } from '#selling';
import { ReservationChangesService } from '#tickets';
import { RetentionService, TenantDb } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { IsNull } from 'typeorm';
import { letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, freeEvent } from '../support/cart-forms.js';
import { cartOf, completeCart, contactOf, newCart, payCart, sessionOfCart } from '../support/carts.js';
import { OnlinePayments } from '../support/online-payments.js';
import { staffOf } from '../support/panel-staff.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let deliver: OnlinePayments['deliver'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, deliver } = payments);
  await inside(() => test.app.get(PlaceProfileService).change({ donations: '2 5,50; 10' }));
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));

const give = (cart: string, amount: string): Promise<boolean> => inside(() => test.app.get(CartsService).setDonation(cart, amount));
const cancel = (id: string): Promise<unknown> =>
  inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff', notify: false }));

/** The ledger's lines of donations of an order. */
const donated = async (orderId: string): Promise<string[]> => {
  const rows = await inside(() =>
    test.app
      .get(TenantDb)
      .transaction((tx) =>
        tx.find(Payment, { where: { orderId, reservationId: IsNull(), membershipId: IsNull() }, order: { createdAt: 'ASC' } }),
      ),
  );
  return rows.map(({ kind, status, amount }) => `${kind} ${status} ${amount}`);
};

/** A paid cart with tickets for two events and a donation of 5 euros. */
async function paidCart(): Promise<{ cart: string; intent: string; ids: readonly string[] }> {
  const cart = await newCart(test, tenant, [await newEvent(test, tenant), await newEvent(test, tenant)]);
  await give(cart, '5');
  const opened = await payCart(test, tenant, cart);
  const session = sessionOfCart(opened);
  await deliver(stripe.pay(session));
  return { cart, intent: stripe.sessions.get(session)!.payment_intent!, ids: opened.parts.map(({ id }) => id) };
}

describe('the page of a cart', () => {
  it('asks for a donation, shows it in the sum, and removes it; it asks nobody when the venue suggests none', async () => {
    const forms = new CartForms(test, tenant);
    const { path, cookie } = await forms.collect([await freeEvent(test, tenant)]);
    const page = async (): Promise<string> => (await forms.get(path)).text;
    expect([...(await page()).matchAll(/name="suggested" value="([^"]*)"/g)].map(([, amount]) => amount)).toEqual([
      '2.00',
      '5.50',
      '10.00',
    ]);

    const refused = await forms.post(`${path}/donation`, [['donation', 'a lot']], cookie);
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/id="donation-fault"[^]*value="a lot"/)]);
    for (const typed of ['-1', '1e9', '9999999999', '0,001'])
      expect((await forms.post(`${path}/donation`, [['donation', typed]], cookie)).status).toBe(422);

    expect((await forms.post(`${path}/donation`, [['donation', '7,25']], cookie)).status).toBe(303);
    expect(await page()).toMatch(/id="part-donation"[^]*€7\.25[^]*class="sum whole"[^]*€7\.25/);
    expect(await page()).not.toContain('name="suggested"');
    const again = [['donation', '' as string] as const, ['suggested', '5.50'] as const];
    expect((await forms.post(`${path}/donation`, again, cookie)).status).toBe(303);
    expect(await page()).toMatch(/class="sum whole"[^]*€5\.50/);

    const [, part] = /name="part" value="([^"]*)"\/>\s*<button[^>]*Donation/.exec(await page()) as unknown as [string, string];
    expect((await forms.post(`${path}/remove`, [['part', part]], cookie)).status).toBe(303);
    expect(await page()).toContain('name="suggested"');
    await inside(() => test.app.get(PlaceProfileService).change({ donations: '' }));
    await until(page, (text) => !text.includes('name="suggested"'));
    await inside(() => test.app.get(PlaceProfileService).change({ donations: '2 5.50 10' }));
  });

  it('refuses more than five suggestions, and what is no amount', async () => {
    for (const donations of ['1 2 3 4 5 6', '0', 'ten', '-2'])
      await expect(inside(() => test.app.get(PlaceProfileService).change({ donations }))).rejects.toThrow(/up to 5 amounts/);
  });
});

describe('a donation', () => {
  it('is one, however many requests add it while the cart is completed', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await give(cart, '3');
    const contact = await contactOf(test, tenant, cart);
    const complete = outcome(inside(() => test.app.get(CartCompletionService).complete(cart, contact, randomUUID())));
    const given = await Promise.all([...Array(12).keys()].map((index) => outcome(give(cart, String(index + 1)))));
    expect(given.filter((one) => one instanceof Error)).toEqual([]);
    await complete;
    const { own, isOpen } = await cartOf(test, tenant, cart);
    const [donation] = own;
    expect(await sql(`select 1 from order_line where order_id = '${cart}' and kind = 'donation'`)).toHaveLength(1);
    expect(donation).toMatchObject({ isPaid: false });
    if (isOpen) await completeCart(test, tenant, cart);
    expect(await give(cart, '99')).toBe(false);
    expect((await cartOf(test, tenant, cart)).own[0]?.amount).toBe(donation?.amount);
  });

  it('is paid online with free tickets, which are valid then', async () => {
    const cart = await newCart(test, tenant, [await freeEvent(test, tenant)]);
    await give(cart, '5');
    await expect(completeCart(test, tenant, cart, { payment: 'venue' })).rejects.toMatchObject({ reason: 'not_payable' });
    const opened = await payCart(test, tenant, cart);
    const session = stripe.sessions.get(sessionOfCart(opened))!;
    expect(session.amount_total).toBe(500);
    expect(await donated(cart)).toEqual(['payment pending 5.00']);
    await Promise.all([stripe.pay(session.id), stripe.event('checkout.session.completed', session)].map((event) => deliver(event)));
    const { parts, own } = await cartOf(test, tenant, cart);
    expect([parts.map(({ status }) => status), own]).toEqual([['P'], [expect.objectContaining({ amount: '5.00', isPaid: true })]]);
    expect(await donated(cart)).toEqual(['payment paid 5.00']);
    expect(await sql(`select kind, amount, vat_amount from order_line where order_id = '${cart}' and kind = 'donation'`)).toEqual([
      { kind: 'donation', amount: '5.00', vat_amount: '0.00' },
    ]);
  });

  it('is on one receipt of its order, and in the data of the person', async () => {
    const { cart } = await paidCart();
    const { parts } = await cartOf(test, tenant, cart);
    const receipts = await Promise.all(parts.map((part) => inside(() => test.app.get(ReceiptsService).of(part))));
    expect(receipts.map((one) => one?.items.map(({ what, amount }) => `${what} ${amount}`))).toEqual([
      [expect.stringContaining('12.50'), 'Donation 5.00'],
      [expect.stringContaining('12.50')],
    ]);
    expect(receipts.map((one) => one?.payments.map(({ amount }) => amount))).toEqual([['12.50', '5.00'], ['12.50']]);
    const { email, emailKey } = parts[0]!;
    const data = await inside(() => test.app.get(AccountExportService).json({ email, emailKey }));
    expect((JSON.parse(data) as { donations: unknown[] }).donations).toEqual([
      expect.objectContaining({ name: 'Donation', amount: '5.00' }),
    ]);
  });

  it('stays when tickets are cancelled, and is refunded once when the venue gives it back', async () => {
    const { cart, intent, ids } = await paidCart();
    for (const id of ids) await cancel(id);
    await until(
      () => stripe.charges.get(intent)!.amount_refunded,
      (refunded) => refunded === 2500,
    );
    expect(await donated(cart)).toEqual(['payment paid 5.00']);
    const back = () => inside(() => test.app.get(DonationsService).giveBack(cart));
    const given = await Promise.all([back(), back(), back(), back()]);
    expect(given.filter(Boolean)).toHaveLength(1);
    await until(
      () => donated(cart),
      (rows) => rows.includes('refund refunded 5.00'),
    );
    expect(stripe.charges.get(intent)).toMatchObject({ amount_refunded: 3000, refunded: true });
  });

  it('is given back with tickets that are sold out when the payment arrives', async () => {
    const event = await newEvent(test, tenant, { capacity: 1 });
    const cart = await newCart(test, tenant, [event]);
    await give(cart, '5');
    const session = sessionOfCart(await payCart(test, tenant, cart));
    await letHoldsLapse(test, tenant);
    const other = await newCart(test, tenant, [event]);
    await deliver(stripe.pay(session));
    await until(
      () => donated(cart),
      (rows) => rows.includes('refund refunded 5.00'),
    );
    const { parts, own } = await cartOf(test, tenant, cart);
    expect([parts.map(({ status }) => status), own]).toEqual([['C'], []]);
    expect((await cartOf(test, tenant, other)).parts).toHaveLength(1);
  });

  it('ends with a checkout that nobody paid', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await give(cart, '5');
    const session = sessionOfCart(await payCart(test, tenant, cart));
    await deliver(stripe.runOut(session));
    expect(await donated(cart)).toEqual(['payment failed 5.00']);
    expect((await cartOf(test, tenant, cart)).own).toEqual([]);
    expect(await sql(`select state from orders where id = '${cart}'`)).toEqual([{ state: 'void' }]);
  });

  it('ends with tickets whose time is over before the payment is begun', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await give(cart, '5');
    const { parts } = await completeCart(test, tenant, cart);
    await letHoldsLapse(test, tenant);
    for (const { id } of parts) await inside(() => test.app.get(ReservationChangesService).tidy(id));
    const now = await cartOf(test, tenant, cart);
    expect([now.parts.map(({ status }) => status), now.own]).toEqual([['C'], []]);
    expect(await sql(`select state from orders where id = '${cart}'`)).toEqual([{ state: 'void' }]);
  });

  it('alone in a cart is forgotten after a day', async () => {
    const cart = randomUUID();
    await give(cart, '5');
    const rows = () => sql(`select 1 from order_line where order_id = '${cart}'`);
    const prune = () => inside(() => test.app.get(RetentionService).prune());
    await prune();
    expect(await rows()).toHaveLength(1);
    await test.database.query(`update "${tenant.schemaName}".order_line set created_at = now() - interval '25 hours' where order_id = $1`, [
      cart,
    ]);
    await prune();
    expect(await rows()).toEqual([]);
  });
});

describe('the panel', () => {
  it('names who gave, and refunds the donation', async () => {
    const { cart } = await paidCart();
    const staff = await staffOf(test, tenant);
    const [row] = (await sql(`select id from payment where order_id = '${cart}' and reservation_id is null and membership_id is null`)) as {
      id: string;
    }[];
    const shown = (await staff.look('payments', row!.id)).record?.params;
    expect(shown).toMatchObject({ holder: 'Ada Martin', event: 'Donation', amount: '5.00' });
    const refund = () => staff.act('payments', row!.id, 'refundDonation', { note: 'Asked by mail' });
    expect(JSON.stringify(await refund())).toContain('donationRefunded');
    expect(JSON.stringify(await refund())).toContain('forbiddenError');
    await until(
      () => donated(cart),
      (rows) => rows.includes('refund refunded 5.00'),
    );
  });
});
