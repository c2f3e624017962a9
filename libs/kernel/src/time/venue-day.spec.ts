import { describe, expect, it } from '@jest/globals';
import { venueDayOf } from './venue-day.js';

describe('the day of a venue', () => {
  it('runs from 04:00 to 04:00 on the clocks of the venue', () => {
    expect(venueDayOf(new Date('2026-07-05T01:59:59Z'), 'Europe/Paris')).toBe('2026-07-04');
    expect(venueDayOf(new Date('2026-07-05T02:00:00Z'), 'Europe/Paris')).toBe('2026-07-05');
    expect(venueDayOf(new Date('2026-01-01T12:00:00Z'), 'Pacific/Auckland')).toBe('2026-01-01');
  });

  it('begins at 04:00 on the days on which the clocks change, too', () => {
    // 04:30 in Paris, an hour and a half after the clocks went from 2:00 to 3:00.
    expect(venueDayOf(new Date('2026-03-29T02:30:00Z'), 'Europe/Paris')).toBe('2026-03-29');
    // 03:30 in Paris, after the repeated hour.
    expect(venueDayOf(new Date('2026-10-25T02:30:00Z'), 'Europe/Paris')).toBe('2026-10-24');
    expect(venueDayOf(new Date('2026-10-25T03:00:00Z'), 'Europe/Paris')).toBe('2026-10-25');
  });
});
