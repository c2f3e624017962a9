import { databaseNow } from '#kernel';
import { ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { placeLines } from '../facts/event-facts.js';
import type { BookingMailFacts } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';

/** `PUBLISH` puts the event into the buyer's calendar, `CANCEL` takes it out again (RFC 5546). */
export type CalendarMethod = 'PUBLISH' | 'CANCEL';

/**
 * The event as the buyer's calendar takes it (RFC 5545). Its UID is that of the reservation and its SEQUENCE grows with every change, so
 * that what is sent later replaces it. Times are in UTC, which every calendar shows on its own clocks, the change of the clocks included.
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
        // With METHOD it says when this was written (RFC 5545, 3.8.7.2).
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
  // The library leaves out the last line's end, without which strict readers lose the line.
  return `${calendar.toString()}\r\n`;
}

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\uFFFE\uFFFF\s]+/gu, ' ')
    .trim();
