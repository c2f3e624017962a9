import { alterationWords, type Altered } from '#catalogue';
import {
  dateOf,
  escapeHtml,
  momentWords,
  isOneEvening,
  isWholeDays,
  isoInZone,
  withoutEmptyEnd,
  partsInZone,
  timeWords,
  whenParts,
  type Draw,
  type Language,
  type Times,
} from '#kernel';
import { pageWords } from '../frame/pages.words.js';

/** `November 2026`, `novembre 2026`. */
export function monthWords(instant: Date, language: Language, timeZone: string): string {
  return momentWords(instant, language, timeZone, { month: 'long', year: 'numeric' });
}

/** Day and month in short form: `Fri`, `20`, `Nov`. */
export function leafWords(instant: Date, language: Language, timeZone: string): [string, string, string] {
  const word = (options: Intl.DateTimeFormatOptions): string => momentWords(instant, language, timeZone, options);
  return [word({ weekday: 'short' }), String(Number(partsInZone(instant, timeZone).day)), word({ month: 'short' })];
}

/** Date and times as two lines of HTML with the moments in `<time>`, and what differs from the first announcement. */
export function whenHtml(event: Times & Altered, language: Language, timeZone: string): string {
  const day: Draw = (instant, words) => `<time datetime="${dateOf(instant, timeZone)}">${escapeHtml(words)}</time>`;
  const [first, , second] = whenParts(event, language, timeZone, { day, time: timeHtml(timeZone) });
  const then = isOneEvening(event, timeZone) ? second : `<strong>${second}</strong>`;
  const when = second ? `<strong>${first}</strong><br>${then}` : `<strong>${first}</strong>`;
  const altered = escapeHtml(alterationWords(event, language, timeZone));
  if (event.alteration === 'postponed') return `<strong>${altered}</strong><br><del>${when}</del>`;
  return altered ? `${when}<br><strong class="altered">${altered}</strong>` : when;
}

/**
 * Only the times, for places where the day is shown separately: `20:30 – 23:00`; for an event of several days that already runs, its end.
 * HTML.
 */
export function hoursHtml(event: Times, now: Date, language: Language, timeZone: string): string {
  const time = timeHtml(timeZone);
  const { startsAt, endsAt } = withoutEmptyEnd(event);
  if (endsAt && isWholeDays(event, timeZone))
    return dateOf(startsAt, timeZone) === dateOf(endsAt, timeZone) ? '' : lastDay(endsAt, language, timeZone);
  const start = time(startsAt, timeWords(startsAt, language, timeZone));
  if (!endsAt) return start;
  const hour = timeWords(endsAt, language, timeZone);
  if (isOneEvening(event, timeZone)) return `${start} – ${time(endsAt, hour)}`;
  const dayOptions = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const day = momentWords(endsAt, language, timeZone, dayOptions).replace(',', '');
  if (startsAt <= now) return time(endsAt, pageWords[language].until(day, hour));
  return `${start} → ${time(endsAt, `${day}, ${hour}`)}`;
}

/** `→ Sun 5 Feb`. */
function lastDay(endsAt: Date, language: Language, timeZone: string): string {
  const day = momentWords(endsAt, language, timeZone, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');
  return `→ <time datetime="${dateOf(endsAt, timeZone)}">${escapeHtml(day)}</time>`;
}

const timeHtml =
  (timeZone: string): Draw =>
  (instant, words) =>
    `<time datetime="${isoInZone(instant, timeZone)}">${escapeHtml(words)}</time>`;
