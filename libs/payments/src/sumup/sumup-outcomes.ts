import { fromCents } from '#kernel';
import type { ReaderFault } from '../providers/card-readers.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import type { CheckoutOutcome } from '../providers/provider-event.js';
import type { AskSumUp } from './sumup-client.js';

/** A payment at SumUp. https://developer.sumup.com/api/transactions/get */
export interface SumUpTransaction {
  readonly id: string;
  readonly status: 'SUCCESSFUL' | 'CANCELLED' | 'FAILED' | 'PENDING' | 'REFUNDED';
  readonly amount: number;
  readonly currency: string;
  readonly client_transaction_id?: string;
  /** The same twice, in two shapes. */
  readonly transaction_events?: readonly TransactionEvent[];
  readonly events?: readonly TransactionEvent[];
}

interface TransactionEvent {
  readonly event_type?: string;
  readonly type?: string;
  readonly status?: string;
  readonly amount?: number;
}

/** A question to a reader. https://developer.sumup.com/api/readers/get-checkout */
interface ReaderCheckout {
  readonly status: 'pending' | 'successful' | 'failed' | 'cancelled';
  readonly client_transaction_id: string;
  readonly payment_failure_reason?: string | null;
  readonly total_amount: { readonly value: number; readonly minor_unit: number; readonly currency: string };
}

/** A payment at a reader, as the program knows it. */
export interface AskedReader {
  readonly reader: string;
  /** Our payment, which is the foreign id of the transaction: it is known also when no answer arrived. */
  readonly paymentId: string;
  /** SumUp's id of the question, from its answer. */
  readonly checkout: string | undefined;
  readonly reference: string;
  /** Nobody waits at a reader for so long. */
  readonly isOld: boolean;
}

/**
 * What became of a payment at a reader. The transaction decides; it is missing while nobody paid, and for seconds after somebody did: then
 * the question to the reader decides. Where no answer named the question, nothing was paid once no reader asks for so long.
 * @returns undefined while it may be paid
 */
export async function readerOutcome(ask: AskSumUp, merchant: string, asked: AskedReader): Promise<CheckoutOutcome | undefined> {
  const transaction = await transactionOf(ask, merchant, 'foreign_transaction_id', asked.paymentId);
  if (transaction) return ofTransaction(transaction, asked);
  const path = `${readerPath(merchant, asked.reader)}/checkout/${asked.checkout}`;
  const checkout = asked.checkout === undefined ? undefined : await orNothing(ask<{ data: ReaderCheckout }>({ path }));
  if (checkout) return ofCheckout(checkout.data, asked);
  if (!asked.isOld || !(await isIdle(ask, merchant, asked.reader))) return undefined;
  return notPaid(asked, 'failed');
}

/** The transaction with this id; undefined: SumUp lists none. */
export function transactionOf(
  ask: AskSumUp,
  merchant: string,
  by: 'client_transaction_id' | 'foreign_transaction_id',
  id: string,
): Promise<SumUpTransaction | undefined> {
  return orNothing(ask<SumUpTransaction>({ path: `/v2.1/merchants/${merchant}/transactions?${by}=${encodeURIComponent(id)}` }));
}

export const readerPath = (merchant: string, reader: string): string => `/v0.1/merchants/${merchant}/readers/${encodeURIComponent(reader)}`;

/** Cents of an amount in major units, which SumUp's JSON has as a number. */
export const centsOf = (amount: number): number => Math.round(amount * 100);

/** What was given back of a transaction so far, in cents. */
export const givenBackCents = ({ transaction_events: long = [], events: short = [] }: SumUpTransaction): number =>
  (long.length > 0 ? long : short)
    .filter(({ event_type, type, status }) => (event_type ?? type) === 'REFUND' && status !== 'FAILED')
    .reduce((cents, { amount = 0 }) => cents + centsOf(amount), 0);

function ofTransaction(transaction: SumUpTransaction, asked: AskedReader): CheckoutOutcome | undefined {
  const { status, amount, currency, client_transaction_id: client } = transaction;
  switch (status) {
    case 'PENDING':
      return undefined;
    case 'SUCCESSFUL':
    case 'REFUNDED':
      return paid(asked, client ?? null, fromCents(centsOf(amount)), currency);
    case 'FAILED':
      return notPaid(asked, 'declined');
    case 'CANCELLED':
      return notPaid(asked, 'cancelled');
    default:
      throw new PaymentProviderUnavailable('SumUp names a state of the transaction that is not known here.');
  }
}

function ofCheckout(checkout: ReaderCheckout, asked: AskedReader): CheckoutOutcome | undefined {
  const { status, total_amount: total, client_transaction_id: client, payment_failure_reason: reason } = checkout;
  switch (status) {
    case 'pending':
      return undefined;
    case 'successful':
      // Only currencies with cents are asked for.
      return paid(asked, client, total.minor_unit === 2 ? fromCents(total.value) : null, total.currency);
    case 'failed':
      return notPaid(asked, faultOf(reason ?? ''));
    case 'cancelled':
      return notPaid(asked, 'cancelled');
    default:
      throw new PaymentProviderUnavailable('SumUp names a state of the reader that is not known here.');
  }
}

const paid = (
  { paymentId, reference }: AskedReader,
  providerPayment: string | null,
  amount: string | null,
  currency: string,
): CheckoutOutcome => ({ type: 'paid', paymentId, reference, providerPayment, amount, currency });

const notPaid = ({ paymentId, reference }: AskedReader, fault: ReaderFault): CheckoutOutcome => ({
  type: 'refused',
  paymentId,
  reference,
  providerPayment: null,
  fault,
});

/** SumUp says it in words of its own. */
function faultOf(reason: string): ReaderFault {
  if (/cancel|abort/i.test(reason)) return 'cancelled';
  if (/time|expired/i.test(reason)) return 'timeout';
  return /declin|refus|reject/i.test(reason) ? 'declined' : 'failed';
}

/** Whether a reader does nothing. One whose pairing has ended asks nobody. */
async function isIdle(ask: AskSumUp, merchant: string, reader: string): Promise<boolean> {
  const status = await orNothing(ask<{ data: { state?: string } }>({ path: `${readerPath(merchant, reader)}/status` }));
  return !status || status.data.state === 'IDLE';
}

async function orNothing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof PaymentProviderRefused) || error.code !== 'not_found') throw error;
    return undefined;
  }
}
