import { costsNothing, moneyWords, whenText, type Language } from '#kernel';
import type { BookingMailFacts, MailEvent, MailPlace } from './mail-facts.js';
import { mailWords } from './mail.words.js';

/** `€12.50`, `12,50 €`, `Free`. */
export function amountWords(amount: string, currency: string, language: Language): string {
  return costsNothing(amount) ? mailWords[language].free : moneyWords(amount, currency, language);
}

/** When the event is, on the venue's clocks. */
export function eventWhen(event: MailEvent, { language, tenant }: Pick<BookingMailFacts, 'language' | 'tenant'>): string {
  return whenText(event, language, tenant.timeZone);
}

/** Name, street and city of a place, those that are known. */
export function placeLines(place: MailPlace | null): string[] {
  return [place?.name, place?.street, place?.city].map((line) => line?.trim() ?? '').filter((line) => line !== '');
}
