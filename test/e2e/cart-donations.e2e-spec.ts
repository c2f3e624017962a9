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
import { letHoldsLapse, newPrice } from '../support/booking.js';
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
    const { donation, isOpen } = await cartOf(test, tenant, cart);
    expect(await sql(`select 1 from order_line where order_id = '${cart}' and kind = 'donation'`)).toHaveLength(1);
    expect(donation).toMatchObject({ isPaid: false });
    if (isOpen) await completeCart(test, tenant, cart);
    expect(await give(cart, '99')).toBe(false);
    expect((await cartOf(test, tenant, cart)).donation?.amount).toBe(donation?.amount);
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
    const { parts, donation } = await cartOf(test, tenant, cart);
    expect([parts.map(({ status }) => status), donation]).toEqual([['P'], expect.objectContaining({ amount: '5.00', isPaid: true })]);
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
    const { parts, donation } = await cartOf(test, tenant, cart);
    expect([parts.map(({ status }) => status), donation]).toEqual([['C'], undefined]);
    expect((await cartOf(test, tenant, other)).parts).toHaveLength(1);
  });

  it('ends with a checkout that nobody paid', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await give(cart, '5');
    const session = sessionOfCart(await payCart(test, tenant, cart));
    await deliver(stripe.runOut(session));
    expect(await donated(cart)).toEqual(['payment failed 5.00']);
    expect((await cartOf(test, tenant, cart)).donation).toBeUndefined();
    expect(await sql(`select state from orders where id = '${cart}'`)).toEqual([{ state: 'void' }]);
  });

  it('ends with tickets whose time is over before the payment is begun', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await give(cart, '5');
    const { parts } = await completeCart(test, tenant, cart);
    await letHoldsLapse(test, tenant);
    for (const { id } of parts) await inside(() => test.app.get(ReservationChangesService).tidy(id));
    const now = await cartOf(test, tenant, cart);
    expect([now.parts.map(({ status }) => status), now.donation]).toEqual([['C'], undefined]);
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

describe('a donation with a single order', () => {
  const begin = async (amount = '12.50'): Promise<{ path: string; id: string; forms: CartForms }> => {
    const forms = new CartForms(test, tenant);
    const { slug, id } = await newEvent(test, tenant);
    const path = await forms.begin(slug, await newPrice(test, tenant, id, { name: 'Entry', amount }), '2');
    return { path, id: path.split('/')[2] as string, forms };
  };
  const donate = (forms: CartForms, path: string, typed: string, suggested = '') =>
    forms.post(`${path}/donation`, [['donation', typed] as const, ...(suggested === '' ? [] : [['suggested', suggested] as const])]);

  it('is asked for on its page, and paid, mailed and shown as in a cart', async () => {
    const { path, id, forms } = await begin();
    const page = (await forms.get(path)).text;
    expect([page.includes(`action="${path}/donation"`), page.includes('Pay €25')]).toEqual([true, true]);
    const refused = await donate(forms, path, 'a lot');
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/id="donation-fault"[^]*value="a lot"/)]);
    expect((await donate(forms, path, '')).status).toBe(422);
    expect((await donate(forms, path, '0')).headers['location']).toBe(path);
    expect((await forms.get(path)).text).toContain('Pay €25');
    const { headers } = await donate(forms, path, '', '5.50');
    const contact = String(headers['location']);
    const cart = contact.replace(/\/contact$/, '');
    expect((await forms.get(contact)).text).toContain('Pay €30.50');
    // Earlier pages, and the browser's Back button, lead to the same order.
    expect((await forms.get(path)).headers['location']).toBe(cart);
    expect((await donate(forms, path, '7,25')).headers['location']).toBe(contact);
    expect((await forms.complete(path, { email: 'ada@example.org' })).headers['location']).toBe(cart);
    const sent = await forms.post(contact, await forms.contact(cart));
    expect(sent.headers['location']).toContain('http');
    const session = [...stripe.sessions.values()].at(-1)!;
    expect(session.amount_total).toBe(3225);
    await deliver(stripe.pay(session.id));
    const { parts, donation } = await cartOf(test, tenant, id);
    expect([parts.map(({ status }) => status), donation]).toEqual([
      [expect.stringMatching(/^[PV]$/)],
      expect.objectContaining({ amount: '7.25', isPaid: true }),
    ]);
    const receipt = await inside(() => test.app.get(ReceiptsService).of(parts[0]!));
    expect(receipt?.items.at(-1)).toMatchObject({ what: 'Donation', amount: '7.25' });
    expect(await donated(id)).toEqual(['payment paid 7.25']);
    // Too late for another one.
    expect((await donate(forms, path, '3')).headers['location']).toBe(path);
    expect(await donated(id)).toEqual(['payment paid 7.25']);
  });

  it('is paid with free tickets, and is not added twice by two forms at once, nor to what is completed meanwhile', async () => {
    const { path, id, forms } = await begin('0.00');
    const given = await Promise.all([donate(forms, path, '5'), donate(forms, path, '6'), donate(forms, path, '7')]);
    expect(given.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await sql('select 1 from order_line where order_id = $1 and kind = $2', [id, 'donation'])).toHaveLength(1);
    for (let round = 0; round < 4; round += 1) {
      const other = await begin('0.00');
      const both = [
        () => donate(other.forms, other.path, '5'),
        () => other.forms.complete(other.path, { email: `free${round}@example.org` }),
      ];
      await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((one) => one()));
      const [row] = await sql<{ cart: string | null; draft: boolean; lines: number; state: string }>(
        `select cart_id as cart, is_draft as draft, orders.state, (select count(*)::int from order_line where order_id = $1 and kind = 'donation') as lines
         from reservation join orders on orders.id = reservation.id where reservation.id = $1`,
        [other.id],
      );
      // Either the donation came first, and the form leads to the cart; or the order was completed without it.
      expect([
        { cart: other.id, draft: true, lines: 1, state: 'open' },
        { cart: null, draft: false, lines: 0, state: 'placed' },
      ]).toContainEqual(row);
    }
  });

  it('is asked for by nobody where the venue suggests none, and a forged form adds none', async () => {
    await inside(() => test.app.get(PlaceProfileService).change({ donations: '' }));
    const { path, id, forms } = await begin();
    await until(
      async () => (await forms.get(path)).text,
      (text) => !text.includes('name="suggested"'),
    );
    expect((await donate(forms, path, '5')).headers['location']).toBe(path);
    expect((await cartOf(test, tenant, id)).parts).toEqual([]);
    await inside(() => test.app.get(PlaceProfileService).change({ donations: '2 5.50 10' }));
  });
});

describe('a donation without tickets', () => {
  const forms = (): CartForms => new CartForms(test, tenant);
  const give = (typed: string, suggested = '') =>
    forms().post('/donate', [['donation', typed] as const, ...(suggested === '' ? [] : [['suggested', suggested] as const])]);
  const last = () => [...stripe.sessions.values()].at(-1)!;
  /** The path of the page about the last donation. */
  const lastPath = (): string => {
    const { parameters } = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!;
    expect(parameters['customer_email']).toBeUndefined();
    return new URL(parameters['cancel_url']!).pathname;
  };

  it('is paid online, said to be received, in the ledger, and refunded once by staff', async () => {
    expect((await forms().get('/')).text).toContain('href="/donate"');
    expect((await forms().get('/donate')).text).toMatch(/name="suggested" value="5.50"/);
    for (const typed of ['', '0', 'a lot', '-1', '9999999999']) expect((await give(typed)).status).toBe(422);
    const { status, headers } = await give('', '5.50');
    expect([status, headers['location']]).toEqual([303, last()['url']]);
    expect(last().amount_total).toBe(550);
    const path = lastPath();
    expect((await forms().get(path)).text).toContain('Pay €5.50');
    expect((await forms().get(`${path}?paid=1`)).text).toContain(`url=${path}?paid=2`);
    const paid = stripe.pay(last().id);
    await Promise.all([deliver(paid), deliver(paid), deliver(stripe.event('checkout.session.completed', last()))]);
    const page = (await forms().get(`${path}?paid=1`)).text;
    for (const text of ['Thank you!', '€5.50']) expect(page).toContain(text);
    const id = path.split('/')[2] as string;
    expect(await donated(id)).toEqual(['payment paid 5.50']);
    const given = await Promise.all([1, 2, 3].map(() => inside(() => test.app.get(DonationsService).giveBack(id))));
    expect(given.filter(Boolean)).toHaveLength(1);
    await until(
      () => donated(id),
      (rows) => rows.includes('refund refunded 5.50'),
    );
    expect((await forms().get(path)).text).not.toContain('Thank you!');
    expect((await forms().get(path.replace(/.$/, '!'))).status).toBe(404);
  });

  it('ends with a checkout that nobody paid, and a payment that arrives later is refunded', async () => {
    await give('8');
    const [path, session] = [lastPath(), last()];
    const id = path.split('/')[2] as string;
    const paid = stripe.pay(session.id);
    await deliver(stripe.event('checkout.session.expired', { ...session, payment_status: 'unpaid', status: 'expired' }));
    expect(await sql('select state from orders where id = $1', [id])).toEqual([{ state: 'void' }]);
    expect((await forms().get(path)).text).toContain('Nothing was charged.');
    await deliver(paid);
    await until(
      () => donated(id),
      (rows) => rows.includes('refund refunded 8.00'),
    );
  });

  it('is begun twenty times an hour by one network', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => give('3')));
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused[0]?.text).toContain('Try again in an hour');
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
