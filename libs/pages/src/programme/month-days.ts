import { dateOf, isOneEvening, localeOf, type Language, type Times } from '#kernel';

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

/** The days of a month (`YYYY-MM`), each as `YYYY-MM-DD`. */
function daysIn(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`);
}

/** The weeks of a month (`YYYY-MM`), each with seven days (`YYYY-MM-DD`); undefined: a day of another month. @param firstDay 1: Monday */
export function weeksOf(month: string, firstDay: number): (string | undefined)[][] {
  const weekday = new Date(`${month}-01T00:00:00Z`).getUTCDay();
  const before = (weekday - (firstDay % 7) + 7) % 7;
  const cells = [...Array.from<undefined>({ length: before }), ...daysIn(month)];
  while (cells.length % 7 !== 0) cells.push(undefined);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The days of a month on which an event takes place: that of an evening, or each day from its start to its end. */
export function daysOf(event: Times, month: string, timeZone: string): string[] {
  const first = dateOf(event.startsAt, timeZone);
  // An event that ends at midnight does not belong to the day that begins then.
  const end = event.endsAt && event.endsAt > event.startsAt ? new Date(event.endsAt.getTime() - 1) : event.startsAt;
  const last = isOneEvening(event, timeZone) ? first : dateOf(end, timeZone);
  return daysIn(month).filter((day) => day >= first && day <= last);
}
