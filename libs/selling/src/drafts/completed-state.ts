import {
  type ReservationStatus,
  type TicketStatus,
  type WholeReservation,
  confirmationWaySql,
  isPlentifulSql,
  isSameMailbox,
  membershipOf,
  isSignedIn,
  linkMinutes,
  type DraftContact,
  mostConfirmationMails,
} from '#tickets';
import { toCents, type ConfirmationWay } from '#kernel';
import type { TransferTimes } from '#transfers';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { payAtVenueUntilSql, paymentWayOf } from './payment-ways.js';
import { unconfirmedSql } from './unconfirmed-orders.js';

/** State of a completed draft and of its tickets. */
export interface CompletedState {
  readonly status: ReservationStatus;
  readonly tickets: TicketStatus;
  /** End of the hold; null: it is no hold. */
  readonly expiresAt: Date | null;
  readonly payAtVenue: boolean;
  /** To be paid before this time, once the e-mail address is confirmed; null: nothing is to be confirmed. */
  readonly payUntil: Date | null;
  /** Only a mailed link, or a session of the buyer, leads to the holder's page. */
  readonly opensByMail: boolean;
  /** How its address is confirmed; `none`: its tickets are given at once, to whoever typed the address. */
  readonly confirmation: ConfirmationWay;
}

/** What decides the state of a completed draft, as the database knows it. */
export interface BuyerFacts {
  /** Start of the transaction. */
  readonly now: Date;
  /** undefined: not possible. */
  readonly payAtVenueUntil: Date | undefined;
  /** undefined: not possible, or not chosen. */
  readonly transfer?: TransferTimes | undefined;
  /** End of the offer of a waiting list that the draft belongs to; null: it belongs to none. */
  readonly offeredUntil: Date | null;
  /** The address that this offer was mailed to; null: the draft belongs to none. */
  readonly offeredTo: string | null;
  /** Orders of this address that await their confirmation. */
  readonly unconfirmed: number;
  /** What the venue has set. */
  readonly confirmation: ConfirmationWay;
  /** Places are not scarce, see `isPlentifulSql`. */
  readonly isPlentiful: boolean;
}

const factsStatement: PreparedStatement = {
  name: 'buyer-facts',
  text: `select now() as now, ${unconfirmedSql('$2')} as unconfirmed, ${payAtVenueUntilSql('$1')} as until,
    ${confirmationWaySql} as confirmation, ${isPlentifulSql('$1', '$3')} as "isPlentiful",
    waits.offered_until as "offeredUntil", waits.email as "offeredTo"
    from (values (1)) as one left join waiting_entry waits on waits.reservation_id = $3`,
};

/** Reads what decides the state of a draft. @param key of the buyer's address */
export async function buyerFacts(
  tx: Tx,
  { id, eventId }: { readonly id: string; readonly eventId: string },
  key: string,
): Promise<BuyerFacts> {
  const rows = await queryPrepared<Omit<BuyerFacts, 'payAtVenueUntil'> & { until: Date | null }>(tx, factsStatement, [eventId, key, id]);
  const { until, ...facts } = rows[0] as (typeof rows)[0];
  return { ...facts, payAtVenueUntil: until ?? undefined };
}

/** What decides the state of a completed draft beside its form and the database. */
interface Circumstances {
  readonly holdMinutes: number;
  /** Whether addresses can be confirmed. Where not, only what has a price for members waits for it. */
  readonly confirmsAddresses: boolean;
  readonly canPayOnline: boolean;
  /** Other parts of the same order are paid online: what is free waits for that payment, too. */
  readonly isPaidWithOthers?: boolean;
  /** Something that is paid with it has a price for members, whose membership is not bought with it. Default: one of the tickets. */
  readonly isForMembers?: boolean;
}

/** How long a member can confirm an order after its hold, until it is cancelled. */
const confirmableMs = 24 * 3_600_000;

/** What a form leads to. */
export interface AfterForm {
  /** undefined: the tickets cannot be paid in the chosen way. */
  readonly state: CompletedState | undefined;
  /** Start of the transaction. */
  readonly now: Date;
  /** false: the address has enough mails about what nobody confirmed: this order causes none. Its owner finds it in the account. */
  readonly isMailed: boolean;
  /** The buyer is known to be the person with this address: what the person has counts. */
  readonly isTrusted: boolean;
}

/**
 * The state after the form. An address is trusted when its owner is signed in, or when the draft is an offer that was mailed to it; others
 * may have typed it, whether or not its owner confirmed something before.
 * @param order the draft
 */
export function stateAfterForm(
  order: Pick<WholeReservation, 'amount' | 'tickets'>,
  contact: DraftContact,
  facts: BuyerFacts,
  how: Circumstances,
): AfterForm {
  const isOffered = isSameMailbox(contact.email, facts.offeredTo);
  const isTrusted = isOffered || isSignedIn(contact);
  const awaitsMember = !isTrusted && (how.isForMembers ?? isForMembers(order));
  const state = completedState(order.amount, contact, { ...how, ...facts, isTrusted, awaitsMember });
  // Who paid online sees what was paid for. The mail with an offer is the only way to its draft.
  const isPaidOnline = state?.status === 'R' && !state.payAtVenue && !awaitsMember;
  const isAtOnce = state?.confirmation === 'none';
  return {
    state: state && { ...state, opensByMail: !isOffered && !isPaidOnline && !isAtOnce },
    now: facts.now,
    isMailed: facts.unconfirmed < mostConfirmationMails,
    isTrusted,
  };
}

/**
 * The state after the form: paid tickets await their payment, free ones the confirmation of the address, those for members both.
 * @param amount decimal text
 * @returns undefined when they cannot be paid in the chosen way
 */
function completedState(
  amount: string,
  contact: DraftContact,
  how: Circumstances & BuyerFacts & { readonly isTrusted: boolean; readonly awaitsMember: boolean },
): Omit<CompletedState, 'opensByMail'> | undefined {
  const { now, isTrusted, payAtVenueUntil, offeredUntil, holdMinutes, canPayOnline, isPaidWithOthers = false } = how;
  // Who was offered places keeps them as long as the offer said.
  const expiresAt = new Date(Math.max(now.getTime() + holdMinutes * 60_000, offeredUntil?.getTime() ?? 0));
  // Whoever pays the price of members without an account must show that the address is that of the member.
  const confirmation = how.confirmation === 'none' ? 'link' : how.confirmation;
  const awaitsPayment = { status: 'R', tickets: 'C', expiresAt, payAtVenue: false, payUntil: null, confirmation } as const;
  const payUntil = how.awaitsMember ? new Date(expiresAt.getTime() + confirmableMs) : null;
  const paidOnline = { ...awaitsPayment, payUntil };
  if (isPaidWithOthers) return paidOnline;
  if (toCents(amount) === 0) {
    const booked = { ...awaitsPayment, status: 'FA', tickets: 'K', expiresAt: null } as const;
    if (isTrusted) return booked;
    if (isNeverConfirmed(how) || (how.confirmation === 'none' && !how.awaitsMember)) return { ...booked, confirmation: 'none' };
    const until = now.getTime() + Math.max(holdMinutes, how.isPlentiful ? linkMinutes : 0) * 60_000;
    return { ...awaitsPayment, status: 'F', tickets: 'N', expiresAt: new Date(Math.max(until, expiresAt.getTime())) };
  }
  if (paymentWayOf(contact, canPayOnline) === 'online') return canPayOnline ? paidOnline : undefined;
  const laterUntil = contact.payment === 'transfer' ? how.transfer?.until : payAtVenueUntil;
  if (!laterUntil) return undefined;
  const later = { ...awaitsPayment, payAtVenue: true, expiresAt: laterUntil };
  if (isTrusted) return later;
  if (isNeverConfirmed(how)) return { ...later, confirmation: 'none' };
  // An invented address must not hold places until the event.
  return { ...awaitsPayment, payAtVenue: true, payUntil: laterUntil };
}

/**
 * Whether an order of somebody with an unknown address is valid at once, because nobody could confirm it. Prices for members wait all the
 * same.
 */
export function isNeverConfirmed(how: Pick<Circumstances, 'confirmsAddresses'> & { readonly awaitsMember: boolean }): boolean {
  return !how.confirmsAddresses && !how.awaitsMember;
}

/** Whether a ticket has a price or a discount for members that must be those of the buyer's address. */
export function isForMembers({ tickets }: Pick<WholeReservation, 'tickets'>): boolean {
  return tickets.some((ticket) => membershipOf(ticket) !== null);
}
