import type { Text } from '#kernel';

/** States of a payment, then those of a refund. */
export const paymentStates = {
  pending: { en: 'Waits', fr: 'En attente' },
  processing: { en: 'Being processed', fr: 'En traitement' },
  paid: { en: 'Paid', fr: 'Payé' },
  failed: { en: 'Not paid', fr: 'Non payé' },
  refund_due: { en: 'To be refunded', fr: 'À rembourser' },
  refunded: { en: 'Refunded', fr: 'Remboursé' },
  refund_failed: { en: 'Refund failed', fr: 'Remboursement échoué' },
} as const satisfies Record<string, Text>;
export type PaymentStatus = keyof typeof paymentStates;

/**
 * Where each state leads; the database refuses everything else (`shared.keep_payment`). What failed may still be paid: providers tell
 * things in any order. A refund that a bank sends back has failed, and the money is due again in a row of its own.
 */
export const paymentTransitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'paid', 'failed'],
  processing: ['paid', 'failed'],
  failed: ['paid'],
  paid: [],
  refund_due: ['refunded'],
  refunded: ['refund_failed'],
  refund_failed: [],
};

/** The states from which a payment may come into this one. */
export function paymentStatesBefore(status: PaymentStatus): PaymentStatus[] {
  return (Object.keys(paymentTransitions) as PaymentStatus[]).filter((from) => paymentTransitions[from].includes(status));
}

export const paymentMethods = {
  cash: { en: 'Cash', fr: 'Espèces' },
  card: { en: 'Card', fr: 'Carte' },
  offered: { en: 'Offered', fr: 'Offert' },
  online: { en: 'Online', fr: 'En ligne' },
} as const satisfies Record<string, Text>;
export type PaymentMethod = keyof typeof paymentMethods;
/** How somebody pays at the venue. */
export type VenueMethod = Exclude<PaymentMethod, 'online'>;
export type PaymentProvider = 'venue' | 'stripe';
export type OnlineProviderName = Exclude<PaymentProvider, 'venue'>;

/** How money was given back. `online` by hand means on the provider's own pages. */
export const refundMethods = {
  cash: { en: 'Cash', fr: 'Espèces' },
  card: { en: 'Card', fr: 'Carte' },
  transfer: { en: 'Bank transfer', fr: 'Virement' },
  online: { en: 'Online', fr: 'En ligne' },
} as const satisfies Record<string, Text>;
export type RefundMethod = keyof typeof refundMethods;

/** Why money goes back. */
export const refundReasons = {
  cancelled: { en: 'Cancelled', fr: 'Annulation' },
  late: { en: 'Paid too late or twice', fr: 'Payé trop tard ou deux fois' },
  provider: { en: 'Given back on the provider’s pages', fr: 'Rendu sur les pages du prestataire' },
} as const satisfies Record<string, Text>;
export type RefundReason = keyof typeof refundReasons;

/** Where somebody still pays. */
export function checkoutUrlOf(
  payments: readonly { readonly status: PaymentStatus; readonly checkoutUrl: string | null }[],
): string | undefined {
  return payments.findLast(({ status, checkoutUrl }) => status === 'pending' && checkoutUrl)?.checkoutUrl ?? undefined;
}
