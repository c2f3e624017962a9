import { dateOf, isOneEvening, localeOf, type Language, type Times } from '#kernel';
import { monthAfter } from '../filters/agenda-query.js';
import { dayAfter } from '../event-lists/whole-days.js';

interface WeekFacts {
  /** 1: Monday; 7: Sunday. */
  readonly firstDay: number;
}

/** The first day of the week where a language is spoken; 1: Monday. @param locale BCP 47 tag; default: that of the language */
export function firstWeekday(language: Language, locale = localeOf(language)): number {
  // Programs of different age have it as a method or as a property; the types have neither.
  const { getWeekInfo, weekInfo } = new Intl.Locale(locale) as { getWeekInfo?: () => WeekFacts; weekInfo?: WeekFacts };
  return (getWeekInfo?.call(new Intl.Locale(locale)) ?? weekInfo)?.firstDay ?? 1;
}

/** The weeks of a month (`YYYY-MM`), each with seven days (`YYYY-MM-DD`); undefined: a day of another month. @param firstDay 1: Monday */
export function weeksOf(month: string, firstDay: number): (string | undefined)[][] {
  const days: (string | undefined)[] = [];
  const end = `${monthAfter(month)}-01`;
  for (let day = `${month}-01`; day !== end; day = dayAfter(day)) days.push(day);
  const weekday = new Date(`${month}-01T00:00:00Z`).getUTCDay();
  const before = (weekday - (firstDay % 7) + 7) % 7;
  const cells = [...Array.from<undefined>({ length: before }), ...days];
  while (cells.length % 7 !== 0) cells.push(undefined);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The days of a month on which an event takes place: that of an evening, or each day from its start to its end. */
export function daysOf(event: Times, month: string, timeZone: string): string[] {
  const first = dateOf(event.startsAt, timeZone);
  // An event that ends at midnight does not belong to the day that begins then.
  const end = event.endsAt && event.endsAt > event.startsAt ? new Date(event.endsAt.getTime() - 1) : event.startsAt;
  const last = isOneEvening(event, timeZone) ? first : dateOf(end, timeZone);
  const days: string[] = [];
  const monthEnd = `${monthAfter(month)}-01`;
  for (let day = first < `${month}-01` ? `${month}-01` : first; day <= last && day < monthEnd; day = dayAfter(day)) days.push(day);
  return days;
}
