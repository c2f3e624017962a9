import { databaseNow } from '#kernel';
import { ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { placeLines } from '../facts/event-facts.js';
import type { BookingMailFacts } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';

/** `PUBLISH` adds the event to the buyer's calendar, `CANCEL` removes it (RFC 5546). */
export type CalendarMethod = 'PUBLISH' | 'CANCEL';

/**
 * Renders the event as an iCalendar file (RFC 5545). Its UID is the id of the reservation and its SEQUENCE increases with each change, so
 * that a later file replaces it. Times are in UTC, which calendars convert to local time.
 */
export function eventCalendar({ language, tenant, reservation, event }: BookingMailFacts, method: CalendarMethod = 'PUBLISH'): string {
  const { name, startsAt, endsAt, place, url, changedAt } = event;
  const where = placeLines(place).map(oneLine).join(', ');
  const calendar = new ICalCalendar({
    prodId: { company: 'Guichet', product: 'Booking' },
    method: ICalCalendarMethod[method],
    events: [
      {
        id: reservation.id,
        sequence: event.sequence + reservation.sequence,
        // With METHOD, DTSTAMP is the time of this file (RFC 5545, 3.8.7.2).
        stamp: databaseNow(),
        lastModified: method === 'CANCEL' ? databaseNow() : changedAt,
        organizer: { name: oneLine(tenant.name), email: tenant.email ?? tenant.sender },
        start: startsAt,
        ...(endsAt && endsAt > startsAt ? { end: endsAt } : {}),
        summary: oneLine(name),
        description: oneLine(`${mailWords[language].reference} ${reservation.reference}`),
        ...(where ? { location: where } : {}),
        ...(/^https?:\/\//i.test(url) && URL.canParse(url) ? { url: new URL(url).href } : {}),
        status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      },
    ],
  });
  // The library omits the final line break, without which strict readers ignore the last line.
  return `${calendar.toString()}\r\n`;
}

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\uFFFE\uFFFF\s]+/gu, ' ')
    .trim();
