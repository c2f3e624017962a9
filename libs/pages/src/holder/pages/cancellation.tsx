import type { CancellationEnd, ExpectedRefund, WholeReservation } from '#tickets';
import { currency, currentLanguage, grouped, moneyWords, sumOf } from '#kernel';
import { wayBackOf, withoutCorrections, type PaymentMethod } from '#payments';
import type { Venue } from '#page-kit';
import type { VNode } from 'preact';
import type { SameOrder } from '../parts/same-order.js';
import { endWords } from './cancel-row.js';
import type { HeldTicket } from './held-ticket.js';
import { holderWords, holderWordsFor } from './holder.words.js';
import { formPage } from './ticket-forms.js';

/** Tickets that a holder may want to cancel. */
export interface Cancellation {
  readonly reservation: WholeReservation;
  /** Empty when one of them can no longer be cancelled. */
  readonly tickets: readonly HeldTicket[];
  /** What the link names, also when it can no longer be cancelled. */
  readonly asked: readonly HeldTicket[];
  readonly path: string;
  readonly back: string;
  readonly venue: Venue;
  /** The person to whom the ticket was given; null: the buyer. */
  readonly holderEmail: string | null;
  readonly isCancelled: boolean;
}

interface Terms {
  /** What the buyer ordered together with it. */
  readonly order: SameOrder | undefined;
  readonly end: NonNullable<CancellationEnd>;
  readonly refunds: readonly ExpectedRefund[];
  readonly isBuyer: boolean;
}

/** Asks whether the tickets are to be cancelled, and says what is refunded. */
export function cancellationPage({ reservation, tickets, path, back, venue, holderEmail }: Cancellation, terms: Terms): string {
  const words = holderWordsFor(currentLanguage(), tickets);
  const { order } = terms;
  const rest = order?.others.some(({ status }) => status !== 'C') ? [order.isPass ? words.cancelOfPass : words.cancelOfOrder] : [];
  const lines = [words.cancelAsk(tickets.length), ...rest, ...refundLines(terms), endWords(terms.end, words)];
  const title = tickets.length === 1 ? words.cancelTicket : words.cancelAll;
  return formPage(
    { reservation, about: tickets, back, venue, ...(holderEmail !== null && { shown: tickets }) },
    title,
    <>
      {lines.map((line) => (
        <p>{line}</p>
      ))}
      <form class="order actions" method="post" action={`${path}/cancel`}>
        <button class="button">{words.cancelDo}</button> <a href={back}>{words.keep}</a>
      </form>
    </>,
  );
}

function refundLines({ refunds, isBuyer }: Terms): string[] {
  const language = currentLanguage();
  const words = holderWords[language];
  if (refunds.length === 0) return [words.refundNone];
  return refunds.map(({ way, amount }) => {
    const money = moneyWords(amount, currency, language);
    if (!isBuyer) return words.refundToBuyer(money);
    if (way === 'gift_card') return words.refundGiftCard(money);
    if (way === 'transfer') return words.refundTransfer(money);
    return way === 'online' ? words.refundOnline(money) : words.refundVenue(money);
  });
}

/** What of a reservation was refunded, and what is being refunded; nothing without refunds. */
export function Refunds({ payments }: Pick<WholeReservation, 'payments'>): VNode {
  const language = currentLanguage();
  const words = holderWords[language];
  const texts = { done: words.refunded, online: words.refundOnline, transfer: words.refundTransfer, venue: words.refundVenue };
  const refunds = withoutCorrections(payments).filter(({ kind, status }) => kind === 'refund' && status !== 'refund_failed');
  const states = grouped(refunds, ({ status, method }) => stateOf(status, method));
  return (
    <>
      {[...states].map(([state, rows]) => (
        <p class="hint">{texts[state](moneyWords(sumOf(rows), currency, language))}</p>
      ))}
    </>
  );
}

function stateOf(status: string, paidWith: PaymentMethod): 'done' | 'online' | 'transfer' | 'venue' {
  if (status === 'refunded') return 'done';
  const method = wayBackOf(paidWith);
  return method === 'online' || method === 'transfer' ? method : 'venue';
}
