import { alterationLabel, alteredTitle, changedTimes } from '#catalogue';
import { dayAndTimeWords, localeOf } from '#kernel';
import { eventWhen, placeLines } from '../facts/event-facts.js';
import type { BookingMailFacts, EventChangedFacts, EventMessageFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';
import { button, facts, noBlock, note, paragraph, type MailBlock } from '../layout/mail-blocks.js';
import type { MailContent } from '../layout/mail-frame.js';
import { venueWords } from './booking-blocks.js';
import { bookingMail, eventBlock } from './templates.js';

/** Tells a holder that time, place or status of the event changed: what is new, what it was, and how to return the tickets. */
export function eventChangedMail(data: EventChangedFacts): MailContent {
  const { language, event } = data;
  const { eventChanged: words, fromVenue, yourBooking } = mailWordsFor(data);
  const { timeZone } = data.tenant;
  const { alteration, startsAt } = data.before;
  // An event that was moved before keeps its label, also when this change is another one.
  const isLabelled =
    Boolean(alterationLabel(event, language, timeZone)) && (alteration !== event.alteration || !isSame(event.startsAt, startsAt));
  const subject = isLabelled ? alteredTitle(event.name, event, language, timeZone) : words.subject(event.name);
  return bookingMail(data, subject, [
    paragraph(leadWords(data)),
    eventBlock(data),
    beforeBlock(data),
    venueWords(fromVenue, data.words),
    note(words.valid),
    paragraph(returnWords(data)),
    button(yourBooking, data.holderUrl),
    paragraph(words.calendar),
  ]);
}

/** Reminds a holder of the event: when, where, and the way to the tickets. */
export function eventReminderMail(data: BookingMailFacts): MailContent {
  const { event } = data;
  const { reminder: words, yourBooking } = mailWordsFor(data);
  return bookingMail(data, words.subject(event.name, eventWhen(event, data)), [
    paragraph(words.lead(event.name)),
    eventBlock(data),
    button(yourBooking, data.holderUrl),
  ]);
}

/** What staff wrote to a guest. */
export function eventMessageMail(data: EventMessageFacts): MailContent {
  const { yourBooking } = mailWordsFor(data);
  return bookingMail(data, data.subject, [paragraph(data.words), eventBlock(data), button(yourBooking, data.holderUrl)]);
}

/** Which of date, time and place are others now. */
function leadWords(data: EventChangedFacts): string {
  const { before, event, language, tenant } = data;
  const { lead, leadOther, changes } = mailWordsFor(data).eventChanged;
  const isMoved = placeLines(before.place).join('\n') !== placeLines(event.place).join('\n');
  const changed = [...changedTimes({ ...event, ...before }, event, tenant.timeZone), ...(isMoved ? ['place' as const] : [])];
  if (changed.length === 0) return leadOther(event.name);
  const list = new Intl.ListFormat(localeOf(language), { type: 'conjunction' });
  return lead(event.name, list.format(changed.map((one) => changes[one])));
}

/** Time and place before the change, as far as they are different now. */
function beforeBlock(data: EventChangedFacts): MailBlock {
  const { before, event } = data;
  const { eventChanged: words } = mailWordsFor(data);
  const when = (shown: EventChangedFacts['event']): string => eventWhen(shown, data);
  const [whenBefore, placeBefore] = [when({ ...event, ...before }), placeLines(before.place).join('\n')];
  // The time of an event with another date names the one before.
  const isNamed = event.alteration !== null && event.alteration !== 'postponed' && isSame(event.previousStartsAt, before.startsAt);
  const rows = [
    ...(whenBefore === when(event) || isNamed ? [] : [[words.whenBefore, whenBefore] as const]),
    ...(placeBefore === '' || placeBefore === placeLines(event.place).join('\n') ? [] : [[words.whereBefore, placeBefore] as const]),
  ];
  return rows.length > 0 ? facts(rows) : noBlock;
}

const isSame = (one: Date | null | undefined, other: Date): boolean => one?.getTime() === other.getTime();

/** How to return the tickets: on the holder's page while that is possible, else by writing to the venue. */
function returnWords(data: EventChangedFacts): string {
  const { language, tenant, returnUntil } = data;
  const { eventChanged: words } = mailWordsFor(data);
  if (returnUntil) return words.returnOnPage(dayAndTimeWords(returnUntil, language, tenant.timeZone));
  return tenant.email === null ? words.returnByAnswer : words.returnByMail(tenant.email);
}
