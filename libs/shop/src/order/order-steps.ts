import type { CompletedReservation } from '#selling';
import { RefusedBooking, type WholeReservation } from '#tickets';
import { databaseNow, forEachLanguage, RefusedInput, type Language } from '#kernel';
import { bookingWords, maximumWords } from '#pages';
import { orderWords, orderWordsFor } from '../frame/order.words.js';

/**
 * Maps a refusal to the field of the contact form that shows it, with a text that says what is still possible.
 * @param tickets of the refused order
 * @param isOwn who sent the form is signed in with the address that it is about
 */
export function toFormRefusal(error: RefusedInput, tickets: WholeReservation['tickets'], isOwn: boolean): RefusedInput {
  if (!(error instanceof RefusedBooking)) return error;
  const { reason } = error;
  if (reason === 'membership_required') return error.at('email');
  if (reason === 'sold_out')
    return new RefusedInput(
      'tickets',
      forEachLanguage((language) => {
        const words = orderWordsFor(language, tickets);
        const left = leftWords(error, tickets, language);
        return left === undefined ? words.soldOut : `${left} ${words.chooseOthers}`;
      }),
    );
  // Whoever typed the address of somebody else must not learn what that person has.
  if (reason === 'code_limit' && !isOwn) return new RefusedBooking('code_used_up', 'tickets');
  if (error.field === 'code') return error.at('tickets');
  if (reason === 'limit_per_user')
    return new RefusedInput(
      'tickets',
      forEachLanguage((language) => maximumWords(error, language, isOwn)),
    );
  return error;
}

/**
 * Says how many are left of what was refused as sold out: of each price with too few, else of the event.
 * @param tickets of the refused order
 * @returns undefined when it is not known, or changed since
 */
export function leftWords(
  { facts, message }: RefusedBooking,
  tickets: WholeReservation['tickets'],
  language: Language,
): string | undefined {
  const { onlyLeft, noneLeft } = bookingWords[language];
  const why = facts.isShared ? `${message} ` : '';
  const say = (count: number): string => (count === 0 ? noneLeft : onlyLeft(count));
  const wanted = new Map<string, number>();
  for (const { priceId } of tickets) wanted.set(priceId, (wanted.get(priceId) ?? 0) + 1);
  const offers = [...wanted].flatMap(([id, count]) => {
    const { name = '', remaining = null } = facts.remaining?.find(({ priceId }) => priceId === id) ?? {};
    return remaining === null ? [] : [{ name, remaining, count }];
  });
  const short = offers.filter(({ remaining, count }) => remaining < count);
  if (short.length > 0) {
    if (wanted.size === 1) return why + say(short[0]?.remaining ?? 0);
    return why + short.map(({ name, remaining }) => orderWords[language].leftOf(name, say(remaining))).join(' ');
  }
  const most = Math.max(0, ...offers.map(({ remaining }) => remaining));
  return offers.length > 1 && most < tickets.length ? why + say(most) : undefined;
}

/** Whether an online payment is due that was not begun, and the tickets are still held. */
export function isPayable({ status, payAtVenue, payUntil, expiresAt }: CompletedReservation): boolean {
  return status === 'R' && !payAtVenue && payUntil === null && expiresAt !== null && expiresAt > databaseNow();
}

/** Whether a completed order is cancelled, or was not paid in time. */
export function isOver({ status, payAtVenue }: CompletedReservation): boolean {
  return status === 'C' || (status === 'R' && !payAtVenue);
}
