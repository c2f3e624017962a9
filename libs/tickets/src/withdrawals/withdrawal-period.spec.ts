import { describe, expect, it } from '@jest/globals';
import { hasWithdrawal } from './withdrawal-countries.js';
import { withdrawalEnd } from './withdrawal-period.js';

describe('the period to withdraw', () => {
  it.each([
    ['14 whole days after the day of the contract', '2026-11-30T09:00:00Z', 'Europe/Paris', '2026-12-14T23:00:00.000Z'],
    ['the day is that of the venue', '2026-11-30T23:30:00Z', 'Europe/Paris', '2026-12-15T23:00:00.000Z'],
    ['a change of the clocks between', '2026-10-20T10:00:00Z', 'Europe/Paris', '2026-11-03T23:00:00.000Z'],
    ['a Saturday ends on Monday', '2026-11-28T10:00:00Z', 'Europe/Paris', '2026-12-14T23:00:00.000Z'],
    ['a Sunday ends on Monday', '2026-11-29T10:00:00Z', 'Europe/Paris', '2026-12-14T23:00:00.000Z'],
    ['Christmas and a weekend', '2026-12-11T10:00:00Z', 'Europe/Paris', '2026-12-28T23:00:00.000Z'],
    ['Good Friday to the Tuesday after Easter', '2027-03-12T10:00:00Z', 'Europe/Paris', '2027-03-30T22:00:00.000Z'],
    ['Whit Monday', '2027-05-03T10:00:00Z', 'Europe/Paris', '2027-05-18T22:00:00.000Z'],
    ['Réunion', '2026-11-30T21:00:00Z', 'Indian/Reunion', '2026-12-15T20:00:00.000Z'],
  ])('%s', (_name, from, zone, end) => {
    expect(withdrawalEnd(new Date(from), zone).toISOString()).toBe(end);
  });

  it('is there where EU law applies, and where the venue does not say where it is', () => {
    expect(['FR', 'RE', 'DE', 'NO', '', null, undefined].filter((country) => !hasWithdrawal(country))).toEqual([]);
    expect(['CH', 'GB', 'US', 'PF', 'NC'].filter((country) => hasWithdrawal(country))).toEqual([]);
  });
});
