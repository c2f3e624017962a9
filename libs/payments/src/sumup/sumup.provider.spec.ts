import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReaderStillAsks } from '../providers/card-readers.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import type { BegunPayment } from '../providers/payment-provider.js';
import { SumUpProvider } from './sumup.provider.js';

const provider = new SumUpProvider({ sumUpApiBase: 'https://sumup.test' });
const account = { id: 'account', fields: { apiKey: 'sup_sk_secret00000', merchantCode: 'MC1', affiliateKey: 'key' } };
const reference = 'rdr_1/payment';
const paths = {
  transaction: '/v2.1/merchants/MC1/transactions',
  checkout: '/v0.1/merchants/MC1/readers/rdr_1/checkout/checkout',
  status: '/v0.1/merchants/MC1/readers/rdr_1/status',
  terminate: '/v0.1/merchants/MC1/readers/rdr_1/terminate',
  refunds: '/v1.0/merchants/MC1/payments/tx/refunds',
} as const;

let answers: Partial<Record<keyof typeof paths, readonly [number, object?]>>;
let asked: string[];

beforeEach(() => {
  answers = {};
  asked = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation((input, options) => {
    const { pathname, search } = new URL(input as URL);
    asked.push(`${options?.method} ${pathname}${search} ${typeof options?.body === 'string' ? options.body : ''}`.trim());
    const known = (Object.keys(paths) as (keyof typeof paths)[]).find((name) => paths[name] === pathname);
    const [status, body] = (known && answers[known]) ?? [404, { errors: { detail: 'Not Found' } }];
    return Promise.resolve(new Response(body ? JSON.stringify(body) : null, { status }));
  });
});
afterEach(() => void jest.restoreAllMocks());

const transaction = (more: object = {}): object => ({ id: 'tx', amount: 12.3, currency: 'EUR', client_transaction_id: 'client', ...more });
const checkout = (more: object): readonly [number, object] => [
  200,
  { data: { client_transaction_id: 'client', total_amount: { value: 1230, currency: 'EUR', minor_unit: 2 }, ...more } },
];
const begun: BegunPayment = { createdAt: new Date(), providerPayment: 'client/checkout' };
const old = new Date(Date.now() - 300_000);
const look = (more: Partial<BegunPayment> = {}) => provider.look(reference, account, { ...begun, ...more });
const paid = { type: 'paid', paymentId: 'payment', reference, providerPayment: 'client', amount: '12.30', currency: 'EUR' };

describe('a payment at a reader of SumUp', () => {
  it.each(['SUCCESSFUL', 'REFUNDED'])('is paid by a transaction that is %s', async (status) => {
    answers = { transaction: [200, transaction({ status })] };
    expect(await look()).toEqual([paid]);
    expect(asked).toEqual([`GET ${paths.transaction}?foreign_transaction_id=payment`]);
  });

  it('is paid while the transaction is not listed yet', async () => {
    answers = { checkout: checkout({ status: 'successful' }) };
    expect(await look()).toEqual([paid]);
  });

  it.each([
    [{ transaction: [200, transaction({ status: 'FAILED' })] }, 'declined'],
    [{ transaction: [200, transaction({ status: 'CANCELLED' })] }, 'cancelled'],
    [{ checkout: checkout({ status: 'cancelled' }) }, 'cancelled'],
    [{ checkout: checkout({ status: 'failed', payment_failure_reason: 'cardholder_timeout' }) }, 'timeout'],
    [{ checkout: checkout({ status: 'failed', payment_failure_reason: 'Cancelled by user' }) }, 'cancelled'],
    [{ checkout: checkout({ status: 'failed', payment_failure_reason: 'CARD_DECLINED' }) }, 'declined'],
    [{ checkout: checkout({ status: 'failed', payment_failure_reason: null }) }, 'failed'],
  ] as const)('is not paid, with the reason: %j %s', async (given, fault) => {
    answers = given;
    expect(await look()).toEqual([expect.objectContaining({ type: 'refused', fault })]);
  });

  it('is open while it is asked for, however long', async () => {
    answers = { checkout: checkout({ status: 'pending' }), status: [200, { data: { state: 'IDLE' } }] };
    expect(await look({ createdAt: old })).toEqual([]);
    answers = { transaction: [200, transaction({ status: 'PENDING' })] };
    expect(await look({ createdAt: old })).toEqual([]);
  });

  it('is open without an answer until no reader asks for so long, and this one is idle', async () => {
    answers = { status: [200, { data: { state: 'IDLE' } }] };
    expect(await look({ providerPayment: null })).toEqual([]);
    answers = { status: [200, { data: { state: 'WAITING_FOR_PIN' } }] };
    expect(await look({ providerPayment: null, createdAt: old })).toEqual([]);
    answers = { status: [200, { data: { state: 'IDLE' } }] };
    expect(await look({ providerPayment: null, createdAt: old })).toEqual([expect.objectContaining({ type: 'refused', fault: 'failed' })]);
  });

  it.each([
    [503, PaymentProviderUnavailable],
    [429, PaymentProviderUnavailable],
    [401, PaymentProviderRefused],
  ])('is told by no answer %i', async (status, kind) => {
    answers = { transaction: [status, { detail: `No. ${account.fields.apiKey}` }], checkout: checkout({ status: 'cancelled' }) };
    const error = await look().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).not.toContain('sup_sk_');
  });

  it('is taken back only when SumUp says so', async () => {
    const stop = () => provider.expire(reference, account, begun).catch((thrown: unknown) => thrown);
    answers = { checkout: checkout({ status: 'pending' }), terminate: [202] };
    expect(await stop()).toBeInstanceOf(ReaderStillAsks);
    expect(asked).toContain(`POST ${paths.terminate}`);
    answers = { ...answers, terminate: [422, { errors: { detail: 'Unprocessable Entity' } }] };
    expect(await stop()).toBeInstanceOf(ReaderStillAsks);
    answers = { transaction: [200, transaction({ status: 'SUCCESSFUL' })] };
    asked = [];
    expect(await stop()).toBeInstanceOf(PaymentProviderRefused);
    expect(asked).toHaveLength(1);
  });
});

describe('a refund by SumUp', () => {
  const refund = (more: object) =>
    provider.refund(
      { paymentId: 'part', providerPayment: 'client/checkout', amount: '4.10', currency: 'EUR', refundId: 'r', ...more },
      account,
    );
  const made = (): number => asked.filter((request) => request.startsWith('POST')).length;
  const given = (...amounts: number[]): object =>
    transaction({
      status: 'REFUNDED',
      transaction_events: amounts.map((amount) => ({ event_type: 'REFUND', status: 'REFUNDED', amount })),
    });

  it('sends the amount', async () => {
    answers = { transaction: [200, transaction({ status: 'SUCCESSFUL' })], refunds: [201, {}] };
    expect(await refund({})).toEqual({ reference: 'tx r' });
    expect(asked).toEqual([`GET ${paths.transaction}?client_transaction_id=client`, `POST ${paths.refunds} {"amount":4.1}`]);
  });

  it('is not made twice when its answer was lost', async () => {
    answers = { transaction: [200, given(4.1)], refunds: [201, {}] };
    await refund({ isRepeated: true, settledBefore: '0.00' });
    expect(made()).toBe(0);
    // That was another one.
    await refund({ isRepeated: true, settledBefore: '4.10' });
    expect(made()).toBe(1);
    await refund({ isRepeated: false, settledBefore: '0.00' });
    expect(made()).toBe(2);
  });

  it('is refused when nothing is left, and waits for the transaction', async () => {
    answers = { transaction: [200, given(4.1, 4.11)], refunds: [201, {}] };
    await expect(refund({})).rejects.toMatchObject({ code: 'already_refunded' });
    answers = {};
    await expect(refund({})).rejects.toBeInstanceOf(PaymentProviderUnavailable);
    expect(made()).toBe(0);
  });
});
