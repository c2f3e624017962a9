import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localesFolder } from '../locales/catalogue-files.js';
import { beforeWhen, untilWhen, whenParts, whenText } from './date-words.js';

const zone = 'Europe/Paris';

describe('the end of a hold', () => {
  it.each([
    ['en', /^until \d\d?:\d\d$/, /^until \w+day \d+ \w+ \d{4}, \d\d?:\d\d$/, /^before \w+day \d+ /],
    ['fr', /^jusqu’à \d\d? h( \d\d)?$/, /^jusqu’au \S+di|^jusqu’au dimanche/, /^avant le \S+ \d/],
    ['de', /^bis \d\d?(:\d\d)? ?(Uhr)?$/, /^bis \w+, \d+\. /, /^bis \w+, \d+\. /],
    ['es', /^hasta las? \d\d?:\d\d$/, /^hasta el \S+ \d+ de /, /^antes del \S+ \d+ de /],
  ] as const)('is a whole phrase, with the day when it is another one (%s)', (language, time, day, before) => {
    const plain = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ');
    const later = new Date(Date.now() + 36 * 3_600_000);
    expect(plain(untilWhen(new Date(), language, zone))).toMatch(time);
    expect(plain(untilWhen(later, language, zone))).toMatch(day);
    expect(plain(beforeWhen(later, language, zone))).toMatch(before);
  });
});

describe('the article before a time in Spanish', () => {
  const day = (hour: number, minute = 0): Date => new Date(Date.UTC(2026, 10, 20, hour, minute));

  it.each([
    [0, 0, 'a las 00:00'],
    [1, 0, 'a la 01:00'],
    [1, 59, 'a la 01:59'],
    [2, 0, 'a las 02:00'],
    [10, 1, 'a las 10:01'],
    [11, 0, 'a las 11:00'],
    [12, 0, 'a las 12:00'],
    [13, 0, 'a las 13:00'],
    [21, 1, 'a las 21:01'],
  ])('is singular in the hour after one only (%i:%i)', (hour, minute, words) => {
    expect(whenText({ startsAt: day(hour, minute), endsAt: null }, 'es', 'UTC')).toBe(`Viernes, 20 de noviembre de 2026 ${words}`);
  });

  it('agrees with each time of a phrase, also inside an element', () => {
    const times = { startsAt: day(1), endsAt: new Date(Date.UTC(2026, 10, 22, 1, 30)) };
    expect(whenText(times, 'es', 'UTC')).toMatch(/^Del viernes.* a la 01:00 al domingo.* a la 01:30$/);
    expect(whenText({ startsAt: day(13), endsAt: times.endsAt }, 'es', 'UTC')).toMatch(/ a las 13:00 al .* a la 01:30$/);
    const [, , second] = whenParts({ startsAt: day(1), endsAt: null }, 'es', 'UTC');
    expect(second).toEqual(['a la ', { instant: day(1), isDay: false, words: '01:00' }]);
  });

  it('agrees in deadlines of today', () => {
    const now = new Date();
    // Where it is between one and two now; the signs of these names are reversed.
    const hours = (now.getUTCHours() - 1 + 24) % 24;
    const zone = hours <= 12 ? `Etc/GMT+${hours}` : `Etc/GMT-${24 - hours}`;
    expect(untilWhen(now, 'es', zone)).toMatch(/^hasta la 01:\d\d$/);
    expect(beforeWhen(now, 'es', zone)).toMatch(/^antes de la 01:\d\d$/);
    expect(untilWhen(now, 'en', zone)).toMatch(/^until \d\d:\d\d$/);
  });

  it('is written in no other catalogue, because nothing chooses it there', () => {
    for (const name of readdirSync(join(localesFolder, 'es'))) {
      if (name === 'kernel.json') continue;
      const text = readFileSync(join(localesFolder, 'es', name), 'utf8');
      expect([name, text.match(/[^"]*\blas \{(?!count|hours|number|total|days|minutes)\w+\}[^"]*/g)]).toEqual([name, null]);
    }
  });
});
