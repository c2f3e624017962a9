import { capitalized, dateOf, momentWords, firstTimeWords, timeWords, type Language } from '#kernel';
import { dayInYear } from '../programme/day-in-year.js';
import { texts } from '../locales/pages.texts.js';
import type { SeriesDate } from '../public-events/series-dates.js';

/** Texts of the dates of a series. Plain text. */
export const seriesWords = texts.perLanguage('series', ({ words, t }) => ({
  ...words,
  furtherDates: (count: number) => t('series.furtherDates', { count }),
  left: (count: number) => t('series.left', { count }),
  at: (from: string) => t('series.at', { from }),
  between: (from: string, until: string) => t('series.between', { from, until }),
  daily: () => t('series.daily'),
  weekly: (weekday: string) => t('series.weekly', { weekday }),
  fortnightly: (weekday: string) => t('series.fortnightly', { weekday }),
  pattern: (days: string, hours: string, from: string, until: string) => t('series.pattern', { days, hours, from, until }),
  irregular: (count: number, from: string, until: string) => t('series.irregular', { count, from, until }),
  also: (venue: string) => t('series.also', { venue }),
  sameDay: (count: number, day: string) => t('series.sameDay', { count, day }),
}));

interface Reading {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: Date;
}

type Times = Pick<SeriesDate, 'startsAt' | 'endsAt'>;

/** Days between dates that have a phrase of their own. */
const rhythms = [
  [1, 'daily'],
  [7, 'weekly'],
  [14, 'fortnightly'],
] as const;

/**
 * When the dates of a series are, such as `Every Sunday from 10:00 to 13:00, 29 November to 20 December`, or their number where they are
 * irregular; undefined for fewer than two. Cancelled and postponed dates do not count.
 */
export function patternWords(all: readonly SeriesDate[], reading: Reading): string | undefined {
  const { language, timeZone } = reading;
  const words = seriesWords[language];
  const dates = all.filter(({ isCancelled, isPostponed }) => !isCancelled && !isPostponed);
  const [first, last] = [dates[0], dates.at(-1)];
  if (!first || !last || first === last) return undefined;
  const [from, until] = [first, last].map(({ startsAt }) => dayInYear(new Date(startsAt), reading)) as [string, string];
  const rhythm = rhythmOf(dates, timeZone);
  const [hours, ...others] = new Set(dates.map((date) => hoursOf(date, reading)));
  if (rhythm === undefined || hours === undefined || others.length > 0) {
    return from === until ? words.sameDay(dates.length, from) : words.irregular(dates.length, from, until);
  }
  const weekday = momentWords(new Date(first.startsAt), language, timeZone, { weekday: 'long' });
  return capitalized(words.pattern(words[rhythm](weekday), hours, from, until));
}

function hoursOf({ startsAt, endsAt }: Times, { language, timeZone }: Reading): string {
  const words = seriesWords[language];
  const start = new Date(startsAt);
  return endsAt !== null && endsAt > startsAt
    ? words.between(firstTimeWords(start, language, timeZone), timeWords(new Date(endsAt), language, timeZone))
    : words.at(timeWords(start, language, timeZone));
}

/** The rhythm in which all dates follow each other; undefined: none. */
function rhythmOf(dates: readonly Times[], timeZone: string): (typeof rhythms)[number][1] | undefined {
  const days = dates.map(({ startsAt }) => Date.parse(`${dateOf(new Date(startsAt), timeZone)}T12:00:00Z`) / 86_400_000);
  const steps = new Set(days.slice(1).map((day, index) => day - (days[index] ?? day)));
  const [step] = steps;
  return steps.size === 1 ? rhythms.find(([length]) => length === step)?.[1] : undefined;
}
