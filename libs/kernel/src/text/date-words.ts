import { Kept } from '../bounds/kept.js';
import { limits } from '../bounds/limits.js';
import { databaseNow } from '../time/database-clock.js';
import { partsInZone } from '../time/zoned-time.js';
import { fillTexts } from '../locales/catalogue.js';
import { texts } from '../locales/kernel.texts.js';
import { factsOf, localeOf, type Language } from '../locales/language.js';
import type { TextParameters } from '../locales/text-paths.js';

/** Start and, when known, end. */
export interface Times {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

const clocks = texts.perLanguage('dateWords.clock', ({ words }) => words);
/** How the first time of a range is written. */
const firstClocks = texts.perLanguage('dateWords.firstClock', ({ words }) => words);
const sentences = texts.perLanguage('dateWords.sentences', ({ words }) => words);

const deadlines = texts.perLanguage('dateWords.deadlines', ({ words }) => words);

const formats = new Kept<Intl.DateTimeFormat>(limits.formats.kept);
/** Lists format the same instants at each request, and Intl takes longer for one than the rest of the line. */
const known = new Kept<string>(limits.moments.kept);

/**
 * Formats a moment in a language; the first day of a month is written as the language requires (`1er` in French), and hours with minutes
 * as everywhere else (`20 h 30`).
 */
export function momentWords(instant: Date, language: Language, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${timeZone} ${Object.entries(options).join()}`;
  return known.of(`${key} ${instant.getTime()}`, () => askIntl(instant, key, language, { timeZone, ...options }));
}

function askIntl(instant: Date, key: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  const format = formats.of(key, () => new Intl.DateTimeFormat(localeOf(language), options));
  const { firstDay = '1' } = factsOf(language);
  const parts = format
    .formatToParts(instant)
    .map(({ type, value }) => ({ type, value: type === 'day' && value === '1' ? firstDay : value }));
  const [hour, minute] = ['hour', 'minute'].map((name) => parts.findIndex(({ type }) => type === name)) as [number, number];
  const hasClock = hour >= 0 && minute > hour && !parts.some(({ type }) => type === 'second');
  const text = (some: typeof parts): string => some.map(({ value }) => value).join('');
  if (!hasClock) return text(parts);
  const clock = clockText({ hour: parts[hour]?.value ?? '', minute: parts[minute]?.value ?? '' }, language, firstClocks);
  return `${text(parts.slice(0, hour))}${clock}${text(parts.slice(minute + 1))}`;
}

/** `Friday 20 November 2026`, `vendredi 20 novembre 2026`. */
export function dayWords(instant: Date, language: Language, timeZone: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const words = momentWords(instant, language, timeZone, options);
  return factsOf(language).plainWeekday ? words.replace(',', '') : words;
}

/** How times are written. */
export interface Clock {
  readonly hourAndMinute: string;
  readonly fullHour: string;
  readonly hasTwoDigits: boolean;
}

/** How a language writes times, for programs in browsers: texts with `{hour}` and `{minute}`, and whether the hour has two digits. */
export function clockOf(language: Language): Clock {
  return { ...clocks[language], hasTwoDigits: factsOf(language).hour !== 'numeric' };
}

/** The same, without the word that follows a time in some languages: for lists and tables. */
export function plainClockOf(language: Language): Clock {
  return { ...clockOf(language), ...firstClocks[language] };
}

/** `20:30`; in French `20 h 30` and `20 h`. */
export function timeWords(instant: Date, language: Language, timeZone: string): string {
  return clockWords(instant, language, timeZone, clocks);
}

/** The first time of a range within a day: in German without the word that the second one has (`20:30 – 23:00 Uhr`). */
export function firstTimeWords(instant: Date, language: Language, timeZone: string): string {
  return clockWords(instant, language, timeZone, firstClocks);
}

function clockWords(instant: Date, language: Language, timeZone: string, written: typeof clocks): string {
  return clockText(partsInZone(instant, timeZone), language, written);
}

function clockText(
  { hour, minute }: { readonly hour: string; readonly minute: string },
  language: Language,
  written: typeof clocks,
): string {
  const shownHour = factsOf(language).hour === 'numeric' ? Number(hour) : hour;
  const clock = minute === '00' ? written[language].fullHour : written[language].hourAndMinute;
  return clock.replace('{hour}', String(shownHour)).replace('{minute}', minute);
}

/** `Friday 20 November 2026, 20:30`. */
export function dayAndTimeWords(instant: Date, language: Language, timeZone: string): string {
  return `${dayWords(instant, language, timeZone)}, ${timeWords(instant, language, timeZone)}`;
}

/** `until 20:30`; `until Friday 20 November 2026, 20:30` on another day than today. */
export function untilWhen(instant: Date, language: Language, timeZone: string): string {
  const { untilTime, untilDay } = deadlines[language];
  return deadline(instant, language, timeZone, [untilTime, untilDay]);
}

/** `before 20:30`; `before Friday 20 November 2026, 20:30` on another day than today. */
export function beforeWhen(instant: Date, language: Language, timeZone: string): string {
  const { beforeTime, beforeDay } = deadlines[language];
  return deadline(instant, language, timeZone, [beforeTime, beforeDay]);
}

/** Whole phrases, because the words before a day differ from those before a time. @param phrases for today, for another day */
function deadline(instant: Date, language: Language, timeZone: string, phrases: readonly [string, string]): string {
  const isToday = dateOf(instant, timeZone) === dateOf(databaseNow(), timeZone);
  const phrase = isToday ? phrases[0] : phrases[1];
  const filled = phrase.replace('{day}', dayWords(instant, language, timeZone)).replace('{time}', timeWords(instant, language, timeZone));
  return withHourArticle(filled, language);
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

/** Whether an event lasts whole days: from midnight to the last second of a day. Days that are sent without a time are stored so. */
export function isWholeDays({ startsAt, endsAt }: Times, timeZone: string): boolean {
  const clock = (instant: Date): string => {
    const { hour, minute, second } = partsInZone(instant, timeZone);
    return `${hour}:${minute}:${second}`;
  };
  return endsAt !== null && clock(endsAt) === '23:59:59' && clock(startsAt) === '00:00:00';
}

/** A moment in a phrase, which pages show as an element `time`. */
export interface Moment {
  readonly instant: Date;
  readonly isDay: boolean;
  readonly words: string;
}

/** Two phrases and the text that joins them on one line. */
export type WhenParts = readonly [first: Phrase, between: string, second: Phrase];
export type Phrase = readonly (string | Moment)[];

/** Date and times as text: `Friday 20 November 2026, 20:30 to 23:00`. Plain text. */
export function whenText(times: Times, language: Language, timeZone: string): string {
  const [first, between, second] = whenParts(times, language, timeZone);
  return [...first, between, ...second].map((part) => (typeof part === 'string' ? part : part.words)).join('');
}

/** Date and times as two phrases and the text that joins them. The second may be empty. */
export function whenParts(event: Times, language: Language, timeZone: string): WhenParts {
  const moments: Moment[] = [];
  const mark = (instant: Date, isDay: boolean, words: string): string => `<${moments.push({ instant, isDay, words }) - 1}>${words}</>`;
  const phrase = (marked: string): Phrase =>
    marked
      .split(/<(\d+)>[^<]*<\/>/)
      .map((part, index) => (index % 2 === 1 ? (moments[Number(part)] as Moment) : part))
      .filter((part) => part !== '');
  const [first, between, second] = markedParts(event, language, timeZone, mark);
  return [phrase(first), between, phrase(second)];
}

type MarkedParts = readonly [first: string, between: string, second: string];

function markedParts(
  event: Times,
  language: Language,
  timeZone: string,
  mark: (instant: Date, isDay: boolean, words: string) => string,
): MarkedParts {
  const { startsAt, endsAt } = withoutEmptyEnd(event);
  const say = sentences[language];
  const time = (instant: Date): string => mark(instant, false, timeWords(instant, language, timeZone));
  if (endsAt && isWholeDays(event, timeZone)) {
    const [first, last] = [startsAt, endsAt].map((instant) => mark(instant, true, capitalized(dayWords(instant, language, timeZone))));
    return dateOf(startsAt, timeZone) === dateOf(endsAt, timeZone) ? [first ?? '', '', ''] : [`${first} –`, ' ', last ?? ''];
  }
  const start = time(startsAt);
  if (endsAt && !isOneEvening(event, timeZone)) {
    const [first, last] = [startsAt, endsAt].map((instant) => mark(instant, true, dayWords(instant, language, timeZone)));
    return joined(language, say.days, { startDay: first, start, endDay: last, end: time(endsAt) });
  }
  const day = mark(startsAt, true, capitalized(dayWords(startsAt, language, timeZone)));
  const first = mark(startsAt, false, firstTimeWords(startsAt, language, timeZone));
  return endsAt ? joined(language, say.evening, { day, start: first, end: time(endsAt) }) : joined(language, say.at, { day, start });
}

function joined(language: Language, parts: readonly string[], parameters: TextParameters): MarkedParts {
  const filled = fillTexts(parts, parameters).map((part) => withHourArticle(part, language));
  const [first = '', between = '', second = ''] = filled;
  return [first, between, second];
}

/**
 * Chooses the article before the times of a phrase. Catalogues write the usual one, and only those of this lib may have one before a time.
 * @param phrase text, where a mark may stand before the time
 */
function withHourArticle(phrase: string, language: Language): string {
  const { hourArticle } = factsOf(language);
  if (!hourArticle) return phrase;
  return phrase.replaceAll(new RegExp(`\\b${hourArticle.usual} (?=(?:<[^>]*>)?0?1:)`, 'g'), `${hourArticle.atOne} `);
}

/** Leaves out an end that equals the start. */
export function withoutEmptyEnd({ startsAt, endsAt }: Times): Times {
  return { startsAt, endsAt: endsAt && endsAt > startsAt ? endsAt : null };
}

/** The text with an upper-case first letter. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
