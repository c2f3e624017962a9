import { describe, expect, it } from '@jest/globals';
import { isoInZone, nowInZone } from './zoned-time.js';

describe('isoInZone', () => {
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

  it('keeps the microseconds of PostgreSQL', () => {
    expect(isoInZone('2026-12-05T19:30:00.123456Z', 'Europe/Paris')).toBe('2026-12-05T20:30:00.123456+01:00');
    expect(isoInZone('2026-12-05T19:30:00.000000Z', 'Europe/Paris')).toBe('2026-12-05T20:30:00+01:00');
  });

  it('tells now with microseconds', () => {
    const now = nowInZone('Europe/Paris');
    expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+0[12]:00$/);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(1000);
  });
});
