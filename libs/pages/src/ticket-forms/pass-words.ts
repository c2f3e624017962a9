import type { Language } from '#kernel';
import { amountWords } from '#page-kit';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { bookingWords } from './booking.words.js';

/** `€20 a date, valid on 4 dates`. */
export function passWords({ dates, amount }: NonNullable<PublicPrice['pass']>, language: Language): string {
  return bookingWords[language].pass(dates, amountWords(amount, language));
}
