import { ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { placeLines } from './event-facts.js';
import type { BookingMailFacts } from './mail-facts.js';
import { mailWords } from './mail.words.js';

/**
 * The event as the buyer's calendar takes it (RFC 5545). Named by the reservation, so that what is sent again replaces it. Times are in
 * UTC, which every calendar shows on its own clocks, the change of the clocks included.
 */
export function eventCalendar({ language, reservation, event }: BookingMailFacts): string {
  const { name, startsAt, endsAt, place, url } = event;
  const where = placeLines(place).map(oneLine).join(', ');
  const calendar = new ICalCalendar({
    prodId: { company: 'Guichet', product: 'Booking' },
    method: ICalCalendarMethod.PUBLISH,
    events: [
      {
        id: reservation.id,
        start: startsAt,
        ...(endsAt && endsAt > startsAt ? { end: endsAt } : {}),
        summary: oneLine(name),
        description: oneLine(`${mailWords[language].reference} ${reservation.reference}`),
        ...(where ? { location: where } : {}),
        ...(/^https?:\/\//i.test(url) && URL.canParse(url) ? { url: new URL(url).href } : {}),
        status: ICalEventStatus.CONFIRMED,
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
