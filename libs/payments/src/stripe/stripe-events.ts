import type Stripe from 'stripe';
import { decimalText } from './minor-units.js';
import { PaymentEventRefused } from '../providers/payment-errors.js';
import { ownPayment } from '../providers/payment-marks.js';
import type { CheckoutOutcome, FailedRefund, ProviderEvent, RefundedCheckout } from '../providers/provider-event.js';
import { loadStripe } from './stripe-client.js';

/** What an account of Stripe says about its events. */
export interface EventRules {
  readonly webhookSecret: string;
  /** Whether places are kept for payments that take days. */
  readonly keepsPlaces: boolean;
}

/**
 * Reads an event from Stripe that is signed with this secret and at most five minutes old.
 * @param rawBody the received bytes, because the signature covers them
 * @throws PaymentEventRefused
 */
export async function readStripeEvent(rawBody: Buffer, signature: string, rules: EventRules): Promise<ProviderEvent> {
  const event = await verified(rawBody, signature, rules.webhookSecret);
  try {
    return providerEventOf(event, rules);
  } catch {
    throw new PaymentEventRefused('The event is not shaped as one.');
  }
}

async function verified(rawBody: Buffer, signature: string, webhookSecret: string): Promise<Stripe.Event> {
  const { default: StripeClient } = await loadStripe();
  try {
    return StripeClient.webhooks.constructEvent(rawBody, signature, webhookSecret);
  } catch (error) {
    // The library's message is not reused, because it quotes the body.
    const { StripeSignatureVerificationError } = StripeClient.errors;
    const reason = error instanceof StripeSignatureVerificationError ? 'is not signed as it should be' : 'is unreadable';
    throw new PaymentEventRefused(`The event ${reason}.`);
  }
}

function providerEventOf({ id, type, data: { object } }: Stripe.Event, { keepsPlaces }: EventRules): ProviderEvent {
  if (typeof id !== 'string' || typeof type !== 'string') throw new TypeError();
  const change = changeOf(type, object, keepsPlaces);
  return change ? { id, change } : { id };
}

function changeOf(type: string, object: Stripe.Event.Data.Object, keepsPlaces: boolean): ProviderEvent['change'] {
  const kind = (object as { readonly object?: string }).object;
  if (kind === 'charge') return refundedOf(object as Stripe.Charge);
  if (kind === 'refund') return failedRefundOf(object as Stripe.Refund);
  if (kind === 'payment_intent') return paidAtReader(object as Stripe.PaymentIntent);
  if (kind !== 'checkout.session') return undefined;
  return outcomeOf(object as Stripe.Checkout.Session, keepsPlaces, type === 'checkout.session.async_payment_failed');
}

/**
 * What a session says about its payment. One that is complete and not paid (a bank debit, for example) is followed by another event.
 * @param isRefused the bank refused the payment
 * @returns undefined while it is open, and when it belongs to another program or tenant
 */
export function outcomeOf(session: Stripe.Checkout.Session, keepsPlaces: boolean, isRefused = false): CheckoutOutcome | undefined {
  const paymentId = ownPayment(session.metadata);
  if (paymentId === undefined) return undefined;
  const { id: reference, status, payment_status, payment_intent, amount_total, currency } = session;
  const checkout = { paymentId, reference, providerPayment: idOf(payment_intent) };
  if (payment_status === 'paid') {
    const amount = amount_total === null || currency === null ? null : decimalText(amount_total, currency);
    return { type: 'paid', ...checkout, amount, currency: currency?.toUpperCase() ?? null };
  }
  if (status === 'expired') return { type: 'closed', ...checkout };
  if (isRefused) return { type: 'refused', ...checkout };
  return status === 'complete' ? { type: 'under_way', ...checkout, keepsPlaces } : undefined;
}

/** Mark of a payment at a card reader: the reader's id at Stripe. */
export const readerMark = 'guichet_reader';

/** The reader that asks for a payment. @returns undefined for a charge without one */
export const readerOf = ({ metadata }: Pick<Stripe.PaymentIntent, 'metadata'>): string | undefined => metadata[readerMark];

/** What was paid at a card reader. Other payments are told by their checkout. */
function paidAtReader(intent: Stripe.PaymentIntent): CheckoutOutcome | undefined {
  return intent.status === 'succeeded' && readerOf(intent) !== undefined ? intentOutcome(intent) : undefined;
}

/** Whether a reference is a charge without a checkout page. */
export const isIntent = (reference: string): boolean => reference.startsWith('pi_');

/** What became of a charge without a checkout page. @returns undefined when it belongs to another program or tenant */
export function intentOutcome({ id, metadata, status, amount_received, currency }: Stripe.PaymentIntent): CheckoutOutcome | undefined {
  const isAtReader = readerOf({ metadata }) !== undefined;
  const paymentId = ownPayment(metadata);
  if (paymentId === undefined) return undefined;
  const charge = { paymentId, reference: id, providerPayment: id };
  if (status === 'processing') return { type: 'under_way', ...charge, keepsPlaces: true };
  if (status !== 'succeeded') return { type: isAtReader ? 'closed' : 'refused', ...charge };
  return { type: 'paid', ...charge, amount: decimalText(amount_received, currency), currency: currency.toUpperCase() };
}

function refundedOf({ metadata, amount_refunded, currency, refunded: whole }: Stripe.Charge): RefundedCheckout | undefined {
  const paymentId = ownPayment(metadata);
  if (paymentId === undefined) return undefined;
  return { type: 'refunded', paymentId, refunded: decimalText(amount_refunded, currency), whole };
}

function failedRefundOf({ id, metadata, status, failure_reason }: Stripe.Refund): FailedRefund | undefined {
  const paymentId = ownPayment(metadata);
  if (paymentId === undefined || (status !== 'failed' && status !== 'canceled')) return undefined;
  return { type: 'refund_failed', paymentId, reference: id, reason: failure_reason ?? status };
}

/** The id of something that Stripe links or includes. */
export function idOf(linked: string | { id: string } | null): string | null {
  return typeof linked === 'string' ? linked : (linked?.id ?? null);
}
