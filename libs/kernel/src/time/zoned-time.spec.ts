import { describe, expect, it } from '@jest/globals';
import { addDaysInZone, dayInZone, instantInZone, isoInZone, nowInZone, partsInZone, startOfDayInZone } from './zoned-time.js';

describe('isoInZone', () => {
  it('writes UTC where the offset had seconds, which RFC 3339 cannot write', () => {
    expect(isoInZone(new Date('1900-01-01T00:00:00Z'), 'Europe/Paris')).toBe('1900-01-01T00:00:00+00:00');
    expect(isoInZone(new Date('1912-01-01T00:00:00Z'), 'Europe/Paris')).toBe('1912-01-01T00:00:00+00:00');
  });

  it('answers the offset of the time zone, summer and winter', () => {
    expect(isoInZone(new Date('2026-12-05T19:30:00Z'), 'Europe/Paris')).toBe('2026-12-05T20:30:00+01:00');
    expect(isoInZone(new Date('2026-07-05T19:30:00Z'), 'Europe/Paris')).toBe('2026-07-05T21:30:00+02:00');
    expect(isoInZone(new Date('2026-07-05T23:59:59.5Z'), 'UTC')).toBe('2026-07-05T23:59:59.500+00:00');
    expect(isoInZone(new Date('2026-07-05T19:30:00Z'), 'Asia/Kathmandu')).toBe('2026-07-06T01:15:00+05:45');
    expect(isoInZone(new Date('2026-01-01T03:30:00Z'), 'America/St_Johns')).toBe('2026-01-01T00:00:00-03:30');
  });

  it('stays right while the clocks change', () => {
    expect(isoInZone(new Date('2026-10-25T00:30:00Z'), 'Europe/Paris')).toBe('2026-10-25T02:30:00+02:00');
    expect(isoInZone(new Date('2026-10-25T01:30:00Z'), 'Europe/Paris')).toBe('2026-10-25T02:30:00+01:00');
  });

  it.each(['Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Apia'])(
    'is what the clocks of %s show, every hour of a year and at moments between 1950 and 2120',
    (zone) => {
      const hours = Array.from({ length: 8784 }, (_, hour) => Date.UTC(2028, 0, 1, hour, 30));
      const moments = Array.from({ length: 2000 }, (_, part) => Date.UTC(1950) + part * 2_684_354_567);
      const wrong = [...hours, ...moments].filter((time) => {
        const { year, month, day, hour, minute, second, offset } = partsInZone(new Date(time), zone);
        const shown = isoInZone(new Date(time), zone).replace(/\.\d{3}/, '');
        return shown !== `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
      });
      expect(wrong).toEqual([]);
    },
  );

  it('keeps the microseconds of PostgreSQL', () => {
    expect(isoInZone('2026-12-05T19:30:00.123456Z', 'Europe/Paris')).toBe('2026-12-05T20:30:00.123456+01:00');
    expect(isoInZone('2026-12-05T19:30:00.000000Z', 'Europe/Paris')).toBe('2026-12-05T20:30:00+01:00');
  });

  it('returns the current time with microseconds', () => {
    const now = nowInZone('Europe/Paris');
    expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+0[12]:00$/);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(1000);
  });

  it('finds the moment a day begins, also around changes of the clocks', () => {
    expect(startOfDayInZone('2027-03-28', 'Europe/Paris')).toEqual(new Date('2027-03-27T23:00:00Z'));
    expect(startOfDayInZone('2027-03-29', 'Europe/Paris')).toEqual(new Date('2027-03-28T22:00:00Z'));
    expect(startOfDayInZone('2027-01-01', 'Pacific/Kiritimati')).toEqual(new Date('2026-12-31T10:00:00Z'));
    // In Beirut the clocks skip from midnight to one.
    expect(startOfDayInZone('2024-03-31', 'Asia/Beirut')).toEqual(new Date('2024-03-30T22:00:00Z'));
    for (const none of ['2027-02-29', '2027-13-01', '1969-12-31', '27-01-01', '2027-01-01T00:00', ''])
      expect(startOfDayInZone(none, 'Europe/Paris')).toBeUndefined();
  });
});

describe('addDaysInZone', () => {
  it.each([
    ['2026-10-28T20:30:00+01:00', -7, '2026-10-21T20:30:00+02:00'],
    ['2026-04-02T20:30:00+02:00', -7, '2026-03-26T20:30:00+01:00'],
    ['2026-12-05T20:30:00+01:00', 30, '2027-01-04T20:30:00+01:00'],
    // There is no half past two on this day.
    ['2026-03-28T02:30:00+01:00', 1, '2026-03-29T03:30:00+02:00'],
    ['2026-12-05T20:30:00+01:00', 0, '2026-12-05T20:30:00+01:00'],
  ])('keeps the local time of %s, %i days later', (instant, days, expected) => {
    expect(isoInZone(addDaysInZone(new Date(instant), 'Europe/Paris', days), 'Europe/Paris')).toBe(expected);
  });
});

describe('instantInZone', () => {
  it.each([
    ['2026-12-05T20:30', 'Europe/Paris', '2026-12-05T19:30:00.000Z'],
    ['2026-07-05T20:30:15.250', 'Europe/Paris', '2026-07-05T18:30:15.250Z'],
    ['2026-01-01T00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
    ['2026-01-01T00:00', 'America/St_Johns', '2026-01-01T03:30:00.000Z'],
    // This local time occurs twice: the first one is meant.
    ['2026-10-25T02:30', 'Europe/Paris', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00', 'Europe/Paris', '2026-10-25T02:00:00.000Z'],
    // This local time does not exist: half an hour after the clocks changed.
    ['2026-03-29T02:30', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:00', 'Europe/Paris', '2026-03-29T01:00:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ])('finds %s in %s', (local, timeZone, instant) => {
    expect(instantInZone(local, timeZone).toISOString()).toBe(instant);
  });
});

describe('dayInZone', () => {
  it('finds the midnights around an instant, also where the clocks change', () => {
    const instant = new Date('2026-10-25T22:30:00Z');
    expect(dayInZone(instant, 'Europe/Paris').toISOString()).toBe('2026-10-24T22:00:00.000Z');
    expect(dayInZone(instant, 'Europe/Paris', 1).toISOString()).toBe('2026-10-25T23:00:00.000Z');
    expect(dayInZone(instant, 'Europe/Paris', -1).toISOString()).toBe('2026-10-23T22:00:00.000Z');
    expect(dayInZone(instant, 'Asia/Tokyo').toISOString()).toBe('2026-10-25T15:00:00.000Z');
  });
});
