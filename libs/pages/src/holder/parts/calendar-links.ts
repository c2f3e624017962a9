import { eventEnd, type AssumedDuration } from '#catalogue';
import { addDaysInZone, dateOf, isoInZone, isWholeDays } from '#kernel';
import type { HeldEvent } from './held-event.js';

/** Addresses that open an event in the calendars of the web. They say nothing about the holder. */
export interface CalendarLinks {
  readonly google: string;
  readonly outlook: string;
}

/** @param assumed duration of an event without an end, which these calendars need */
export function calendarLinks({ event, place, url }: HeldEvent, timeZone: string, assumed: AssumedDuration): CalendarLinks {
  const { name, startsAt } = event;
  const end = eventEnd(event, assumed);
  const isDays = isWholeDays(event, timeZone);
  // The end of whole days is the day after.
  const days = [dateOf(startsAt, timeZone), dateOf(addDaysInZone(end, timeZone, 1), timeZone)] as const;
  const plain = (text: string): string => text.replaceAll(/[-:]|\.\d{3}/g, '');
  const dates = isDays ? days.map(plain) : [startsAt, end].map((instant) => plain(instant.toISOString()));
  const [from, to] = isDays ? days : ([startsAt, end].map((instant) => isoInZone(instant, timeZone)) as [string, string]);
  const google = { action: 'TEMPLATE', text: name, dates: dates.join('/'), location: place, details: url };
  const outlook = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: name,
    startdt: from,
    enddt: to,
    ...(isDays && { allday: 'true' }),
    location: place,
    body: url,
  };
  return {
    google: `https://calendar.google.com/calendar/render?${new URLSearchParams(google).toString()}`,
    outlook: `https://outlook.live.com/calendar/0/action/compose?${new URLSearchParams(outlook).toString()}`,
  };
}
