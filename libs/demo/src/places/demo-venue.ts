import type { DemoTenant } from '../basics/demo-tenant.js';
import { venueProducts } from './demo-venue-catalogue.js';
import { venueEvents } from './demo-venue-events.js';
import { venueLegal } from './demo-legal.js';
import { houseGallery } from './demo-venue-galleries.js';

/** A venue of category S: seventeen events around now, in English, in the time zone of Paris. */
export const demoVenue: DemoTenant = {
  seed: 1911,
  frenchShare: 0.45,
  tenant: {
    slug: 'demo',
    name: 'The Tin Heron',
    category: 'S',
    language: 'en',
    timeZone: 'Europe/Paris',
    configuration: {
      short_description: 'A music hall, a workshop and a canteen in a former tinworks by the river.',
      long_description:
        'The Tin Heron opened in the pressing hall of an old tinworks and has been run by its members ever since. Concerts ' +
        'most weeks, workshops on the upper floor, soup at noon, and a garden under glass across the bridge.\n\n' +
        'The bar opens an hour before every concert. The main hall, the studio and the garden are all on one level, and ' +
        'assistants enter free.',
      street_address: '14 quai des Ferblantiers',
      postal_code: '44200',
      city: 'Nantes',
      country: 'FR',
      phone: '+33 2 61 91 44 20',
      email: 'hello@tin-heron.example',
      website: 'https://tin-heron.example',
    },
  },
  addresses: [
    {
      name: 'Main Hall',
      streetAddress: '14 quai des Ferblantiers',
      addressLocality: 'Nantes',
      addressRegion: 'Pays de la Loire',
      postalCode: '44200',
      addressCountry: 'FR',
      latitude: 47.2046,
      longitude: -1.5461,
      isMain: true,
    },
    {
      name: 'Upper Studio',
      streetAddress: '14 bis quai des Ferblantiers',
      addressLocality: 'Nantes',
      addressRegion: 'Pays de la Loire',
      postalCode: '44200',
      addressCountry: 'FR',
      latitude: 47.2047,
      longitude: -1.5458,
      isMain: false,
    },
    {
      name: 'The Rope Garden',
      streetAddress: '3 allée des Vieux-Cordiers',
      addressLocality: 'Rezé',
      addressRegion: 'Pays de la Loire',
      postalCode: '44400',
      addressCountry: 'FR',
      latitude: 47.1932,
      longitude: -1.5587,
      isMain: false,
    },
  ],
  products: venueProducts,
  events: venueEvents,
  profile: {
    payAtVenueHours: 2,
    donations: '2.00 5.00 10.00',
    giftCards: '20.00 50.00 100.00',
    accentColour: '#c73e1d',
    typeface: 'programme',
    corners: 'square',
    openingHours: 'Tue–Fri 12:00–14:00\nBar: one hour before every concert\nBox office: Wed–Fri 16:00–19:00',
    gettingHere:
      'Tram: line 1, stop Ferblantiers, four minutes on foot\nBicycle: forty stands in the yard\nCar: none in the yard; car park Quai Nord',
    accessibility:
      'Entrance: level, doors 110 cm wide\nSeats: six places for wheelchairs in the main hall\n' +
      'Toilets: one with grab rails beside the wardrobe\nHearing: induction loop in the first four rows',
    accessContact: 'Maud Rivière, +33 2 61 91 44 21',
    ...venueLegal,
  },
  // The example of the standard's register: no bank has this account.
  bank: { iban: 'FR1420041010050500013M02606', holder: 'The Tin Heron', days: 7 },
  campaigns: [
    {
      title: 'A new roof for the Rope Garden',
      text:
        'Forty panes broke in the storm of February. A pane costs 90 euros, and the gardeners set it in themselves.\n\n' +
        'What is left over buys blankets for the open-air evenings.',
      goal: '3600.00',
      amounts: '10.00 30.00 90.00',
    },
  ],
  gallery: houseGallery,
  picture: { motif: 'waves', colours: ['#22304f', '#e8a27c', '#fbe3b4', '#7d5a74', '#4f3f63', '#2b2a4a'] },
  logo: { motif: 'waves', colours: ['#c73e1d', '#e2683f', '#fbe3b4', '#8f2a12', '#5c1a0b'] },
  undoReasons: ['Left again to wait for a friend', 'Wrong phone held out', 'Showed the neighbour’s ticket'],
  devices: [
    { name: 'Main door', paired: true },
    { name: 'Garden gate', paired: true },
    { name: 'Box office tablet', paired: false },
  ],
  teamCode: { name: 'Door team', places: 10 },
};
