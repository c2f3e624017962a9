import { ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { CalendarDrawing } from './drawing.js';

/** Renders an event as an iCalendar file (RFC 5545). Times are in UTC, which calendars convert to local time. */
export function drawCalendar({ kind: _kind, method, isTentative, ...event }: CalendarDrawing): Buffer {
  const { CANCELLED, CONFIRMED, TENTATIVE } = ICalEventStatus;
  const calendar = new ICalCalendar({
    prodId: { company: 'Guichet', product: 'Booking' },
    method: ICalCalendarMethod[method],
    events: [{ ...event, status: method === 'CANCEL' ? CANCELLED : isTentative ? TENTATIVE : CONFIRMED }],
  });
  // The library omits the final line break, without which strict readers ignore the last line.
  return Buffer.from(`${calendar.toString()}\r\n`);
}
