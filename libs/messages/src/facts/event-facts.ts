import { alterationLabel, alterationWords, eventTimeText } from '#catalogue';
import { costsNothing, moneyWords, type Language } from '#kernel';
import type { BookingMailFacts, MailEvent, MailPlace } from './mail-facts.js';
import { mailWords } from './mail.words.js';

/** `€12.50`, `12,50 €`, `Free`. */
export function chargeWords(amount: string, currency: string, language: Language): string {
  return costsNothing(amount) ? mailWords[language].free : moneyWords(amount, currency, language);
}

/** The time of the event in the venue's time zone; of a postponed one also that it is not valid. */
export function eventWhen(event: MailEvent, { language, tenant }: Pick<BookingMailFacts, 'language' | 'tenant'>): string {
  const when = eventTimeText(event, language, tenant.timeZone);
  return event.alteration === 'postponed' ? `${alterationLabel(event, language, tenant.timeZone)} (${when})` : when;
}

/** When the event is, and on further lines what differs from its first announcement. */
export function eventWhenLines(event: MailEvent, data: Pick<BookingMailFacts, 'language' | 'tenant'>): string {
  const altered = alterationWords(event, data.language, data.tenant.timeZone);
  return [eventWhen(event, data), altered].filter(Boolean).join('\n');
}

/** The known lines of a place: name, street, city. */
export function placeLines(place: MailPlace | null): string[] {
  return [place?.name, place?.street, place?.city].map((line) => line?.trim() ?? '').filter((line) => line !== '');
}
