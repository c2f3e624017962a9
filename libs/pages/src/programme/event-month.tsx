import { capitalized, dateOf, momentWords, startOfDayInZone, timeWords } from '#kernel';
import { monthWords, pageWords } from '#page-kit';
import type { VNode } from 'preact';
import { agendaHref, monthAfter, monthBefore, type AgendaQuery } from '../filters/agenda-query.js';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { isOff, NameLink, type ProgrammeReading, zoneOf } from './event-facts.js';
import { daysOf, firstWeekday, weeksOf } from './month-days.js';
import { programmeWords } from '../event-lists/programme.words.js';

/** Maximum number of events in the field of a day; a link leads to the others. */
const mostPerDay = 3;
/** The last month with a name; no event is later. */
const lastMonth = '9999-12';

interface MonthProps {
  readonly events: readonly ListedEvent[];
  /** With the month. */
  readonly query: AgendaQuery;
  readonly reading: ProgrammeReading;
}

/** The events of a month as a calendar, those of several days on each of them; links to the months before and after it. */
export function EventMonth({ events, query, reading }: MonthProps): VNode {
  const { language, timeZone, now } = reading;
  const month = query.month as string;
  const named = (one: string, options: Intl.DateTimeFormatOptions): string =>
    capitalized(momentWords(startOfDayInZone(`${one}-01`, timeZone) as Date, language, timeZone, options));
  const weeks = weeksOf(month, firstWeekday(language));
  const byDay = eventsByDay(events, month, reading);
  const to = (one: string): string => agendaHref('/', query, { month: one });
  const [before, after] = [monthBefore(month), monthAfter(month)];
  return (
    <>
      <nav class="month-nav line" aria-label={programmeWords[language].month}>
        {/* What is over is not in the agenda. */}
        {before >= dateOf(now, timeZone).slice(0, 7) ? (
          <a href={to(before)} rel="nofollow prev">
            ← {named(before, { month: 'long' })}
          </a>
        ) : (
          <span />
        )}
        <h2 id="month">{capitalized(monthWords(startOfDayInZone(`${month}-01`, timeZone) as Date, language, timeZone))}</h2>
        {month < lastMonth ? (
          <a href={to(after)} rel="nofollow next">
            {named(after, { month: 'long' })} →
          </a>
        ) : (
          <span />
        )}
      </nav>
      <table class="month" aria-labelledby="month">
        <thead>
          <tr>
            {(weeks[1] ?? []).map((day) => (
              <th class="caps" scope="col">
                {weekdayWords(day as string, reading)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr>
              {week.map((day) =>
                day === undefined ? <td /> : <Day day={day} events={byDay.get(day) ?? []} query={query} reading={reading} />,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function eventsByDay(events: readonly ListedEvent[], month: string, reading: ProgrammeReading): Map<string, ListedEvent[]> {
  const byDay = new Map<string, ListedEvent[]>();
  for (const event of events) {
    for (const day of daysOf(event, month, zoneOf(event, reading))) byDay.set(day, [...(byDay.get(day) ?? []), event]);
  }
  return byDay;
}

/** `Mon`. */
function weekdayWords(day: string, { language }: ProgrammeReading): string {
  return momentWords(new Date(`${day}T12:00:00Z`), language, 'UTC', { weekday: 'short' });
}

interface DayProps {
  readonly day: string;
  readonly events: readonly ListedEvent[];
  readonly query: AgendaQuery;
  readonly reading: ProgrammeReading;
}

function Day({ day, events, query, reading }: DayProps): VNode {
  const { language, now, timeZone } = reading;
  const isToday = day === dateOf(now, timeZone);
  const canCome = events.some((event) => !isOff(event) && !event.prices?.soldOut);
  const state = events.length === 0 ? undefined : canCome ? 'month-on' : 'month-on month-off';
  const date = Number(day.slice(8));
  // On a phone, where a day is one field, it leads to all of its events.
  const all = agendaHref('/', query, { view: undefined, month: undefined, from: day, to: day });
  const more = events.length > mostPerDay ? events.length - mostPerDay + 1 : 0;
  return (
    <td class={state} aria-current={isToday ? 'date' : undefined}>
      <time class="month-day" datetime={day}>
        {events.length > 1 ? (
          <a href={all} rel="nofollow">
            {date}
            <span class="unseen">{programmeWords[language].onDay(events.length)}</span>
          </a>
        ) : (
          date
        )}
      </time>
      {events.slice(0, more > 0 ? mostPerDay - 1 : mostPerDay).map((event) => (
        <DayEvent event={event} day={day} reading={reading} />
      ))}
      {more > 0 && (
        <a href={all} rel="nofollow">
          {programmeWords[language].more(more)}
        </a>
      )}
    </td>
  );
}

/** The name of an event, with its time on its first day. */
function DayEvent({ event, day, reading }: Omit<DayProps, 'events' | 'query'> & { readonly event: ListedEvent }): VNode {
  const { language } = reading;
  const zone = zoneOf(event, reading);
  const begins = dateOf(event.startsAt, zone) === day;
  const { cancelledShort, soldOut } = pageWords[language];
  const state = event.isCancelled ? cancelledShort : event.prices?.soldOut ? soldOut : undefined;
  return (
    <NameLink event={event} className={isOff(event) || state ? 'quiet' : undefined}>
      {begins && <span class="number">{timeWords(event.startsAt, language, zone)}</span>}
      {begins && ' '}
      {isOff(event) ? <s dir="auto">{event.name}</s> : <bdi>{event.name}</bdi>}
      {state && ' '}
      {state && <span class="caps">{state}</span>}
    </NameLink>
  );
}
