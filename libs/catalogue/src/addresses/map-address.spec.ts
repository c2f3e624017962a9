import { describe, expect, it } from '@jest/globals';
import { mapAddress } from './map-address.js';

const street = { streetAddress: '14 quai des Ferblantiers', postalCode: '44200', addressLocality: 'Nantes', addressCountry: 'FR' };

describe('the map of a place', () => {
  it('shows the coordinates, also those with zeros', () => {
    expect(mapAddress({ ...street, latitude: 47.2, longitude: 0 })).toBe('https://www.openstreetmap.org/?mlat=47.2&mlon=0#map=17/47.2/0');
  });

  it('searches for street and town without coordinates, and for the name only when nothing else is known', () => {
    expect(mapAddress({ ...street, name: 'The Tin Heron', latitude: 47.2, longitude: null })).toBe(
      'https://www.openstreetmap.org/search?query=14+quai+des+Ferblantiers%2C+44200+Nantes%2C+FR',
    );
    expect(mapAddress({ name: 'Castle & Park', addressCountry: 'DE' })).toBe(
      'https://www.openstreetmap.org/search?query=Castle+%26+Park%2C+DE',
    );
  });

  it('is missing when nothing is known but the country', () => {
    expect(mapAddress(null)).toBeUndefined();
    expect(mapAddress({ name: ' ', streetAddress: null, addressCountry: 'FR' })).toBeUndefined();
  });
});
