import type { Text } from '#kernel';

export const paymentStates = {
  pending: { en: 'Waits', fr: 'En attente' },
  paid: { en: 'Paid', fr: 'Payé' },
  failed: { en: 'Not paid', fr: 'Non payé' },
  refund_due: { en: 'To be refunded', fr: 'À rembourser' },
  refunded: { en: 'Refunded', fr: 'Remboursé' },
} as const satisfies Record<string, Text>;
export type PaymentStatus = keyof typeof paymentStates;

/** Where each state leads. What failed may still be paid: providers tell things in any order. */
export const paymentTransitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['paid', 'failed', 'refund_due'],
  failed: ['paid', 'refund_due'],
  paid: ['refund_due', 'refunded'],
  refund_due: ['refunded'],
  refunded: [],
};

/** The states from which a payment may come into this one. */
export function paymentStatesBefore(status: PaymentStatus): PaymentStatus[] {
  return (Object.keys(paymentTransitions) as PaymentStatus[]).filter((from) =>
    paymentTransitions[from].includes(status),
  );
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

/** Where somebody still pays. */
export function checkoutUrlOf(
  payments: readonly { readonly status: PaymentStatus; readonly checkoutUrl: string | null }[],
): string | undefined {
  return payments.findLast(({ status, checkoutUrl }) => status === 'pending' && checkoutUrl)?.checkoutUrl ?? undefined;
}
