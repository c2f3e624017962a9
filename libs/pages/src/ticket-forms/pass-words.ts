import type { Language } from '#kernel';
import { amountWords } from '#page-kit';
import type { SoldPass } from '../public-events/public-events.service.js';
import { bookingWords } from './booking.words.js';

/** `€20 a date, valid on 4 dates`; `€20 a date, for 3 dates of your choice`. */
export function passWords({ dates, isChosen, amount }: SoldPass, language: Language): string {
  const words = bookingWords[language];
  return (isChosen ? words.chosenDates : words.pass)(dates, amountWords(amount, language));
}
