import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutOutcomesService, PaymentAccountsService } from '#payments';
import type { WholeReservation } from '#tickets';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { OnlinePayments } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { pageFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { PaperPayProvider } from '../support/paper-pay/paper-pay.provider.js';
import { PaperPayServer } from '../support/paper-pay/paper-pay-server.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

/** In the program, the provider is one more entry in the list of `payments.module.ts`. */
@Module({ providers: [PaperPayProvider] })
class PaperPayModule {}

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let venue: OnlinePayments['tenant'];
let again: OnlinePayments['again'];
let cancel: OnlinePayments['cancel'];
let paper: PaperPayServer;
let staff: PanelClient;
let forms: OrderForms;
let logged = '';

beforeAll(async () => {
  paper = await PaperPayServer.start();
  payments = await OnlinePayments.start({}, { modules: [PaperPayModule], log: (line) => (logged += line) });
  ({ test, tenant: venue, again, cancel } = payments);
  staff = await staffOf(test, venue);
  forms = new OrderForms(test, venue);
});
afterEach(async () => {
  paper.isDown = false;
  await payments.settle();
});
afterAll(async () => {
  await payments.stop();
  await paper.stop();
});

const resource = 'payment-account';
const { inside, sql } = tenantWork(() => ({ test, tenant: venue }));
const accountId = async (provider: string): Promise<string> =>
  (await inside(() => test.app.get(PaymentAccountsService).all())).find((one) => one.provider.name === provider)!.id;
const when = (id: string, reached: (now: WholeReservation) => boolean): Promise<WholeReservation> => until(() => again(id), reached);
const sold = (id: string): Promise<WholeReservation> => when(id, ({ status }) => status === 'V');
const refunded = (id: string): Promise<WholeReservation> => when(id, (now) => now.payments.some(({ status }) => status === 'refunded'));
const reservationOf = async (eventId: string): Promise<string> =>
  (await sql<{ id: string }>('select id from reservation where event_id = $1', [eventId]))[0]!.id;

/** Buys a ticket on the pages. @param way as the form sends it @returns where the form leads, and the reservation */
async function buy(way: string): Promise<{ id: string; location: string }> {
  const { id: eventId, slug, priceId } = await newEvent(test, venue);
  const answer = await forms.complete(await forms.begin(slug, priceId, '1'), { payment: way });
  expect(answer.status).toBe(303);
  return { id: await reservationOf(eventId), location: String(answer.headers['location']) };
}

/** A reservation that was paid with Paper Pay. */
async function paidOnPaper(): Promise<string> {
  const { id } = await buy(await accountId('paper-pay'));
  expect((await paper.deliver(test, venue, paper.pay(paper.lastBill.number))).status).toBe(200);
  await sold(id);
  return id;
}

/** A reservation that was paid with Stripe. */
async function paidAtStripe(): Promise<string> {
  const { id } = await buy(await accountId('stripe'));
  expect((await test.deliver(test.stripe.pay(test.lastSession().id), venue)).status).toBe(200);
  await sold(id);
  return id;
}

describe('a second provider in the panel', () => {
  it('is one more choice, with the fields that it declares', async () => {
    const { view } = await staff.page(resource, 'add');
    const fields = view!['fields'] as { name: string; kind: string; label: string; when?: { values: string[] }; options?: unknown }[];
    expect(fields[0]).toMatchObject({
      name: 'provider',
      kind: 'choice',
      options: expect.arrayContaining([{ value: 'paper-pay', label: 'Paper Pay' }]),
    });
    expect(fields.filter(({ when }) => when?.values.includes('paper-pay')).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'webhookUrl copy',
      'address text',
      'shop text',
      'secret secret',
      'label text',
    ]);
  });

  it('stores nothing that is invalid, or that the provider does not know', async () => {
    const refusals = async (changes: object): Promise<unknown> =>
      pageFaults(await staff.send(resource, 'add', { ...paper.account, ...changes }));
    expect(await refusals({ shop: '12', secret: 'none' })).toEqual({
      shop: 'A shop number has six digits.',
      secret: 'This is not a shared secret: those begin with pp_.',
    });
    expect(await refusals({ shop: '654321' })).toEqual({ address: 'Paper Pay does not know this secret key.' });
    paper.isDown = true;
    expect(await refusals({})).toEqual({ address: 'Paper Pay does not answer at the moment. Try again in a few minutes.' });
    expect((await staff.list(resource)).records).toHaveLength(1);
  });

  it('is set up, and its secret comes back in no answer', async () => {
    const made = await staff.send(resource, 'add', { ...paper.account, label: 'Invoice' });
    const id = await accountId('paper-pay');
    expect(made).toMatchObject({ notice: { message: 'saved' }, redirectUrl: `/admin/resources/${resource}/records/${id}/show` });
    const shown = await staff.look(resource, id);
    expect(shown.record!.params).toMatchObject({
      provider: 'Paper Pay',
      label: 'Invoice',
      state: 'on',
      fields: `Address of the interface: ${paper.address} · Shop number: ${paper.shop} · Shared secret: …${paper.secret.slice(-4)}`,
      webhookUrl: expect.stringMatching(/\/payments\/paper-pay\/$/),
    });
    const changed = await staff.act(resource, id, 'change', { ...paper.account, secret: '', label: 'On paper' });
    const form = await staff.look(resource, id, 'change');
    const checked = await staff.act(resource, id, 'check');
    const refused = await staff.send(resource, 'add', { ...paper.account, shop: '1' });
    const answers = [made, shown, changed, form, checked, refused, await staff.list(resource), await staff.page(resource, 'add')];
    expect(JSON.stringify([answers, logged])).not.toContain(paper.secret);
    const account = (await inside(() => test.app.get(PaymentAccountsService).ofProvider('paper-pay')))[0]!;
    expect(account.fields).toEqual({ address: paper.address, shop: paper.shop, secret: paper.secret });
  });
});

describe('a buyer', () => {
  it('chooses between the accounts, pays with the chosen one, and has tickets once its event arrives', async () => {
    const { id: eventId, slug, priceId } = await newEvent(test, venue);
    const path = await forms.begin(slug, priceId, '2');
    const [stripeId, paperId] = [await accountId('stripe'), await accountId('paper-pay')];
    const { text } = await forms.get(path);
    expect([...text.matchAll(/name="payment" value="([^"]+)"( checked)?/g)].map(([, value, checked]) => [value, Boolean(checked)])).toEqual(
      [
        [stripeId, true],
        [paperId, false],
      ],
    );
    expect(text).toContain('<span>On paper</span>');
    const answer = await forms.complete(path, { payment: paperId });
    expect(answer.headers['location']).toBe(`${paper.address}/pay/${paper.lastBill.number}`);
    expect(paper.lastBill.euros).toBe('25.00');
    const id = await reservationOf(eventId);
    expect((await again(id)).payments).toMatchObject([{ provider: 'paper-pay', accountId: paperId, status: 'pending' }]);

    const event = paper.pay(paper.lastBill.number);
    for (const repeated of [event, event, paper.event(paper.lastBill)])
      expect(await paper.deliver(test, venue, repeated)).toEqual({ status: 200, body: { received: true } });
    expect((await sold(id)).payments).toMatchObject([{ status: 'paid', providerPayment: paper.lastBill.number }]);
    expect(await sql(`select distinct type from payment_event where provider = 'paper-pay'`)).toEqual([{ type: 'paid' }]);
  });

  it('pays a whole cart with the chosen account', async () => {
    const cart = new CartForms(test, venue);
    const event = await newEvent(test, venue);
    const added = await cart.add(event, '1');
    const path = String(added.headers['location']);
    expect((await cart.get(`${path}/contact`)).text).toContain('<span>On paper</span>');
    const answer = await cart.post(`${path}/contact`, [...(await cart.contact(path)), ['payment', await accountId('paper-pay')]]);
    expect(answer.headers['location']).toBe(`${paper.address}/pay/${paper.lastBill.number}`);
    await paper.deliver(test, venue, paper.pay(paper.lastBill.number));
    await sold(await reservationOf(event.id));
  });

  it('pays with the first account where nothing was chosen', async () => {
    const event = await newEvent(test, venue);
    const cheap = { id: event.id, priceId: await newPrice(test, venue, event.id, { amount: '1.99' }) };
    const bookedAt = async (what: typeof cheap = event): Promise<string> => (await book(test, venue, what)).payments[0]!.provider;
    expect(await bookedAt()).toBe('stripe');
    await staff.act(resource, await accountId('paper-pay'), 'first');
    // Paper Pay charges two euros at least.
    expect([await bookedAt(), await bookedAt(cheap)]).toEqual(['paper-pay', 'stripe']);
    await staff.act(resource, await accountId('stripe'), 'first');
    // An account that is not offered is not chosen.
    const { location } = await buy('00000000-0000-4000-8000-000000000000');
    expect(location).toBe(test.lastSession()['url']);
  });

  it('is refused a sum that the chosen provider does not charge', async () => {
    const event = await newEvent(test, venue);
    const priceId = await newPrice(test, venue, event.id, { amount: '1.00' });
    const path = await forms.begin(event.slug, priceId, '1');
    const refused = await forms.complete(path, { payment: await accountId('paper-pay') });
    expect([refused.status, refused.text.includes('can be paid online is €2.')]).toEqual([422, true]);
    expect((await forms.complete(path, { payment: await accountId('stripe') })).headers['location']).toBe(test.lastSession()['url']);
  });

  it('goes on with the same checkout when the form is sent again with another account', async () => {
    const { id, slug, priceId } = await newEvent(test, venue);
    const path = await forms.begin(slug, priceId, '1');
    const first = await forms.complete(path, { payment: await accountId('paper-pay') });
    const second = await forms.post(path, [
      ['email', 'ada@example.org'],
      ['payment', await accountId('stripe')],
    ]);
    expect(second.headers['location']).toBe(first.headers['location']);
    expect((await again(await reservationOf(id))).payments).toHaveLength(1);
  });

  it('can try another account when the chosen one does not answer', async () => {
    const { id, slug, priceId } = await newEvent(test, venue);
    const path = await forms.begin(slug, priceId, '1');
    paper.isDown = true;
    expect((await forms.complete(path, { payment: await accountId('paper-pay') })).status).toBe(503);
    const other = await forms.post(path, [['payment', await accountId('stripe')]]);
    expect(other.headers['location']).toBe(test.lastSession()['url']);
    await test.deliver(test.stripe.pay(test.lastSession().id), venue);
    expect((await sold(await reservationOf(id))).payments.map(({ provider, status }) => `${provider} ${status}`).toSorted()).toEqual([
      'paper-pay failed',
      'stripe paid',
    ]);
  });
});

describe('an event that is forged', () => {
  it('is refused, and one for a provider that does not exist is not found', async () => {
    const { id } = await buy(await accountId('paper-pay'));
    const { lastBill } = paper;
    const event = paper.event({ ...lastBill, state: 'paid' });
    const forged = async (more: { mark?: string; path?: string }, of = venue) => (await paper.deliver(test, of, event, more)).status;
    expect(await forged({ mark: '' })).toBe(400);
    expect(await forged({ mark: paper.mark(event, `${paper.secret}x`) })).toBe(400);
    expect(await forged({ mark: paper.mark(`${event} `) })).toBe(400);
    expect(await forged({ path: '/payments/stripe/' })).toBe(400);
    expect(await forged({ path: '/payments/venue/' })).toBe(404);
    expect(await forged({ path: '/payments/nobody/' })).toBe(404);
    // A tenant without this account, and one whose shop has the same account: the bill is not its own.
    expect(await forged({}, await test.newVenue())).toBe(400);
    const neighbour = await test.newTenant();
    const { address, shop, secret } = paper;
    await test.inside(neighbour, () => test.app.get(PaymentAccountsService).save('paper-pay', { address, shop, secret }));
    expect(await forged({}, neighbour)).toBe(200);
    const signed = test.stripe.event('checkout.session.completed', { object: 'checkout.session' });
    const { status } = await test.stripe.deliver(signed, `http://127.0.0.1:${test.port}/payments/paper-pay/`, venue.host);
    expect(status).toBe(400);
    expect((await again(id)).status).toBe('U');
  });
});

describe('a refund', () => {
  it('goes to the provider of its payment', async () => {
    const [onPaper, atStripe] = [await paidOnPaper(), await paidAtStripe()];
    const [before, { number }] = [test.stripe.requests.length, paper.lastBill];
    await cancel(onPaper);
    expect((await refunded(onPaper)).payments).toContainEqual(expect.objectContaining({ kind: 'refund', status: 'refunded' }));
    expect(paper.refunds.filter(({ bill }) => bill === number)).toMatchObject([{ euros: '12.50' }]);
    expect(test.stripe.requests.length).toBe(before);
    const count = paper.refunds.length;
    await cancel(atStripe);
    await refunded(atStripe);
    expect(test.stripe.requests.slice(before).map(({ path }) => path)).toContain('/v1/refunds');
    expect(paper.refunds.length).toBe(count);
  });

  it('is made with an account that was switched off, whose events are still applied', async () => {
    const paid = await paidOnPaper();
    const { id: waiting } = await buy(await accountId('paper-pay'));
    const open = paper.lastBill.number;
    await staff.act(resource, await accountId('paper-pay'), 'disable');
    await cancel(paid);
    await refunded(paid);
    expect((await paper.deliver(test, venue, paper.pay(open))).status).toBe(200);
    await sold(waiting);
    expect((await buy(await accountId('paper-pay'))).location).toBe(test.lastSession()['url']);
    const { slug, priceId } = await newEvent(test, venue);
    expect((await forms.get(await forms.begin(slug, priceId, '1'))).text).not.toContain('name="payment"');
    await staff.act(resource, await accountId('paper-pay'), 'enable');
  });

  it('waits for staff when the account was deleted, and is made once the account is entered again', async () => {
    const paid = await paidOnPaper();
    await staff.act(resource, await accountId('paper-pay'), 'delete');
    await cancel(paid);
    const due = (payment: WholeReservation['payments'][number]): boolean => payment.kind === 'refund' && payment.refundTrouble !== null;
    const { payments } = await when(paid, (reservation) => reservation.payments.some(due));
    await staff.send(resource, 'add', paper.account);
    await staff.act('refunds', payments.find(due)!.id, 'retry');
    await refunded(paid);
  });
});

describe('a payment whose event is lost', () => {
  it('is found when the buyer returns', async () => {
    const { id } = await buy(await accountId('paper-pay'));
    paper.bills.get(paper.lastBill.number)!.state = 'paid';
    const { payments } = await again(id);
    await inside(() => test.app.get(CheckoutOutcomesService).askSoon(payments));
    await sold(id);
  });
});
