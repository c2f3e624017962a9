import { describe, expect, it } from '@jest/globals';
import { isZoneOfCountry, zonesOfCountry } from './country-zones.js';

describe('the time zones of a country', () => {
  it('are one where the clocks are the same everywhere', () => {
    expect(['FR', 'IE', 'DE', 'RE'].map(zonesOfCountry)).toEqual([
      ['Europe/Paris'],
      ['Europe/Dublin'],
      ['Europe/Berlin'],
      ['Indian/Reunion'],
    ]);
    expect(zonesOfCountry('AR')).toEqual(['America/Buenos_Aires']);
  });

  it('are several where they differ', () => {
    expect(zonesOfCountry('ES')).toEqual(['Africa/Ceuta', 'Atlantic/Canary', 'Europe/Madrid']);
    expect(zonesOfCountry('US')).toEqual(expect.arrayContaining(['America/New_York', 'America/Los_Angeles']));
  });

  it('are none of what is no country, or has no people', () => {
    expect(['', 'fr', 'FR-u', '__proto__', 'BV'].map(zonesOfCountry)).toEqual([[], [], [], [], []]);
  });

  it('include those that show the same time by another name', () => {
    expect(isZoneOfCountry('Europe/Paris', 'BE')).toBe(true);
    expect(isZoneOfCountry('Europe/Madrid', 'ES')).toBe(true);
    expect(isZoneOfCountry('Europe/London', 'ES')).toBe(false);
    expect(isZoneOfCountry('Europe/London', '')).toBe(false);
  });
});
