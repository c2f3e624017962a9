import { AccountErasureService } from '#holders';
import { PlaceProfileService } from '#places';
import { CartsService, DonationsService, TaxReceiptsService, type Donor } from '#selling';
import { RetentionService } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { cartOf, newCart, payCart, sessionOfCart } from '../support/carts.js';
import { OnlinePayments } from '../support/online-payments.js';
import { staffOf } from '../support/panel-staff.js';
import { readPdf, type ReadPdf } from '../support/read-pdf.js';
import { outcome, tenantWork } from '../support/tenant-work.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let deliver: OnlinePayments['deliver'];

const declared = {
  taxReceiptArticles: '978; 200',
  taxReceiptName: 'Association Les Amis',
  taxReceiptObject: 'Faire vivre le spectacle',
  taxReceiptSigner: 'Ada Martin, trésorière',
};
const donor: Donor = { name: 'Zoé Étienne', street: '3 rue des Lilas', postalCode: '44000', city: 'Nantes', country: '' };

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, stripe, tenant, deliver } = payments);
  await profile({ donations: '10 20', streetAddress: '1 place du Port', postalCode: '44100', city: 'Nantes', ...declared });
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const forms = (): CartForms => new CartForms(test, tenant);
const profile = (change: Parameters<PlaceProfileService['change']>[0]) => inside(() => test.app.get(PlaceProfileService).change(change));
const issue = (order: string, who: Donor = donor) => inside(() => test.app.get(TaxReceiptsService).issue(order, who));
const orderOf = (path: string): string => path.split('/')[2] as string;
const numbers = async (): Promise<number[]> =>
  (await sql<{ number: number }>('select number from tax_receipt order by number')).map(({ number }) => number);

/** Gives alone and pays. @returns the path of the page about the donation */
async function give(): Promise<string> {
  // One network begins at most 20 in an hour.
  const address = await inside(() => test.app.get(DonationsService).give('12.50', randomUUID(), (id) => `/made-up/${id}`));
  expect(address).toContain('http');
  await deliver(stripe.pay([...stripe.sessions.values()].at(-1)!.id));
  const { parameters } = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!;
  return new URL(parameters['cancel_url']!).pathname;
}

/** Gives on the page and pays. @returns the path of the page about the donation */
async function giveOnPage(): Promise<string> {
  await forms().post('/donate', [['donation', '42']]);
  await deliver(stripe.pay([...stripe.sessions.values()].at(-1)!.id));
  return new URL(stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!.parameters['cancel_url']!).pathname;
}

/** The text of a document on one line. */
const plain = ({ pages }: ReadPdf): string =>
  pages
    .flat()
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ');

describe('a tax receipt', () => {
  it('is asked for on the page of the donation, and is the same document from then on', async () => {
    const path = await giveOnPage();
    expect((await forms().get(path)).text).toContain(`href="${path}/receipt"`);
    expect((await forms().get(`${path}/receipt.pdf`)).status).toBe(404);
    const page = (await forms().get(`${path}/receipt`)).text;
    for (const text of ['autocomplete="street-address"', 'Issue the receipt']) expect(page).toContain(text);
    const typed = Object.entries(donor) as [string, string][];
    const refused = await forms().post(`${path}/receipt`, [...typed.filter(([name]) => name !== 'city'), ['city', '']]);
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/id="city-fault"[^]*/)]);
    expect(refused.text).toContain('value="Zoé Étienne"');
    expect(await numbers()).toEqual([]);
    expect((await forms().post(`${path}/receipt`, typed)).headers['location']).toBe(`${path}/receipt`);
    expect((await forms().get(`${path}/receipt`)).text).toContain('Tax receipt no. 1');
    const first = await test.on(tenant).get(`${path}/receipt.pdf`).expect(200);
    const pdf = await readPdf(first.body as Buffer);
    for (const text of [
      'Reçu au titre des dons n° 1',
      'quarante-deux euros',
      'Zoé Étienne',
      '3 rue des Lilas, 44000 Nantes',
      'articles 200 et 978',
    ])
      expect(plain(pdf)).toContain(text);
    // What is said later changes nothing.
    await profile({ taxReceiptObject: 'Something else' });
    await forms().post(`${path}/receipt`, [...typed.slice(1), ['name', 'Somebody Else']]);
    const staff = await staffOf(test, tenant);
    const [row] = await sql<{ id: string; issuer: object; donor_name: string; donor_address: string; method: string; amount: string }>(
      'select id, issuer, donor_name, donor_address, method, amount from tax_receipt',
    );
    expect(row).toMatchObject({
      issuer: {
        name: 'Association Les Amis',
        address: '1 place du Port\n44100 Nantes',
        object: 'Faire vivre le spectacle',
        articles: ['200', '978'],
        signer: 'Ada Martin, trésorière',
      },
      donor_name: 'Zoé Étienne',
      donor_address: '3 rue des Lilas\n44000 Nantes',
      method: 'online',
      amount: '42.00',
    });
    const again = await staff.file(`/files/tax-receipts/${row!.id}/pdf.pdf`).expect(200);
    expect(Buffer.compare(again.body as Buffer, first.body as Buffer)).toBe(0);
    expect((await staff.list('tax-receipts')).records?.map(({ params }) => params['number'])).toEqual([1]);
    await profile(declared);
  });

  it('is asked for on the page of an order, too, and once paid only', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await inside(() => test.app.get(CartsService).setDonation(cart, '5'));
    expect(await issue(cart)).toBeUndefined();
    const opened = await payCart(test, tenant, cart);
    expect(await issue(cart)).toBeUndefined();
    await deliver(stripe.pay(sessionOfCart(opened)));
    const { number, amount } = (await issue(cart))!;
    expect([number, amount]).toEqual([2, '5.00']);
    expect((await issue(cart, { ...donor, name: 'Other' }))?.donorName).toBe(donor.name);
    const [part] = (await cartOf(test, tenant, cart)).parts;
    expect(await inside(() => test.app.get(TaxReceiptsService).isFor(part!.cartId!))).toBe(true);
  });

  it('has the next number, without gaps and doubles, however many are issued at once and fail', async () => {
    const orders: string[] = [];
    for (let index = 0; index < 20; index += 1) orders.push(orderOf(await give()));
    const before = (await numbers()).length;
    const wrong = Array.from({ length: 10 }, (_, index) => outcome(issue(orders[index]!, { ...donor, name: '' })));
    // Each order twice at once.
    const results = await Promise.all([...orders.map((order) => issue(order)), ...orders.map((order) => issue(order)), ...wrong]);
    expect(results.slice(40).every((one) => one instanceof Error)).toBe(true);
    expect(await numbers()).toEqual(Array.from({ length: before + 20 }, (_, index) => index + 1));
  });

  it('is never deleted or rewritten', async () => {
    for (const statement of [
      'delete from tax_receipt where number = 1',
      'update tax_receipt set number = 1000 where number = 1',
      `update tax_receipt set amount = 9000 where number = 1`,
      `update tax_receipt set donor_name = 'Somebody' where number = 1`,
    ])
      await expect(sql(statement)).rejects.toThrow(/never (deleted|rewritten)/);
    const gap = sql(
      `insert into tax_receipt (number, line_id, donor_name, donor_address, amount, paid_at, method, issuer)
       select 999, id, 'Ada', 'Nantes', amount, now(), 'online', '{}' from order_line where order_id = $1`,
      [orderOf(await give())],
    );
    await expect(gap).rejects.toThrow(/follows the one before/);
  });

  it('ends when the donation is given back, which may happen at the same moment', async () => {
    const path = await giveOnPage();
    const order = orderOf(path);
    await issue(order);
    const [row] = await sql<{ id: string }>(`select id from payment where order_id = $1`, [order]);
    const staff = await staffOf(test, tenant);
    await staff.act('payments', row!.id, 'refundDonation', { note: '' });
    const ended = await inside(() => test.app.get(TaxReceiptsService).of(order));
    expect([ended.canAsk, ended.receipt?.endedAt]).toEqual([false, expect.any(Date)]);
    expect((await forms().get(`${path}/receipt`)).text).toContain('has ended');
    expect((await forms().get(`${path}/receipt.pdf`)).status).toBe(404);
    for (let round = 0; round < 5; round += 1) {
      const other = orderOf(await give());
      await Promise.all([issue(other), inside(() => test.app.get(DonationsService).giveBack(other))]);
      expect(
        await sql('select 1 from tax_receipt r join order_line l on l.id = line_id where l.order_id = $1 and ended_at is null', [other]),
      ).toEqual([]);
    }
    expect(await numbers()).toEqual(Array.from({ length: (await numbers()).length }, (_, index) => index + 1));
  });

  it('is kept for six years, also for people who are erased, and then loses name and address', async () => {
    const cart = await newCart(test, tenant, [await newEvent(test, tenant)]);
    await inside(() => test.app.get(CartsService).setDonation(cart, '5'));
    const opened = await payCart(test, tenant, cart);
    await deliver(stripe.pay(sessionOfCart(opened)));
    const { id, number } = (await issue(cart))!;
    const { email, emailKey } = opened.parts[0]!;
    await inside(() => test.app.get(AccountErasureService).erase({ email, emailKey }, { following: true }));
    const prune = () => inside(() => test.app.get(RetentionService).prune());
    await prune();
    const named = () => sql(`select number, donor_name as name, donor_address as address from tax_receipt where id = $1`, [id]);
    expect(await named()).toEqual([{ number, name: donor.name, address: '3 rue des Lilas\n44000 Nantes' }]);
    await sql('alter table tax_receipt disable trigger tax_receipt_kept');
    await sql(`update tax_receipt set issued_at = now() - interval '2193 days' where id = $1`, [id]);
    await sql('alter table tax_receipt enable trigger tax_receipt_kept');
    await prune();
    expect(await named()).toEqual([{ number, name: null, address: null }]);
    expect((await inside(() => test.app.get(TaxReceiptsService).of(cart))).receipt?.number).toBe(number);
  });

  it('is issued by venues that declare it, have an address and an object', async () => {
    const path = await giveOnPage();
    const order = orderOf(path);
    for (const missing of [{ taxReceiptArticles: '' }, { taxReceiptObject: '' }, { city: '' }]) {
      await profile(missing);
      expect(await issue(order)).toBeUndefined();
      expect((await forms().get(path)).text).not.toContain(`${path}/receipt`);
      expect((await forms().get(`${path}/receipt`)).text).toContain('There is no tax receipt');
      await profile({ ...declared, city: 'Nantes' });
    }
    await expect(profile({ taxReceiptArticles: '200, 199' })).rejects.toThrow(/200, 238 bis, 978/);
    const staff = await staffOf(test, tenant);
    await profile({ taxReceiptObject: '', taxReceiptArticles: '' });
    const act = (values: object) => staff.act('profile', 'profile', 'taxReceipts', values);
    expect(JSON.stringify(await act({ taxReceiptArticles: '200' }))).toContain('noObject');
    expect(JSON.stringify(await act({ taxReceiptArticles: '238bis,200', taxReceiptObject: 'Concerts' }))).toContain('taxReceiptsDone');
    expect((await inside(() => test.app.get(PlaceProfileService).read())).taxReceiptArticles).toBe('200, 238 bis');
  });
});
