import { dayAndTimeWords, forEachLanguage, RefusedInput, type Text } from '#kernel';
import { currentTenant } from '#tenancy';
import { texts } from '../locales/tickets.texts.js';

/** Remaining quantity of a price for the requested event; null: no limit. */
export interface Remaining {
  readonly priceId: string;
  readonly name: string;
  readonly remaining: number | null;
}

/** Why a valid booking request conflicts with the stored state. */
export type BookingConflict =
  | 'sold_out'
  | 'limit_per_user'
  | 'membership_required'
  | 'event_not_published'
  | 'event_postponed'
  | 'event_over'
  | 'price_not_published'
  | 'sale_not_open'
  | 'sale_ended'
  | 'whole_series'
  | 'code_unknown'
  | 'code_early'
  | 'code_expired'
  | 'code_elsewhere'
  | 'code_used_up'
  | 'code_limit';

const conflicts: Readonly<Record<BookingConflict, Text>> = {
  sold_out: texts.localized('refusedBooking.conflicts.soldOut'),
  limit_per_user: texts.localized('refusedBooking.conflicts.limitPerUser'),
  membership_required: texts.localized('refusedBooking.conflicts.membershipRequired'),
  event_not_published: texts.localized('refusedBooking.conflicts.eventNotPublished'),
  event_postponed: texts.localized('refusedBooking.conflicts.eventPostponed'),
  event_over: texts.localized('refusedBooking.conflicts.eventOver'),
  price_not_published: texts.localized('refusedBooking.conflicts.priceNotPublished'),
  sale_not_open: texts.localized('refusedBooking.conflicts.saleNotOpen'),
  sale_ended: texts.localized('refusedBooking.conflicts.saleEnded'),
  whole_series: texts.localized('refusedBooking.conflicts.wholeSeries'),
  code_unknown: texts.localized('refusedBooking.conflicts.codeUnknown'),
  code_early: texts.localized('refusedBooking.conflicts.codeEarly'),
  code_expired: texts.localized('refusedBooking.conflicts.codeExpired'),
  code_elsewhere: texts.localized('refusedBooking.conflicts.codeElsewhere'),
  code_used_up: texts.localized('refusedBooking.conflicts.codeUsedUp'),
  code_limit: texts.localized('refusedBooking.conflicts.codeLimit'),
};

const soldOutTogether = texts.localized('refusedBooking.soldOutTogether');

/** A refusal that depends on the stored state. A form shows it beside `field`. */
export class RefusedBooking extends RefusedInput {
  constructor(
    readonly reason: BookingConflict,
    field: string,
    readonly facts: {
      /** Remaining quantities by price. */
      readonly remaining?: readonly Remaining[];
      /** Number of tickets that this person may still book. Like `held`, only the person itself and callers with a key may learn it. */
      readonly mayBook?: number;
      /** Number of tickets that this person has. */
      readonly held?: number;
      /** Maximum number of tickets per person. */
      readonly maximum?: number;
      /** When the sale of the price opens. */
      readonly opensAt?: Date;
      /** The event has places of its own, but its series has too few of those that its dates share. */
      readonly isShared?: boolean;
    } = {},
  ) {
    super(field, facts.opensAt ? opensLater(facts.opensAt) : facts.isShared ? soldOutTogether : conflicts[reason]);
  }

  /** Whether it depends on what the person has: others must not learn it. */
  get isPersonal(): boolean {
    return this.reason === 'limit_per_user' || this.reason === 'membership_required' || this.reason === 'code_limit';
  }
}

/** Says when a sale opens, in the time zone of the venue. */
function opensLater(opensAt: Date): Text {
  return forEachLanguage((language) => {
    const time = dayAndTimeWords(opensAt, language, currentTenant().timeZone);
    return texts.localized('refusedBooking.opensLater', { time })[language];
  });
}

/** Why a sale was not written. */
export interface SaleFailure {
  /**
   * `offer`: it has changed since it was read, or the clocks have parted. `queue`: people wait in the queue of the event. `network`: the
   * networks of the buyer hold too many tickets. `places`: the event has too few, or the dates of its series together. `list`: people wait
   * who come first. `person`: the person would have too many tickets. `stock`: a price has too little. `membership`: the person has none
   * that a price requires. `code`: it has too few uses left, or too little of its budget. `code_person`: the person used it too often.
   */
  readonly kind: 'offer' | 'queue' | 'network' | 'places' | 'list' | 'person' | 'stock' | 'membership' | 'code' | 'code_person';
  /** `person`: of the person; `network`: of one network for the event, when this event is the reason; otherwise null. */
  readonly maximum: number | null;
  /** `person`: what the person has; otherwise null. */
  readonly held: number | null;
}

/** The current state does not allow the change, or a ticket is already scanned or handed out. */
export class RefusedTransition extends RefusedInput {
  constructor(
    readonly reason: 'transition' | 'scanned' | 'fulfilled',
    readonly from: string,
  ) {
    super('status', refusals[reason]);
  }
}

const refusals: Readonly<Record<'transition' | 'scanned' | 'fulfilled', Text>> = {
  transition: texts.localized('refusedBooking.transition'),
  scanned: texts.localized('refusedBooking.scanned'),
  fulfilled: texts.localized('refusedBooking.fulfilled'),
};

/** Why a reservation with money is not cancelled by somebody who may not pay back. */
export const wouldPayBack = (): RefusedInput => new RefusedInput('status', texts.localized('refusedBooking.paid'));

export interface UsedTicket {
  readonly status: string;
  readonly fulfilledAt: Date | null;
}

/** Refuses to cancel a ticket that was scanned or whose goods were handed out. @throws RefusedTransition */
export function refuseUsed({ status, fulfilledAt }: UsedTicket, from: string): void {
  if (status === 'S') throw new RefusedTransition('scanned', from);
  if (fulfilledAt) throw new RefusedTransition('fulfilled', from);
}
