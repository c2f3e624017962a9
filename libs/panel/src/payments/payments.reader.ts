import { fromCents, toCents } from '#kernel';
import {
  giftCard,
  isPaidBackByHand,
  movedBy,
  movedBySql,
  paidBackByHandSql,
  Payment,
  paymentMethods,
  paymentStates,
  refundMethods,
  refundReasons,
  wayBackOf,
} from '#payments';
import type { PaymentProviders, PaymentStatus, RefundMethod, RefundsService } from '#payments';
import type { Language } from '#kernel';
import type { TenantDb } from '#tenancy';
import type { FormField, FormView, PanelAction, PanelRow, PanelTone, RelatedItem } from '#panel-kit';
import { formAction, currentPanelRequest, mayNow, PanelFieldError, textOf, euros, recordHref } from '#panel-kit';
import { paymentWords } from './payments.words.js';
/** The subject of a payment. */
export type PaidSubject = { readonly reservationId: string } | { readonly membershipId: string };

export const paymentTones = {
  pending: 'waiting',
  processing: 'waiting',
  paid: 'good',
  failed: 'quiet',
  refund_due: 'bad',
  refunded: 'info',
  refund_failed: 'quiet',
} as const satisfies Record<PaymentStatus, PanelTone>;

export const paymentsOf = (db: TenantDb, subject: PaidSubject): Promise<Payment[]> =>
  db.transaction((tx) => tx.find(Payment, { where: subject, order: { createdAt: 'ASC', id: 'ASC' }, take: 100 }));

/** SQL: whether staff must pay out a refund: of a payment at the venue, or one that failed online. */
export const isByHand = `(payment.status = 'refund_due' and (${paidBackByHandSql('payment')} or payment.refund_trouble is not null))`;

/** SQL: whether a payment was made, and something of it is left after its refunds. */
export const hasLeft = `(payment.kind = 'payment' and payment.status = 'paid' and payment.amount > (select coalesce(sum(refund.amount), 0)
  from payment refund where refund.refund_of = payment.id and refund.status <> 'refund_failed'))`;

/** SQL: the number of refunds that staff must pay out, for the subject in `column`. */
export const refundsDue = (column: string): string => `(select count(*)::int from payment where payment.${column} and ${isByHand})`;

/** SQL: one of `paymentMethods`: how a payment was made, or a refund was given. */
export const moneyMethodSql = `(${movedBySql('payment')})`;

/** SQL: the amount of a payment; negative for a refund. */
export const signedAmountSql = `(case when payment.kind = 'refund' then -payment.amount else payment.amount end)`;

/** SQL: whether money was received or given back; complimentary tickets moved none. */
export const isMovedSql = `(payment.status in ('paid', 'refunded') and payment.method <> 'offered')`;

/** SQL: the amount that was paid for a subject, less refunds; complimentary tickets count nothing. */
export const netPaid = (column: string): string =>
  `(select coalesce(sum(${signedAmountSql}), 0.00) from payment
    where payment.${column} and ${isMovedSql})`;

/** SQL: the sum of pending refunds. */
export const sumDue = (column: string): string =>
  `(select coalesce(sum(payment.amount), 0.00) from payment where payment.${column} and payment.status = 'refund_due')`;

/** SQL: the venue of a network that issued the gift card of a payment or a refund. */
export const cardIssuerSql = `(select tenant.name from gift_card join shared.tenant on tenant.id = gift_card.issuer_id
  where gift_card.id = case payment.provider when '${giftCard}' then coalesce(payment.provider_payment,
    (select paid.provider_payment from payment paid where paid.id = payment.refund_of))::uuid end)`;

/** Payments and refunds as items of a detail page. */
export function paymentItems(payments: readonly Payment[], providers: PaymentProviders): RelatedItem[] {
  const { language } = currentPanelRequest();
  const nameOf = (provider: string): string =>
    provider === 'venue' ? paymentWords[language].venue : (providers.find(provider)?.label[language] ?? provider);
  return payments.map((payment) => {
    const { kind, provider, status, amount, note, refundedAt, paidAt, createdAt } = payment;
    const isRefund = kind === 'refund';
    const how = paymentMethods[movedBy(payment)];
    // Where a refund is recorded. A corrected method is none.
    const isRecorded = isRefund && payment.reason !== 'method' && mayNow('refund.see');
    return {
      href: recordHref(isRecorded ? 'refunds' : 'payments', payment.id),
      title: isRefund ? `−${euros(amount, language)}` : euros(amount, language),
      at: (refundedAt ?? paidAt ?? createdAt).toISOString(),
      details: [
        how[language],
        !isRefund && provider !== giftCard && provider !== 'transfer' && nameOf(provider),
        payment.reason && refundReasons[payment.reason][language],
        note,
        payment.refundedNote,
        status === 'refund_due' && payment.refundTrouble,
      ]
        .filter(Boolean)
        .join(' · '),
      badge: { text: paymentStates[status][language], tone: paymentTones[status] },
    };
  });
}

/**
 * The refunds that a cancellation causes: online ones are automatic, staff pay out those at the venue.
 * @param most the amount of a part that is cancelled; undefined: all is
 */
export function refundFacts(payments: readonly Payment[], language: Language, most?: string): string[] {
  const words = paymentWords[language];
  const sumOf = (atVenue: boolean): number =>
    payments
      .filter(({ status, method }) => method !== 'offered' && status !== 'refund_failed')
      .filter((payment) => isPaidBackByHand(payment.provider) === atVenue && (payment.kind === 'refund' || payment.status === 'paid'))
      .reduce((sum, { kind, amount }) => sum + (kind === 'refund' ? -toCents(amount) : toCents(amount)), 0);
  const say = (cents: number): string => euros(fromCents(cents), language);
  const venueMethods = new Set(
    payments.filter(({ provider, kind }) => isPaidBackByHand(provider) && kind === 'payment').map(({ method }) => method),
  );
  const how = [...venueMethods].map((method) => paymentMethods[method][language]).join(', ');
  const limit = most === undefined ? Infinity : toCents(most);
  // A part is refunded from the latest payment first.
  const [latest] = payments
    .filter(({ kind, status }) => kind === 'payment' && status === 'paid')
    .toSorted((a, b) => +b.createdAt - +a.createdAt);
  const isVenueFirst = latest !== undefined && isPaidBackByHand(latest.provider);
  const first = Math.min(Math.max(sumOf(isVenueFirst), 0), limit);
  const second = Math.min(Math.max(sumOf(!isVenueFirst), 0), limit - first);
  const [online, venue] = isVenueFirst ? [second, first] : [first, second];
  return [
    ...(online > 0 ? [words.refundOnline(say(online))] : []),
    ...(venue > 0 ? [words.refundByHand(say(venue), how)] : []),
    ...(online <= 0 && venue <= 0 ? [words.refundNothing] : []),
  ];
}

/** Form fields for a manual refund: its method and a note. */
export function settlementFields(method: RefundMethod = 'cash'): FormField[] {
  const { language } = currentPanelRequest();
  const words = paymentWords[language];
  const options = Object.entries(refundMethods).map(([value, label]) => ({
    value,
    label: value === 'online' ? words.onProviderPages : label[language],
  }));
  return [
    { name: 'method', kind: 'choice', label: words.refundedMethod, value: method, options, required: true },
    { name: 'note', kind: 'text', label: words.refundedNote, help: words.refundedNoteHelp, longest: 200 },
  ];
}

/**
 * Settles refunds with the values of a form of {@link settlementFields}.
 * @returns the ids of the refunds that were settled by this call
 * @throws PanelFieldError when there was none
 */
export async function settleAs(refunds: RefundsService, ids: readonly string[], values: PanelRow): Promise<string[]> {
  const { language, user } = currentPanelRequest();
  const method = textOf(values['method'] ?? 'cash');
  if (!user || !Object.hasOwn(refundMethods, method)) throw new PanelFieldError({ method: { message: 'fieldRequired' } });
  const note = textOf(values['note']).trim().slice(0, 200);
  const settled = await refunds.settleByHand(ids, { method: method as RefundMethod, userId: user.id, ...(note && { note }) });
  if (settled.length === 0) throw new PanelFieldError({}, paymentWords[language].nothingDue);
  return settled;
}

/** The action that records that a reservation or membership was refunded by hand. */
export function refundedAction(db: TenantDb, refunds: RefundsService, subjectOf: (id: string) => PaidSubject): PanelAction {
  const due = async (id: string): Promise<Payment[]> =>
    (await paymentsOf(db, subjectOf(id))).filter(
      ({ status, provider, refundTrouble }) => status === 'refund_due' && (isPaidBackByHand(provider) || refundTrouble !== null),
    );
  return formAction({
    icon: 'CornerUpLeft',
    visible: (row) => Number(row['refundsDue']) > 0,
    form: async (id): Promise<FormView> => {
      const { language } = currentPanelRequest();
      const rows = await due(id);
      const lines = rows.map(({ amount, method }) => `${euros(amount, language)} · ${paymentMethods[method][language]}`);
      const { refundedLead, refundedDo, nothingDue } = paymentWords[language];
      if (lines.length === 0) return { lead: [nothingDue], fields: [] };
      return { lead: [refundedLead], facts: lines, fields: settlementFields(handMethod(rows[0])), submit: refundedDo };
    },
    act: async (id, values) => {
      const ids = (await due(id)).map((payment) => payment.id);
      await settleAs(refunds, ids, values);
      return { message: 'refundedDone' };
    },
  });
}

/** The likely method of a manual refund: the method of the payment; a transfer for online payments. */
export function handMethod(payment: Pick<Payment, 'method'> | undefined): RefundMethod {
  const way = payment && wayBackOf(payment.method);
  if (way === 'online' || way === 'transfer') return 'transfer';
  return way === 'card' ? 'card' : 'cash';
}
