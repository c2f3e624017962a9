import { describe, expect, it } from '@jest/globals';
import { endOfCard } from './validity.js';

describe('the end of a gift card', () => {
  it.each([
    ['never, where no law is known', null, null, null],
    ['never, where the law says nothing, whatever is set', 'BE', 2, null],
    ['with the third year after the purchase in Germany', 'DE', null, '2029-12-31T23:00:00.000Z'],
    ['not earlier in Germany', 'DE', 1, '2029-12-31T23:00:00.000Z'],
    ['later, when the venue says so', 'DE', 5, '2031-12-31T23:00:00.000Z'],
    ['never in France', 'FR', null, null],
    ['as the venue says in France', 'FR', 2, '2028-11-29T23:00:00.000Z'],
    ['after five years in Ireland, at least', 'IE', 1, '2031-11-29T23:00:00.000Z'],
  ])('%s', (_name, country, years, end) => {
    const found = endOfCard(new Date('2026-11-29T09:00:00Z'), { country, years, timeZone: 'Europe/Paris' });
    expect(found?.toISOString() ?? null).toBe(end);
  });

  it('is a day of the venue, also after 29 February', () => {
    const term = { country: 'FR', years: 1, timeZone: 'Indian/Reunion' };
    expect(endOfCard(new Date('2028-02-28T21:00:00Z'), term)?.toISOString()).toBe('2029-03-01T20:00:00.000Z');
  });
});
