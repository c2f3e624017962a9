import type { Body } from './events-api.js';

const context = 'https://schema.org';
const place = (name: string, address: unknown): Body => ({ '@type': 'Place', name, address });
const postal = (members: object): Body => ({ '@type': 'PostalAddress', ...members });

/** Events in the forms in which websites publish them, with all their liberties. */
export const foundEvents: (Body & { name: string })[] = [
  {
    '@context': context,
    '@type': 'MusicEvent',
    name: 'A date without a time, the country by name',
    startDate: '2027-02-02',
    endDate: '2027-02-02',
    location: {
      ...place(
        'Sky Stadium',
        postal({ addressCountry: 'New Zealand', addressLocality: 'Wellington', postalCode: '6011', streetAddress: 'Waterloo Quay' }),
      ),
      geo: { latitude: -41.27, longitude: 174.78 },
    },
    performer: [{ '@type': 'MusicGroup', name: 'The Breakwaters' }],
  },
  {
    name: 'The end without a time, an offer without a price',
    startDate: '2027-11-28T17:30:00',
    endDate: '2027-11-28',
    offers: { '@type': 'Offer', availability: 'http://schema.org/InStock', validFrom: '2027-01-01', url: 'https://tickets.example/1' },
    organizer: { '@type': 'Organization', name: 'Quay Society' },
  },
  { name: 'No seconds', startDate: '2027-07-21T19:00-05:00', endDate: '2027-07-21T23:00-05:00' },
  {
    name: 'Several prices as text, no street',
    startDate: '2027-05-01T10:00:00.000Z',
    offers: [
      { '@type': 'Offer', name: 'Member', price: '150.00', priceCurrency: 'GBP' },
      { '@type': 'Offer', name: 'Guest', price: 'on request', priceCurrency: 'GBP' },
    ],
    location: place('Old Mill', postal({ addressLocality: 'Bath', addressCountry: 'UK' })),
  },
  { name: 'The address as text', startDate: '2027-05-01T10:00', location: place('Villa', '178 rue de la Carriérasse, Montpellier') },
  {
    name: 'A series and a duration',
    startDate: '2027-05-01T10:00',
    superEvent: { '@type': 'EventSeries', name: 'Fringe' },
    duration: 'PT2H',
  },
  {
    name: 'Everything in lists',
    '@type': 'Event',
    startDate: '2027-05-02T10:00:00+0200',
    image: [],
    url: ['https://site.example/1'],
    sameAs: [],
    performer: [],
    offers: [],
    inLanguage: ['de', { '@type': 'Language', name: 'English', alternateName: 'en' }],
    eventAttendanceMode: ['https://schema.org/OfflineEventAttendanceMode', 'https://schema.org/OnlineEventAttendanceMode'],
    location: [{ '@type': 'VirtualLocation', url: 'https://stream.example' }, place('Civic Centre', ['500 George St, Sydney NSW'])],
    keywords: ['art', { '@type': 'DefinedTerm', name: 'glass' }],
  },
  {
    name: 'A door time alone, an audience in words',
    startDate: '2027-09-20T19:00:00-04:00',
    doorTime: '18:00',
    audience: { '@type': 'Audience', audienceType: 'All ages welcome' },
    typicalAgeRange: 'All ages',
    isAccessibleForFree: false,
    inLanguage: 'en',
    maximumAttendeeCapacity: 1000,
    remainingAttendeeCapacity: 1000,
    funder: { '@type': 'Organization', name: 'Quay Society' },
    sponsor: [{ '@type': 'Organization', name: 'Rope Works' }],
    workPerformed: { '@type': 'CreativeWork', name: 'Dances' },
    eventSchedule: { '@type': 'Schedule', repeatFrequency: 'P1W' },
  },
  {
    name: 'A door time behind the start, in another form',
    startDate: '2027-10-22 19:00:00',
    doorTime: '2027-10-22 18:00:00 +1100',
    duration: 'P0Y0M0DT2H0M0S',
    image: '',
    endDate: '',
    performer: { '@type': 'Person', name: 'Ada', sameAs: ['https://ada.example'] },
  },
  {
    '@context': ['https://schema.org', { '@language': 'fr' }],
    name: 'Names and texts in lists',
    startDate: ['2027-05-03T20:30:00+02:00'],
    description: ['<p>One</p>'],
    alternateName: ['Sub', 'Title'],
    director: { '@type': 'Person', name: 'B' },
    actor: [{ '@type': 'Person', name: 'C' }],
    organizer: 'Quay Society',
    performers: 'The Mudlarks',
    location: { '@type': 'PerformingArtsTheater', name: 'Petit Théâtre', url: '/theatre', sameAs: 'https://theatre.example' },
  },
  {
    name: 'An offer with all sorts of prices',
    startDate: '2027-05-04T20:30:00+02:00',
    offers: {
      '@type': 'AggregateOffer',
      lowPrice: 1999,
      highPrice: 5999,
      priceCurrency: 'INR',
      offerCount: 3,
      offers: [
        {
          '@type': 'Offer',
          priceSpecification: { '@type': 'PriceSpecification', price: 12.5, priceCurrency: 'EUR' },
          validThrough: '2027-05-04',
        },
        { '@type': 'Offer', price: 0, priceCurrency: 'EUR', category: 'primary', inventoryLevel: 20 },
        'https://tickets.example/3',
      ],
    },
  },
  {
    name: 'Coordinates as text, the region, a place of a place',
    startDate: '2027-05-05T19:30:00-05:00',
    location: {
      '@type': 'MusicVenue',
      '@id': 'https://hall.example/#hall',
      name: 'Selma Hall',
      address: postal({
        streetAddress: '100 Selma Ave',
        addressLocality: 'Webster Groves',
        addressRegion: 'MO',
        postalCode: 63119,
        addressCountry: 'USA',
      }),
      geo: { '@type': 'GeoCoordinates', latitude: '38.5897', longitude: '-90.3547' },
      maximumAttendeeCapacity: 400,
      containedInPlace: { '@type': 'City', name: 'St. Louis' },
      telephone: '+1 314',
    },
  },
  {
    name: 'An address as the location',
    startDate: '2027-05-06T19:30',
    location: postal({ addressLocality: 'Thrissur', addressRegion: 'Kerala', addressCountry: 'in' }),
  },
  {
    name: 'The country as an object, nulls and empty texts',
    startDate: '2027-05-07T19:30',
    endDate: null,
    description: '',
    disambiguatingDescription: null,
    offers: null,
    organizer: null,
    location: place(
      '',
      postal({ streetAddress: '', addressLocality: 'Bern', postalCode: '', addressCountry: { '@type': 'Country', name: 'Schweiz' } }),
    ),
  },
  {
    name: 'Only online',
    startDate: '2027-05-08T19:30+02',
    eventAttendanceMode: 'OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: 'https://stream.example/live' },
    offers: {
      '@type': 'Offer',
      price: '0',
      priceCurrency: 'EUR',
      url: 'https://stream.example/tickets',
      validFrom: '2027-01-01T00:00-05:00',
    },
    subEvent: [{ '@type': 'Event', name: 'Part', startDate: '2027-05-08' }],
    potentialAction: { '@type': 'ReserveAction', target: 'https://stream.example' },
    mainEntityOfPage: { '@type': 'WebPage', '@id': 'https://stream.example/1' },
  },
];

const basic = { streetAddress: '1 Quay', addressLocality: 'Lyon', addressCountry: 'FR' };

/** Addresses in such forms, and what is answered. */
export const foundAddresses: [found: object, answered: object][] = [
  [{ ...basic, addressCountry: 'france' }, { addressCountry: 'FR' }],
  [{ ...basic, addressCountry: 'Allemagne' }, { addressCountry: 'DE' }],
  [{ ...basic, addressCountry: 'Deutschland' }, { addressCountry: 'DE' }],
  [{ ...basic, addressCountry: 'Estados Unidos' }, { addressCountry: 'US' }],
  [{ ...basic, addressCountry: 'United States' }, { addressCountry: 'US' }],
  [{ ...basic, addressCountry: 'uk' }, { addressCountry: 'GB' }],
  [{ ...basic, addressCountry: 'GBR' }, { addressCountry: 'GB' }],
  [{ ...basic, addressCountry: { '@type': 'Country', name: 'New Zealand' } }, { addressCountry: 'NZ' }],
  [{ ...basic, addressCountry: { '@type': 'Country', name: 'CH' } }, { addressCountry: 'CH' }],
  [{ ...basic, postalCode: 69001 }, { postalCode: '69001' }],
  [{ ...basic, geo: { '@type': 'GeoCoordinates', latitude: '45.76', longitude: '4.83' } }, { geo: { latitude: 45.76, longitude: 4.83 } }],
  [{ ...basic, geo: { latitude: '', longitude: '' } }, basic],
  [{ ...basic, telephone: '+33 4', faxNumber: '1', email: 'a@b.example', contactType: 'box office', postOfficeBoxNumber: '3' }, basic],
  [{ ...basic, streetAddress: ['1 Quay'], addressRegion: '' }, basic],
];

/** Members that schema.org does not have, and the pointer of the fault. */
export const unknownMembers: [body: object, pointer: string][] = [
  [{ startdate: '2027-05-01' }, '/startdate'],
  [{ ort: 'Köln' }, '/ort'],
  [{ größe: 1 }, '/größe'],
  [{ location: { name: 'Pier', ort: 1 } }, '/location/ort'],
  [{ location: { name: 'Pier', geo: { lat: 1, latitude: 1, longitude: 2 } } }, '/location/geo/lat'],
  [{ offers: [{ prize: 1 }] }, '/offers/0/prize'],
  [{ performer: { name: 'x', colour: 1 } }, '/performer/colour'],
];
