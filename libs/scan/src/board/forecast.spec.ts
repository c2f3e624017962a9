import { describe, expect, it } from '@jest/globals';
import { forecastOf } from './forecast.js';

const now = new Date('2026-11-20T19:30:30Z');
const endsAt = new Date('2026-11-20T22:00:00Z');
/** Entries of the last two hours: none, then these. */
const ending = (...last: number[]): number[] => [...Array.from({ length: 120 - last.length }, () => 0), ...last];
const forecast = (expected: number, admitted: number, entries: number[]) => forecastOf({ expected, admitted, entries, now, endsAt });

describe('the forecast of the door', () => {
  it('is the present rate of first entries, rounded up to five minutes', () => {
    // 10 a minute for 10.5 minutes; 300 are missing: 30 minutes and a half from 19:30:30.
    expect(forecast(1000, 700, ending(...Array.from({ length: 30 }, () => 10), 5))).toEqual({
      state: 'at',
      at: '2026-11-20T20:05:00.000Z',
    });
  });

  it('counts from the first entry on, when the doors opened within the last minutes', () => {
    // 20 in the last 2.5 minutes: 8 a minute; 80 are missing.
    expect(forecast(100, 20, ending(8, 8, 4))).toEqual({ state: 'at', at: '2026-11-20T19:45:00.000Z' });
    // 10 in half a minute count as 5 a minute, not as 20.
    expect(forecast(100, 10, ending(10))).toEqual({ state: 'at', at: '2026-11-20T19:50:00.000Z' });
  });

  it('says when there is nothing to forecast', () => {
    expect(forecast(0, 0, ending())).toEqual({ state: 'nobody' });
    expect(forecast(20, 20, ending(20))).toEqual({ state: 'complete' });
    expect(forecast(20, 4, ending(1, 1, 1, 1))).toEqual({ state: 'unknown' });
    expect(forecast(200, 190, ending(190, ...Array.from({ length: 11 }, () => 0)))).toEqual({ state: 'unknown' });
  });

  it('does not name a time after the end of the event', () => {
    expect(forecast(1000, 10, ending(5, 5))).toEqual({ state: 'late' });
  });
});
