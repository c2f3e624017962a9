import { escapeHtml, isoInZone, partsInZone, type Language } from '#kernel';
import type { Event } from '#catalogue';
import { pageWords } from './pages.words.js';

type Times = Pick<Event, 'startsAt' | 'endsAt'>;

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', fr: 'fr-FR' };

const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(instant: Date, language: Language, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${timeZone} ${Object.entries(options).join()}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locales[language], { timeZone, ...options });
    if (formats.size > 1000) formats.clear();
    formats.set(key, format);
  }
  const parts = format.formatToParts(instant);
  return parts
    .map(({ type, value }) => (language === 'fr' && type === 'day' && value === '1' ? '1er' : value))
    .join('');
}

/** `Friday 20 November 2026`, `vendredi 20 novembre 2026`. */
export function dayWords(instant: Date, language: Language, timeZone: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return formatted(instant, language, timeZone, options).replace(',', '');
}

/** `November 2026`, `novembre 2026`. */
export function monthWords(instant: Date, language: Language, timeZone: string): string {
  return formatted(instant, language, timeZone, { month: 'long', year: 'numeric' });
}

/** `20:30`; in French `20 h 30` and `20 h`. */
export function timeWords(instant: Date, language: Language, timeZone: string): string {
  const { hour, minute } = partsInZone(instant, timeZone);
  if (language === 'en') return `${hour}:${minute}`;
  return `${Number(hour)}\u00a0h${minute === '00' ? '' : `\u00a0${minute}`}`;
}

/** Day and month as on a leaf of a calendar: `Fri`, `20`, `Nov`. */
export function leafWords(instant: Date, language: Language, timeZone: string): [string, string, string] {
  const word = (options: Intl.DateTimeFormatOptions): string => formatted(instant, language, timeZone, options);
  return [word({ weekday: 'short' }), String(Number(partsInZone(instant, timeZone).day)), word({ month: 'short' })];
}

/** `YYYY-MM-DD` on the clocks of a time zone. */
export function dateOf(instant: Date, timeZone: string): string {
  const { year, month, day } = partsInZone(instant, timeZone);
  return `${year}-${month}-${day}`;
}

/** Whether an event ends on the evening it starts, which may be after midnight. */
function isOneEvening({ startsAt, endsAt }: Times, timeZone: string): boolean {
  if (!endsAt) return true;
  const sameDay = dateOf(startsAt, timeZone) === dateOf(endsAt, timeZone);
  const sameNight =
    endsAt.getTime() - startsAt.getTime() < 18 * 3_600_000 && Number(partsInZone(endsAt, timeZone).hour) < 6;
  return sameDay || sameNight;
}

/** Two lines, and what stands between them on one. */
type Said = readonly [first: string, between: string, second: string];

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

/** When an event is, in words: `Friday 20 November 2026, 20:30 to 23:00`. Plain text. */
export function whenText(event: Times, language: Language, timeZone: string): string {
  const plain: Draw = (_, words) => words;
  return when(event, language, timeZone, { day: plain, time: plain }).join('');
}

/** The same as two lines of HTML with the moments in `<time>`. */
export function whenHtml(event: Times, language: Language, timeZone: string): string {
  const day: Draw = (instant, words) => `<time datetime="${dateOf(instant, timeZone)}">${escapeHtml(words)}</time>`;
  const [first, , second] = when(event, language, timeZone, { day, time: timeHtml(timeZone) });
  return `<strong>${first}</strong><br>${isOneEvening(event, timeZone) ? second : `<strong>${second}</strong>`}`;
}

/** The hours alone, for where the day stands beside: `20:30 – 23:00`; of what lasts for days and runs already, its end. As HTML. */
export function hoursHtml(event: Times, now: Date, language: Language, timeZone: string): string {
  const time = timeHtml(timeZone);
  const { startsAt, endsAt } = meant(event);
  const start = time(startsAt, timeWords(startsAt, language, timeZone));
  if (!endsAt) return start;
  const hour = timeWords(endsAt, language, timeZone);
  if (isOneEvening(event, timeZone)) return `${start} – ${time(endsAt, hour)}`;
  const dayOptions = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const day = formatted(endsAt, language, timeZone, dayOptions).replace(',', '');
  if (startsAt <= now) return time(endsAt, pageWords[language].until(day, hour));
  return `${start} → ${time(endsAt, `${day}, ${hour}`)}`;
}

type Draw = (instant: Date, words: string) => string;

const timeHtml =
  (timeZone: string): Draw =>
  (instant, words) =>
    `<time datetime="${isoInZone(instant, timeZone)}">${escapeHtml(words)}</time>`;

function when(event: Times, language: Language, timeZone: string, draw: Record<'day' | 'time', Draw>): Said {
  const { startsAt, endsAt } = meant(event);
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

/** An end at the start says nothing. */
function meant({ startsAt, endsAt }: Times): Times {
  return { startsAt, endsAt: endsAt && endsAt > startsAt ? endsAt : null };
}

export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
