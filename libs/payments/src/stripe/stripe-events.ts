import { isUuid } from '#kernel';
import type Stripe from 'stripe';
import { currentTenant } from '#tenancy';
import { decimalText } from './minor-units.js';
import { PaymentEventRefused } from '../online/payment-errors.js';
import type { CheckoutSession, FailedRefund, ProviderEvent, RefundedCharge } from '../online/provider-event.js';
import { loadStripe } from './stripe-client.js';

/** The metadata of all objects that Guichet creates at Stripe. It identifies them, because several programs may share an account. */
export function marksOf(paymentId: string): Record<'guichet_tenant' | 'guichet_payment', string> {
  return { guichet_tenant: currentTenant().id, guichet_payment: paymentId };
}

/**
 * Reads an event from Stripe that is signed with this secret and at most five minutes old.
 * @param rawBody the received bytes, because the signature covers them
 * @throws PaymentEventRefused
 */
export async function readStripeEvent(rawBody: Buffer, signature: string, webhookSecret: string): Promise<ProviderEvent> {
  const event = await verified(rawBody, signature, webhookSecret);
  try {
    return providerEventOf(event);
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

function providerEventOf({ id, type, created, data: { object } }: Stripe.Event): ProviderEvent {
  if (typeof id !== 'string' || typeof type !== 'string' || !Number.isSafeInteger(created)) throw new TypeError();
  const head = { id, type, created: new Date(created * 1000) };
  switch (object.object) {
    case 'checkout.session':
      return { ...head, ...present('session', sessionOf(object)) };
    case 'charge':
      return { ...head, ...present('refund', refundOf(object)) };
    case 'refund':
      return { ...head, ...present('failedRefund', failedRefundOf(object)) };
    default:
      return head;
  }
}

/** @returns undefined when the session belongs to another program or tenant */
export function sessionOf(session: Stripe.Checkout.Session): CheckoutSession | undefined {
  const paymentId = ownPayment(session.metadata);
  if (paymentId === undefined) return undefined;
  const { id: reference, status, payment_status, payment_intent, amount_total, currency } = session;
  return {
    reference,
    paymentId,
    status,
    paid: payment_status === 'paid',
    paymentIntent: idOf(payment_intent),
    amount: amount_total === null || currency === null ? null : decimalText(amount_total, currency),
    currency: currency?.toUpperCase() ?? null,
  };
}

function refundOf(charge: Stripe.Charge): RefundedCharge | undefined {
  const paymentId = ownPayment(charge.metadata);
  if (paymentId === undefined) return undefined;
  const { payment_intent, amount_refunded, currency, refunded: whole } = charge;
  return {
    paymentId,
    paymentIntent: idOf(payment_intent),
    refunded: decimalText(amount_refunded, currency),
    currency: currency.toUpperCase(),
    whole,
  };
}

function failedRefundOf({ id, metadata, status, failure_reason }: Stripe.Refund): FailedRefund | undefined {
  const paymentId = ownPayment(metadata);
  if (paymentId === undefined || (status !== 'failed' && status !== 'canceled')) return undefined;
  return { paymentId, reference: id, reason: failure_reason ?? status };
}

function ownPayment(metadata: Stripe.Metadata | null): string | undefined {
  if (metadata?.['guichet_tenant'] !== currentTenant().id) return undefined;
  const id = metadata['guichet_payment'];
  return isUuid(id) ? id : undefined;
}

function idOf(linked: string | { id: string } | null): string | null {
  return typeof linked === 'string' ? linked : (linked?.id ?? null);
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
