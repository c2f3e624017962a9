import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutOutcomesService, PaymentAccountsService, PaymentProviders, type PaymentProvider } from '#payments';
import type { WholeReservation } from '#tickets';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { MollieServer } from '../support/mollie-server.js';
import { OnlinePayments } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { begunNow } from '../support/stripe-payments.js';
import { pageFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let venue: OnlinePayments['tenant'];
let again: OnlinePayments['again'];
let cancel: OnlinePayments['cancel'];
let mollie: MollieServer;
let staff: PanelClient;
let forms: OrderForms;
let logged = '';

beforeAll(async () => {
  mollie = await MollieServer.start();
  payments = await OnlinePayments.start({ MOLLIE_API_BASE: mollie.url }, { log: (line) => (logged += line) });
  ({ test, tenant: venue, again, cancel } = payments);
  await test.removeAccount(venue);
  staff = await staffOf(test, venue);
  forms = new OrderForms(test, venue);
});
afterEach(async () => {
  mollie.fault = undefined;
  await payments.settle();
});
afterAll(async () => {
  await payments.stop();
  await mollie.stop();
});

const resource = 'payment-account';
const { inside, sql } = tenantWork(() => ({ test, tenant: venue }));
const when = (id: string, reached: (now: WholeReservation) => boolean): Promise<WholeReservation> => until(() => again(id), reached);
const sold = (id: string): Promise<WholeReservation> => when(id, ({ status }) => status === 'V');
const refunds = (now: WholeReservation): string[] =>
  now.payments.filter(({ kind }) => kind === 'refund').map(({ status, amount }) => `${status} ${amount}`);
const accountId = async (): Promise<string> => (await inside(() => test.app.get(PaymentAccountsService).all()))[0]!.id;

/** A reservation that waits for its payment at Mollie. @returns its id, and the id of the payment at Mollie */
async function begun(): Promise<{ id: string; payment: string }> {
  const { id } = await book(test, venue, await newEvent(test, venue));
  return { id, payment: mollie.last.id };
}

async function paid(): Promise<{ id: string; payment: string }> {
  const { id, payment } = await begun();
  expect(await mollie.deliver(test, venue, mollie.becomes('paid'))).toBe(200);
  await sold(id);
  return { id, payment };
}

describe('an account with Mollie', () => {
  it('is one key, which Mollie is asked about', async () => {
    const refused = async (changes: object) => pageFaults(await staff.send(resource, 'add', { ...mollie.account, ...changes }));
    expect(await refused({ apiKey: 'sk_live_123' })).toEqual({
      apiKey: 'This is not an API key of Mollie: those begin with live_ or test_.',
    });
    expect(await refused({ apiKey: `test_${'x'.repeat(32)}` })).toEqual({ apiKey: 'Mollie does not know this secret key.' });
    mollie.methods = [];
    // It is stored, and its page says why nobody can pay with it.
    expect(await staff.send(resource, 'add', mollie.account)).toMatchObject({ notice: { message: 'savedUnchecked' } });
    mollie.methods = ['giftcard', 'ideal', 'applepay', 'creditcard'];
    expect(await staff.send(resource, 'add', mollie.account)).toMatchObject({ notice: { message: 'saved' } });
    const shown = await staff.look(resource, await accountId());
    expect(shown.record!.params).toMatchObject({ provider: 'Mollie', state: 'on', methods: 'Card, Apple Pay, iDEAL' });
    expect(JSON.stringify(shown)).not.toContain(mollie.apiKey);
  });
});

describe('a buyer', () => {
  it('pays on its page, and has tickets once Mollie names the payment', async () => {
    const { id: eventId, slug, priceId } = await newEvent(test, venue);
    const answer = await forms.complete(await forms.begin(slug, priceId, '2'));
    expect(answer.headers['location']).toBe(`${mollie.url}/checkout/${mollie.last.id}`);
    const { amount, redirectUrl, cancelUrl, webhookUrl, locale, metadata } = mollie.last;
    expect([amount, locale]).toEqual([{ value: '25.00', currency: 'EUR' }, 'en_GB']);
    expect([redirectUrl, cancelUrl]).toEqual([`${cancelUrl}?paid=1`, expect.stringContaining(venue.host)]);
    // Mollie cannot reach this host, and would refuse the payment.
    expect(webhookUrl).toBeUndefined();
    expect(metadata['guichet_tenant']).toBe(venue.id);
    const [{ id }] = (await sql<{ id: string }>('select id from reservation where event_id = $1', [eventId])) as [{ id: string }];

    const payment = mollie.becomes('paid');
    expect(await Promise.all(Array.from({ length: 8 }, () => mollie.deliver(test, venue, payment)))).toEqual(Array(8).fill(200));
    expect((await sold(id)).payments).toMatchObject([{ provider: 'mollie', status: 'paid', providerPayment: payment }]);
    expect(await sql(`select id from payment_event where provider = 'mollie'`)).toEqual([{ id: `${payment} paid` }]);
  });

  it('keeps the tickets when older news arrives later, and none are made of a payment that is still open', async () => {
    const { id, payment } = await begun();
    expect(await mollie.deliver(test, venue, payment)).toBe(200);
    expect((await again(id)).status).toBe('U');
    mollie.becomes('paid');
    await mollie.deliver(test, venue, payment);
    await sold(id);
    mollie.becomes('expired');
    await mollie.deliver(test, venue, payment);
    expect((await again(id)).payments).toMatchObject([{ status: 'paid' }]);
  });

  it('is found when the message is lost, and the places are free when the payment fails', async () => {
    const { id } = await begun();
    mollie.becomes('paid');
    const { payments: rows } = await again(id);
    await inside(() => test.app.get(CheckoutOutcomesService).askSoon(rows));
    await sold(id);
    const failing = await begun();
    await mollie.deliver(test, venue, mollie.becomes('failed'));
    expect((await when(failing.id, ({ status }) => status !== 'U')).payments).toMatchObject([{ status: 'failed' }]);
  });

  it('gets back what arrives after the places were given up', async () => {
    const { id, payment } = await begun();
    mollie.becomes('pending');
    await cancel(id);
    // Mollie refuses to cancel what a bank processes.
    await until(
      () => mollie.about(payment),
      (asked) => asked.includes(`DELETE payments/${payment}`),
    );
    mollie.becomes('paid');
    expect(await mollie.deliver(test, venue, payment)).toBe(200);
    expect(refunds(await when(id, (now) => refunds(now).includes('refunded 12.50')))).toEqual(['refunded 12.50']);
    expect(mollie.refunds.filter(({ paymentId }) => paymentId === payment)).toHaveLength(1);
  });
});

describe('a message', () => {
  it('of a stranger makes nobody ask Mollie, and is believed in nothing', async () => {
    const { id, payment } = await begun();
    const before = mollie.requests.length;
    expect(await mollie.deliver(test, venue, 'tr_unknown123')).toBe(200);
    for (const wrong of ['', 'tr_1', `tr_${'x'.repeat(80)}`, '../methods', 'tr_1234/refunds'])
      expect(await mollie.deliver(test, venue, wrong)).toBe(400);
    // Another tenant that uses the same account does not have this payment.
    const neighbour = await test.newTenant();
    const { apiKey } = mollie;
    await test.inside(neighbour, () => test.app.get(PaymentAccountsService).save('mollie', { apiKey, delayedMethods: 'no' }));
    expect(await mollie.deliver(test, neighbour, payment)).toBe(200);
    expect(mollie.requests.length).toBe(before);
    expect(await mollie.deliver(test, venue, payment)).toBe(200);
    expect((await again(id)).status).toBe('U');
  });

  it('is sent again by Mollie when Mollie cannot be asked', async () => {
    const { id, payment } = await begun();
    mollie.becomes('paid');
    for (const fault of ['down', 'mute'] as const) {
      mollie.fault = fault;
      expect(await mollie.deliver(test, venue, payment)).toBe(503);
    }
    mollie.fault = undefined;
    expect(await mollie.deliver(test, venue, payment)).toBe(200);
    await sold(id);
  });
});

describe('a refund', () => {
  it('is made once, also when the answer was lost', async () => {
    const { id, payment } = await paid();
    mollie.fault = 'lost';
    await cancel(id);
    await until(
      () => mollie.refunds.filter(({ paymentId }) => paymentId === payment),
      (made) => made.length === 1,
    );
    const troubled = ({ kind, refundTrouble }: WholeReservation['payments'][number]): boolean =>
      kind === 'refund' && refundTrouble !== null;
    const { payments: rows } = await when(id, (now) => now.payments.some(troubled));
    mollie.fault = undefined;
    await staff.act('refunds', rows.find(troubled)!.id, 'retry');
    expect(refunds(await when(id, (now) => refunds(now).includes('refunded 12.50')))).toEqual(['refunded 12.50']);
    expect(mollie.refunds.filter(({ paymentId }) => paymentId === payment)).toHaveLength(1);
  });

  it('that was made at Mollie is in the books, and one that is cancelled there is due again', async () => {
    const { id, payment } = await paid();
    mollie.refunds.push({
      id: 're_elsewhere',
      paymentId: payment,
      amount: { value: '2.50', currency: 'EUR' },
      metadata: {},
      status: 'refunded',
    });
    for (let times = 0; times < 2; times++) expect(await mollie.deliver(test, venue, payment)).toBe(200);
    expect(refunds(await again(id))).toEqual(['refunded 2.50']);
    await cancel(id);
    await when(id, (now) => refunds(now).includes('refunded 10.00'));
    mollie.refunds.at(-1)!.status = 'canceled';
    await mollie.deliver(test, venue, payment);
    expect(refunds(await again(id)).toSorted()).toEqual(['refund_due 10.00', 'refund_failed 10.00', 'refunded 2.50']);
  });

  it('that staff made at Mollie before is not made again', async () => {
    const { id, payment } = await paid();
    mollie.refunds.push({
      id: 're_by_hand',
      paymentId: payment,
      amount: { value: '12.50', currency: 'EUR' },
      metadata: {},
      status: 'refunded',
    });
    await cancel(id);
    expect(refunds(await when(id, (now) => refunds(now).includes('refunded 12.50')))).toEqual(['refunded 12.50']);
    expect(mollie.refunds.filter(({ paymentId }) => paymentId === payment)).toHaveLength(1);
  });

  it('waits while the account is closed, as do messages, and tells staff no secret', async () => {
    const { id, payment } = await paid();
    await staff.act(resource, await accountId(), 'delete');
    expect(await mollie.deliver(test, venue, payment)).toBe(503);
    await cancel(id);
    await when(id, (now) => now.payments.some(({ kind, refundTrouble }) => kind === 'refund' && refundTrouble !== null));
    await staff.send(resource, 'add', mollie.account);
    const due = (await again(id)).payments.find(({ kind }) => kind === 'refund')!;
    await staff.act('refunds', due.id, 'retry');
    await when(id, (now) => refunds(now).includes('refunded 12.50'));
    expect(logged).not.toContain(mollie.apiKey);
  });
});

describe('the provider', () => {
  const ask = async <Result>(
    work: (provider: PaymentProvider, account: { id: string; fields: Record<string, string> }) => Promise<Result>,
  ) =>
    inside(async () => {
      const { apiKey } = mollie;
      return work(test.app.get(PaymentProviders).find('mollie')!, { id: 'any', fields: { apiKey, delayedMethods: 'no' } });
    });
  const request = {
    paymentId: '6f1f7f38-6f3c-4f0a-8f43-2b1d3a9a0001',
    amount: '40.00',
    description: 'Membership',
    currency: 'EUR',
    email: 'ada@example.org',
    language: 'fr',
    successUrl: 'https://venue.example/order/1?paid=1',
    cancelUrl: 'https://venue.example/order/1',
    expiresAt: new Date(),
  } as const;

  it('opens one page for a payment, however often it is asked, and names an address that Mollie can reach', async () => {
    const opened = await ask((provider, account) =>
      Promise.all([
        provider.open!({ ...request, more: [{ amount: '2.50', description: 'Gift' }] }, account),
        provider.open!(request, account),
      ]),
    );
    expect(new Set(opened.map(({ reference }) => reference)).size).toBe(1);
    expect(mollie.last).toMatchObject({
      amount: { value: '42.50', currency: 'EUR' },
      description: 'Membership · Gift',
      locale: 'fr_FR',
      webhookUrl: 'https://venue.example/payments/mollie/',
    });
  });

  it('charges the means of payment that a buyer left once for each payment', async () => {
    const first = { ...request, paymentId: '6f1f7f38-6f3c-4f0a-8f43-2b1d3a9a0002', keepsMeans: true };
    const { reference } = await ask((provider, account) => provider.open!(first, account));
    mollie.becomes('paid');
    const charge = { ...request, paymentId: '6f1f7f38-6f3c-4f0a-8f43-2b1d3a9a0003', providerPayment: reference, isOnlyLooked: false };
    const made = (isOnlyLooked: boolean) => ask((provider, account) => provider.chargeAgain!({ ...charge, isOnlyLooked }, account));
    expect(await made(true)).toBeUndefined();
    const [outcome] = [await made(false), await made(false), await made(true)];
    expect(outcome).toMatchObject({ type: 'paid', amount: '40.00', currency: 'EUR', paymentId: charge.paymentId });
    expect([...mollie.payments.values()].filter(({ sequenceType }) => sequenceType === 'recurring')).toHaveLength(1);
    const { reference: plain } = await ask((provider, account) =>
      provider.open!({ ...request, paymentId: '6f1f7f38-6f3c-4f0a-8f43-2b1d3a9a0004' }, account),
    );
    const without = ask((provider, account) => provider.chargeAgain!({ ...charge, providerPayment: plain }, account));
    await expect(without).rejects.toMatchObject({ code: 'no_means' });
  });

  it('repeats no key in what staff read', async () => {
    const { payment } = await paid();
    const refused = ask((provider, account) => provider.expire(payment, account, begunNow()));
    await expect(refused).rejects.toThrow(/its key is test_…/);
  });
});
