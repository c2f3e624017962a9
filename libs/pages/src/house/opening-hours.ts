import { folded, forEachLanguage, localeOf, type Language } from '#kernel';

/** Codes of schema.org, from Monday on. */
const dayCodes = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;

/** The names of the days in each language, as `folded` writes them. */
const dayNames = forEachLanguage((language) => {
  const named = new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', timeZone: 'UTC' });
  // 5 January 1970 is a Monday.
  return dayCodes.map((_, day) => folded(named.format(Date.UTC(1970, 0, 5 + day))));
});

const dash = '\\s*[-–—]\\s*';
const time = '(\\d{1,2})(?:[:.](\\d{2})|\\s?h\\s?(\\d{2})?)?(?:\\s?uhr)?';
const betweenDays = new RegExp(dash);
const range = new RegExp(`^${time}${dash}${time}$`, 'iu');
const separator = /\s*[,;&/]\s*|\s+(?:and|et|und|y)\s+/iu;

/** A line of opening hours: days and times, such as `Tue–Fri 12:00–14:00`. */
export interface DaysAndTimes {
  readonly days: string;
  readonly times: string;
  /** The same as `openingHours` of schema.org, one entry for each range of times. */
  readonly codes: readonly string[];
}

/**
 * Reads a line that says days and times only. Days may be abbreviated.
 * @param language in which the days are named
 * @returns undefined for a line that says something else
 */
export function daysAndTimes(line: string, language: Language): DaysAndTimes | undefined {
  const start = line.search(/\d/);
  if (start < 2) return undefined;
  const [days, times] = [line.slice(0, start).replace(/[\s:,]+$/, ''), line.slice(start).trim()];
  const dayParts = days.split(separator).map((part) => part.split(betweenDays).map((name) => dayCode(name, language)));
  const ranges = times.split(separator).map(rangeOf);
  const isKnown = dayParts.every((part) => part.length <= 2 && !part.includes(undefined)) && !ranges.includes(undefined);
  if (!isKnown) return undefined;
  const code = dayParts.map((part) => part.join('-')).join(',');
  return { days, times, codes: ranges.map((hours) => `${code} ${hours}`) };
}

/** The day of which a word is the name, its plural or its beginning, two letters at least; undefined when none or several are. */
function dayCode(word: string, language: Language): string | undefined {
  const name = folded(word).replace(/\.$/, '').trim();
  if (name.length < 2) return undefined;
  const found = dayCodes.filter((_, day) => `${dayNames[language][day]}s`.startsWith(name));
  return found.length === 1 ? found[0] : undefined;
}

function rangeOf(text: string): string | undefined {
  const [, from, fromA, fromB, until, untilA, untilB] = range.exec(text) ?? [];
  const times = [clock(from, fromA ?? fromB), clock(until, untilA ?? untilB)];
  return times.includes(undefined) ? undefined : times.join('-');
}

function clock(hours = '', minutes = '00'): string | undefined {
  return hours !== '' && Number(hours) <= 24 && Number(minutes) < 60 ? `${hours.padStart(2, '0')}:${minutes}` : undefined;
}
