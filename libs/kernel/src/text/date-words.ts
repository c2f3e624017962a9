import { LRUCache } from 'lru-cache';
import { partsInZone } from '../time/zoned-time.js';
import type { Language } from './language.js';

/** Start and, when known, end. */
export interface Times {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', fr: 'fr-FR' };

const formats = new Map<string, Intl.DateTimeFormat>();
/** Lists format the same instants at each request, and Intl takes longer for one than the rest of the line. */
const known = new LRUCache<string, string>({ max: 10_000 });

/** Formats a moment in a language; the first day of a month is written as French requires. */
export function momentWords(instant: Date, language: Language, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${timeZone} ${Object.entries(options).join()}`;
  const instantKey = `${key} ${instant.getTime()}`;
  let words = known.get(instantKey);
  if (words === undefined) known.set(instantKey, (words = askIntl(instant, key, language, { timeZone, ...options })));
  return words;
}

function askIntl(instant: Date, key: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locales[language], options);
    if (formats.size > 1000) formats.clear();
    formats.set(key, format);
  }
  const parts = format.formatToParts(instant);
  return parts.map(({ type, value }) => (language === 'fr' && type === 'day' && value === '1' ? '1er' : value)).join('');
}

/** `Friday 20 November 2026`, `vendredi 20 novembre 2026`. */
export function dayWords(instant: Date, language: Language, timeZone: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return momentWords(instant, language, timeZone, options).replace(',', '');
}

/** `20:30`; in French `20 h 30` and `20 h`. */
export function timeWords(instant: Date, language: Language, timeZone: string): string {
  const { hour, minute } = partsInZone(instant, timeZone);
  if (language === 'en') return `${hour}:${minute}`;
  return `${Number(hour)}\u00a0h${minute === '00' ? '' : `\u00a0${minute}`}`;
}

/** `YYYY-MM-DD` on the clocks of a time zone. */
export function dateOf(instant: Date, timeZone: string): string {
  const { year, month, day } = partsInZone(instant, timeZone);
  return `${year}-${month}-${day}`;
}

/** Whether an event ends on the evening it starts, possibly after midnight. */
export function isOneEvening({ startsAt, endsAt }: Times, timeZone: string): boolean {
  if (!endsAt) return true;
  const sameDay = dateOf(startsAt, timeZone) === dateOf(endsAt, timeZone);
  const sameNight = endsAt.getTime() - startsAt.getTime() < 18 * 3_600_000 && Number(partsInZone(endsAt, timeZone).hour) < 6;
  return sameDay || sameNight;
}

/** Two parts and the text that joins them on one line. */
export type Said = readonly [first: string, between: string, second: string];

interface TimeWords {
  readonly at: (day: string, start: string) => Said;
  readonly evening: (day: string, start: string, end: string) => Said;
  readonly days: (startDay: string, start: string, endDay: string, end: string) => Said;
}

const sentences: Readonly<Record<Language, TimeWords>> = {
  en: {
    at: (day, start) => [day, ' ', `at ${start}`],
    evening: (day, start, end) => [day, ', ', `${start} to ${end}`],
    days: (startDay, start, endDay, end) => [`From ${startDay}, ${start}`, ' ', `to ${endDay}, ${end}`],
  },
  fr: {
    at: (day, start) => [day, ' ', `à ${start}`],
    evening: (day, start, end) => [day, ', ', `de ${start} à ${end}`],
    days: (startDay, start, endDay, end) => [`Du ${startDay} à ${start}`, ' ', `au ${endDay} à ${end}`],
  },
};

/** Date and times as text: `Friday 20 November 2026, 20:30 to 23:00`. Plain text. */
export function whenText(times: Times, language: Language, timeZone: string): string {
  const plain: Draw = (_, words) => words;
  return whenParts(times, language, timeZone, { day: plain, time: plain }).join('');
}

/** Renders one moment, for example as a `time` element. */
export type Draw = (instant: Date, words: string) => string;

/** Date and times as two parts and the text that joins them; `draw` renders each moment. */
export function whenParts(event: Times, language: Language, timeZone: string, draw: Record<'day' | 'time', Draw>): Said {
  const { startsAt, endsAt } = meantTimes(event);
  const say = sentences[language];
  const time = (instant: Date): string => draw.time(instant, timeWords(instant, language, timeZone));
  const start = time(startsAt);
  if (endsAt && !isOneEvening(event, timeZone)) {
    const [first, last] = [startsAt, endsAt].map((instant) => draw.day(instant, dayWords(instant, language, timeZone)));
    return say.days(first as string, start, last as string, time(endsAt));
  }
  const day = draw.day(startsAt, capitalized(dayWords(startsAt, language, timeZone)));
  return endsAt ? say.evening(day, start, time(endsAt)) : say.at(day, start);
}

/** Leaves out an end that equals the start. */
export function meantTimes({ startsAt, endsAt }: Times): Times {
  return { startsAt, endsAt: endsAt && endsAt > startsAt ? endsAt : null };
}

/** The text with an upper-case first letter. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
