import { fromCents, Payment, paymentMethods, paymentStates, toCents } from '#booking';
import type { Payments, PaymentStatus } from '#booking';
import type { Language } from '#kernel';
import type { TenantDb } from '#tenancy';
import type { FormView } from '../form-view.js';
import type { PanelAction } from '../panel-entry.js';
import { formAction } from '../form-view.js';
import { currentPanelRequest } from '../panel-request.js';
import { PanelFieldError } from '../panel-source.js';
import type { PanelTone } from '../panel-source.js';
import { euros } from './related.js';
import type { RelatedItem } from './related.js';

/** What was, or is to be, paid for. */
export type PaidSubject = { readonly reservationId: string } | { readonly membershipId: string };

const tones = { pending: 'waiting', paid: 'good', failed: 'quiet', refund_due: 'bad', refunded: 'info' } as const satisfies Record<PaymentStatus, PanelTone>; // prettier-ignore

export const paymentsOf = (db: TenantDb, subject: PaidSubject): Promise<Payment[]> =>
  db.transaction((tx) => tx.find(Payment, { where: subject, order: { createdAt: 'ASC', id: 'ASC' }, take: 100 }));

/** SQL of how many payments are to be given back by hand, of the subject that `column` names: those at the venue, and those that do not go back by themselves. */
export const refundsDue = (column: string): string =>
  `(select count(*)::int from payment where payment.${column} and payment.status = 'refund_due'
    and (payment.provider = 'venue' or payment.refund_trouble is not null))`;

/** Payments as lines of a detail page. */
export function paymentItems(payments: readonly Payment[]): RelatedItem[] {
  const { language } = currentPanelRequest();
  return payments.map(({ provider, method, status, amount, note, refundTrouble, paidAt, refundedAt, createdAt }) => ({
    title: euros(amount, language),
    at: (refundedAt ?? paidAt ?? createdAt).toISOString(),
    details: [
      paymentMethods[method][language],
      words[language][provider],
      note,
      status === 'refund_due' && refundTrouble,
    ]
      .filter(Boolean)
      .join(' · '),
    badge: { text: paymentStates[status][language], tone: tones[status] },
  }));
}

/** What cancelling gives back: online by itself, at the venue by hand. */
export function refundFacts(payments: readonly Payment[], language: Language): string[] {
  const paid = payments.filter(({ status, method }) => status === 'paid' && method !== 'offered');
  const sumOf = (provider: Payment['provider']): number =>
    paid.filter((payment) => payment.provider === provider).reduce((sum, { amount }) => sum + toCents(amount), 0);
  const [online, venue] = [sumOf('stripe'), sumOf('venue')];
  const say = (cents: number): string => euros(fromCents(cents), language);
  return [
    ...(online > 0 ? [words[language].refundOnline(say(online))] : []),
    ...(venue > 0 ? [words[language].refundByHand(say(venue))] : []),
    ...(online + venue === 0 ? [words[language].refundNothing] : []),
  ];
}

/** Marks what is to be given back at the venue as given back. */
export function refundedAction(db: TenantDb, payments: Payments, subjectOf: (id: string) => PaidSubject): PanelAction {
  const due = async (id: string): Promise<Payment[]> =>
    (await paymentsOf(db, subjectOf(id))).filter(
      ({ status, provider, refundTrouble }) =>
        status === 'refund_due' && (provider === 'venue' || refundTrouble !== null),
    );
  return formAction({
    icon: 'CornerUpLeft',
    visible: (row) => Number(row['refundsDue']) > 0,
    form: async (id): Promise<FormView> => {
      const { language } = currentPanelRequest();
      const lines = (await due(id)).map(
        ({ amount, method }) => `${euros(amount, language)} · ${paymentMethods[method][language]}`,
      );
      const { refundedLead, refundedDo } = words[language];
      return { lead: [refundedLead], facts: lines, fields: [], ...(lines.length > 0 && { submit: refundedDo }) };
    },
    act: async (id) => {
      let given = false;
      for (const payment of await due(id)) given = (await payments.refundedByHand(payment.id)) || given;
      if (!given) throw new PanelFieldError({}, words[currentPanelRequest().language].nothingDue);
      return { message: 'refundedDone' };
    },
  });
}

const words = {
  en: {
    venue: 'at the venue',
    stripe: 'Stripe',
    refundOnline: (amount: string) => `${amount} paid online goes back by itself.`,
    refundByHand: (amount: string) => `${amount} paid at the venue is to be given back by hand: mark it then.`,
    refundNothing: 'Nothing was paid that would be given back.',
    refundedLead: 'Mark this money as given back, once the holder has it:',
    refundedDo: 'It is given back',
    nothingDue: 'Nothing is to be given back any more.',
  },
  fr: {
    venue: 'sur place',
    stripe: 'Stripe',
    refundOnline: (amount: string) => `${amount} payés en ligne sont remboursés automatiquement.`,
    refundByHand: (amount: string) => `${amount} payés sur place sont à rendre à la main : notez-le ensuite.`,
    refundNothing: 'Rien n’a été payé qui serait à rendre.',
    refundedLead: 'Notez cet argent comme rendu, une fois que le titulaire l’a reçu :',
    refundedDo: 'C’est rendu',
    nothingDue: 'Il n’y a plus rien à rendre.',
  },
};
