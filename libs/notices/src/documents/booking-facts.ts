import { isGoodsAlone, usedDiscountsOf, withdrawableGoods } from '#tickets';
import type { WholeEvent } from '#catalogue';
import { currency, sumOf, toCents } from '#kernel';
import type { BookingMailFacts, MailLine, MailTenant, MailTicket, Refund, RefundedFacts } from '#messages';
import { wayBackOf, withoutCorrections } from '#payments';
import { currentTenant } from '#tenancy';
import { walletPaths, type WalletOffer } from '#wallet';
import { ownTextsIn, type StoredMailText } from '../mails/mail-text-rules.js';
import { mailEventOf } from './mail-event.js';
import type { MailedReservation } from './mailed-reservation.js';

/** A ticket of a mailed reservation. */
export type GivenTicket = MailedReservation['tickets'][number];

/** The tickets that the buyer did not give to somebody else. */
export function heldByBuyer({ tickets }: MailedReservation): GivenTicket[] {
  return tickets.filter(({ holderEmail }) => holderEmail === null);
}

/** A ticket in a list of amounts. */
export function lineOf({ firstName, lastName, amount, price }: GivenTicket): MailLine {
  return { holder: `${firstName} ${lastName}`.trim(), product: price.product.name, price: price.name, amount };
}

/** The addresses that add a ticket to the wallets of the offer, below the page of its holder. */
export function walletLinks(holderUrl: string, { id, holderEmail }: GivenTicket, { apple, google }: WalletOffer): MailTicket['wallets'] {
  const page = holderEmail === null ? `${holderUrl}/tickets/${id}` : holderUrl;
  return { ...(apple && { apple: `${page}/${walletPaths.apple}` }), ...(google && { google: `${page}/${walletPaths.google}` }) };
}

/** What facts need besides the reservation and its event. */
export interface MailedFacts {
  /** Address of the event's page. */
  readonly url: string;
  readonly holderUrl: string;
  /** The venue's own texts. */
  readonly texts: readonly StoredMailText[];
  /** Whether the recipient confirmed the address. */
  readonly isConfirmed?: boolean | undefined;
}

/** Data of all mails about a reservation. */
export function factsOf(reservation: MailedReservation, event: WholeEvent, tenant: MailTenant, more: MailedFacts): BookingMailFacts {
  const { id, email, firstName, lastName, amount, sequence, usedCode } = reservation;
  const language = reservation.language ?? currentTenant().language;
  const discounts = usedDiscountsOf(reservation.tickets);
  return {
    language,
    tenant,
    reservation: { id, reference: referenceOf(id), email, firstName, lastName, total: amount, currency, sequence, usedCode, discounts },
    event: mailEventOf(event, more.url),
    holderUrl: more.holderUrl,
    isConfirmed: more.isConfirmed ?? false,
    own: ownTextsIn(more.texts, language),
    isGoods: isGoodsAlone(reservation.tickets),
    withdrawUrl: tenant.hasWithdrawal && withdrawableGoods(reservation).length > 0 ? `${more.holderUrl}/withdraw` : undefined,
  };
}

/** Short reference of a reservation or membership, for people: the first eight characters of its UUID. */
export function referenceOf(id: string): string {
  return id.slice(0, 8).toUpperCase();
}

/**
 * Refunds grouped by payment method, including those already paid out, and payments that are still being processed. Failed refunds and
 * refunds made on the provider's own pages are left out.
 */
export function refundsOf({ payments }: Pick<MailedReservation, 'payments'>): Refund[] {
  const given = withoutCorrections(payments).filter(({ kind, status }) => kind === 'refund' && status !== 'refund_failed');
  const waysBack = (['online', 'cash', 'card', 'gift_card', 'transfer'] as const).map((way) => ({
    way,
    amount: sumOf(given.filter(({ method, reason }) => wayBackOf(method) === way && reason !== 'provider')),
  }));
  const underWay = {
    way: 'processing' as const,
    amount: sumOf(payments.filter(({ status }) => status === 'processing')),
  };
  return [...waysBack, underWay].filter(({ amount }) => toCents(amount) > 0);
}

/** Why a payment of a reservation was refunded as soon as it arrived. */
export function causeOf({ status, cancelReason }: MailedReservation): RefundedFacts['cause'] {
  if (status !== 'C') return 'twice';
  return cancelReason === 'limit' ? 'limit' : 'late';
}
