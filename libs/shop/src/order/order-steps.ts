import { isGoodsAlone, RefusedBooking, type CompletedReservation, type WholeReservation } from '#booking';
import { databaseNow, forEachLanguage, RefusedInput } from '#kernel';
import { bookingWords } from '#pages';
import { texts } from '../locales/shop.texts.js';

/**
 * Maps a refusal to the field of the contact form that shows it, with a text that says what is still possible.
 * @param tickets of the refused order
 */
export function toFormRefusal(error: RefusedInput, tickets: WholeReservation['tickets']): RefusedInput {
  if (!(error instanceof RefusedBooking)) return error;
  const { reason, facts } = error;
  if (reason === 'membership_required') return error.at('email');
  if (reason === 'sold_out')
    return new RefusedInput('tickets', isGoodsAlone(tickets) ? texts.localized('orderGoods.soldOut') : texts.localized('order.soldOut'));
  if (reason === 'limit_per_user')
    return new RefusedInput(
      'tickets',
      forEachLanguage((language) => bookingWords[language].mayBook(facts.mayBook ?? 0)),
    );
  return error;
}

/** Whether an online payment is due that was not begun, and the tickets are still held. */
export function isPayable({ status, payAtVenue, expiresAt }: CompletedReservation): boolean {
  return status === 'R' && !payAtVenue && expiresAt !== null && expiresAt > databaseNow();
}
