import { ReceiptsService } from '#notices';
import { PaymentAccountsService } from '#payments';
import { PlaceProfileService } from '#places';
import { DonationsService } from '#selling';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { cartOf } from '../support/carts.js';
import { OnlinePayments } from '../support/online-payments.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let deliver: OnlinePayments['deliver'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, deliver } = payments);
  await inside(() => test.app.get(PlaceProfileService).change({ donations: '2 5.50 10' }));
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));

/** The ledger's lines of donations of an order. */
const donated = async (orderId: string): Promise<string[]> => {
  const rows = await sql<{ line: string }>(
    `select kind || ' ' || status || ' ' || amount as line from payment
     where order_id = $1 and reservation_id is null and membership_id is null order by created_at`,
    [orderId],
  );
  return rows.map(({ line }) => line);
};

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
    const { parts, own } = await cartOf(test, tenant, id);
    expect([parts.map(({ status }) => status), own]).toEqual([
      [expect.stringMatching(/^[PV]$/)],
      [expect.objectContaining({ amount: '7.25', isPaid: true })],
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
        `select cart_id as cart, is_draft as draft, orders.state,
           (select count(*)::int from order_line where order_id = $1 and kind = 'donation') as lines
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

  it('leaves no order behind when the provider opens no page', async () => {
    stripe.fault = 'error';
    const refused = await give('4.37');
    stripe.fault = undefined;
    expect(refused.status).toBe(503);
    const orders = `select distinct state from orders join payment on payment.order_id = orders.id where payment.amount = 4.37`;
    expect(await sql(orders)).toEqual([{ state: 'void' }]);
  });

  it('is in the menu, like gift cards, only while an account takes online payments', async () => {
    const accounts = test.app.get(PaymentAccountsService);
    const { slug } = await newEvent(test, tenant);
    const isOffered = async (path: string): Promise<boolean[]> => {
      const { text } = await forms().get(path);
      return ['/donate', '/gift-card'].map((to) => text.includes(`<a href="${to}">`));
    };
    const pages = ['/', `/event/${slug}`, '/donate', '/memberships'];
    await inside(() => test.app.get(PlaceProfileService).change({ giftCards: '20' }));
    const [account] = await inside(() => accounts.all());
    for (const path of pages) expect([path, ...(await isOffered(path))]).toEqual([path, true, true]);
    await inside(() => accounts.setEnabled(account!.id, false));
    for (const path of pages) expect([path, ...(await isOffered(path))]).toEqual([path, false, false]);
    expect((await forms().get('/donate')).status).toBe(200);
    await inside(() => accounts.setEnabled(account!.id, true));
  });

  it('is begun twenty times an hour by one network', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => give('3')));
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused[0]?.text).toContain('Try again in an hour');
  });
});
