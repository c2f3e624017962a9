import { expect, it } from '@jest/globals';
import { fillText } from './fill-text.js';
import { flatTexts, textsByUse } from './flat-texts.js';
import { bornBefore, momentWords, secondsSince } from './times.js';

const texts = flatTexts({ left_one: '{count} ticket', left_other: '{count} tickets', deep: { name: 'Hello {name}, {missing}' } });

it('fills names, plural forms and numbers of the language', () => {
  expect(fillText(texts, 'en', 'left', { count: 1 })).toBe('1 ticket');
  expect(fillText(texts, 'en', 'left', { count: 1200 })).toBe('1,200 tickets');
  expect(fillText(texts, 'fr', 'left', { count: 0 })).toBe('0 ticket');
  expect(fillText(texts, 'en', 'deep.name', { name: 'A {name}' })).toBe('Hello A {name}, {missing}');
});

it('answers the path of a text that is missing', () => {
  for (const key of ['nothing', 'deep', 'deep.name.more', 'constructor']) expect(fillText(texts, 'en', key, {})).toBe(key);
});

it('divides texts by whether a script names them', () => {
  const all = flatTexts({ left_one: '1', left_other: '2', deep: { a: '3', b: '4' }, other: { a: '5', more: { b: '6' } } });
  expect(textsByUse(all, 't("left",{count:1})+t(`deep.${x}`)')).toEqual([
    { left_one: '1', left_other: '2', 'deep.a': '3', 'deep.b': '4' },
    { 'other.a': '5', 'other.more.b': '6' },
  ]);
  expect(Object.keys(textsByUse(all, "t(y?`other.a`:'other.more.b')")[0])).toEqual(['other.a', 'other.more.b']);
});

it('writes times of today without the day', () => {
  const now = new Date(2026, 10, 23, 20, 31).getTime();
  expect(momentWords(now - 60_000, now, 'en-GB', null)).toBe('20:30');
  expect(momentWords(now - 86_400_000, now, 'en-GB', null)).toBe('Sunday 20:31');
  expect(momentWords(now + 30 * 86_400_000, now, 'en-GB', null)).toMatch(/23 Dec/);
  expect(secondsSince(now + 5_000, now)).toBe(0);
  expect(bornBefore(16, now, 'en-GB', null)).toBe('23 November 2010');
});

it('writes times and days of the venue, wherever the clock of the phone is', () => {
  const now = Date.parse('2026-11-23T23:30:00Z');
  expect(momentWords(now - 60_000, now, 'en-GB', 'Europe/Paris')).toBe('00:29');
  expect(momentWords(now - 3_600_000, now, 'en-GB', 'Europe/Paris')).toBe('Monday 23:30');
  expect(momentWords(now - 3_600_000, now, 'en-GB', 'America/Cayenne')).toBe('19:30');
  expect(bornBefore(18, now, 'en-GB', 'Europe/Paris')).toBe('24 November 2008');
  expect(bornBefore(18, now, 'en-GB', 'America/Cayenne')).toBe('23 November 2008');
  expect(bornBefore(18, Date.parse('2028-02-29T12:00:00Z'), 'en-GB', 'Europe/Paris')).toBe('28 February 2010');
  expect(bornBefore(16, Date.parse('2028-02-29T12:00:00Z'), 'en-GB', 'Europe/Paris')).toBe('29 February 2012');
  // A zone that the browser does not know is no reason to show nothing.
  expect(momentWords(now, now, 'en-GB', 'Atlantis/City')).toMatch(/^\d\d:\d\d$/);
});
