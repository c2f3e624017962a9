import { RefusedInput, type Text } from '#kernel';
import { texts } from '../locales/selling.texts.js';

/** Why the pages refuse a draft, beside what refuses every booking. */
export type DraftConflict =
  | 'too_many_held'
  | 'too_many_here'
  | 'changed'
  | 'not_payable'
  | 'cart_full'
  | 'membership_gone'
  | 'too_many_memberships'
  | 'queue_full'
  | 'queue_ahead'
  | 'queue_lapsed'
  | 'unconfirmed'
  | 'mailed_often'
  | 'sign_in'
  | 'pass_changed'
  | 'pass_gone'
  | 'pass_dates'
  | 'code_tries'
  | 'free_with_code'
  | 'sign_in_transfer';

const conflicts: Readonly<Record<Exclude<DraftConflict, 'too_many_here'>, Text>> = {
  too_many_held: texts.localized('drafts.tooManyHeld'),
  changed: texts.localized('drafts.changed'),
  not_payable: texts.localized('drafts.notPayable'),
  cart_full: texts.localized('drafts.cartFull'),
  membership_gone: texts.localized('drafts.membershipGone'),
  too_many_memberships: texts.localized('drafts.tooManyMemberships'),
  queue_full: texts.localized('drafts.queueFull'),
  queue_ahead: texts.localized('drafts.queueAhead'),
  queue_lapsed: texts.localized('drafts.queueLapsed'),
  unconfirmed: texts.localized('drafts.unconfirmed'),
  mailed_often: texts.localized('drafts.mailedOften'),
  sign_in: texts.localized('drafts.signIn'),
  pass_changed: texts.localized('drafts.passChanged'),
  pass_gone: texts.localized('drafts.passGone'),
  pass_dates: texts.localized('drafts.passDates'),
  code_tries: texts.localized('drafts.codeTries'),
  sign_in_transfer: texts.localized('drafts.signInTransfer'),
  free_with_code: texts.localized('drafts.freeWithCode'),
};

/** A refusal of a draft. A form shows it beside `field`. */
export class RefusedDraft extends RefusedInput {
  constructor(
    readonly reason: DraftConflict,
    field = 'tickets',
    /** Of `too_many_here`: the most tickets that one network may hold for the event. */
    most = 0,
  ) {
    super(field, reason === 'too_many_here' ? texts.localized('drafts.tooManyHere', { most }) : conflicts[reason]);
  }
}

/** The networks of a buyer hold too many tickets. @param most of one network for the event, when that is the reason; otherwise null */
export const tooManyHeld = (most: number | null): RefusedDraft =>
  most === null ? new RefusedDraft('too_many_held') : new RefusedDraft('too_many_here', 'tickets', most);

/** @throws RefusedDraft when an order has other tickets than its form showed, because another tab changed it */
export function refuseOtherTickets(now: readonly string[], shown: readonly string[]): void {
  if (!areSame(now, shown)) throw new RefusedDraft('changed');
}

/** Whether these ids are the same, in the same order. */
export const areSame = (now: readonly string[], shown: readonly string[]): boolean =>
  now.length === shown.length && now.every((id, index) => id === shown[index]);
