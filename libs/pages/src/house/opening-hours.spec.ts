import { describe, expect, it } from '@jest/globals';
import { daysAndTimes } from './opening-hours.js';

describe('a line of opening hours', () => {
  it.each([
    ['en', 'Tue–Fri 12:00–14:00', ['Tu-Fr 12:00-14:00']],
    ['en', 'Mondays: 9.30 - 18', ['Mo 09:30-18:00']],
    ['en', 'Mon, Wed and Fri 10:00-12:00, 14:00-18:00', ['Mo,We,Fr 10:00-12:00', 'Mo,We,Fr 14:00-18:00']],
    ['fr', 'mar.–ven. 12 h–14 h 30', ['Tu-Fr 12:00-14:30']],
    ['fr', 'Lundi et jeudi : 14h-18h', ['Mo,Th 14:00-18:00']],
    ['de', 'Di–Do, Sa 18.00–23.00 Uhr', ['Tu-Th,Sa 18:00-23:00']],
    ['es', 'miércoles–sáb 20:00–24:00', ['We-Sa 20:00-24:00']],
  ] as const)('in %s, %s, is read', (language, line, codes) => {
    expect(daysAndTimes(line, language)?.codes).toEqual(codes);
  });

  it.each([
    'Canteen: Tue–Fri 12:00–14:00',
    'Bar: 1 h before every concert',
    'Monday, Sunday: closed',
    'T 12:00–14:00',
    'Tue–Fri 12:00',
    'Tue–Wed–Fri 12:00–14:00',
    'Tue 12:00–25:00',
    'Tue 12:61–14:00',
    'mar 12:00–14:00',
    '12:00–14:00',
    '',
  ])('%p says something else', (line) => {
    expect(daysAndTimes(line, 'en')).toBeUndefined();
  });

  it('is divided into days and times', () => {
    expect(daysAndTimes('Tue–Fri: 12:00–14:00', 'en')).toMatchObject({ days: 'Tue–Fri', times: '12:00–14:00' });
  });
});
