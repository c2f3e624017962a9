import type { DemoEvent } from '../basics/demo-tenant.js';

/** The venue's twelve events: three past, three today, six future, one of them private and one not published yet. */
export const venueEvents: readonly DemoEvent[] = [
  {
    name: 'The Borrowed Umbrellas',
    category: 'LIV',
    shortDescription: 'Six voices, one tuba, songs about weather.',
    longDescription:
      'The sextet from the far side of the estuary returns with a set written during forty days of rain. Expect harmonies, ' +
      'a tuba that behaves like a bass, and an encore under actual umbrellas.\n\n' +
      'Support: a short set by the Tuesday choir of the house.',
    starts: [-9, '20:30'],
    lastsMinutes: 150,
    capacity: 180,
    sold: 92,
    maxPerUser: 8,
    place: 'Main Hall',
    sells: ['Concert ticket'],
    scanOpensMinutesBefore: 60,
    scanClosesMinutesAfter: 0,
  },
  {
    name: 'Last Bus Home: How Cities Sleep',
    category: 'CON',
    shortDescription: 'A talk and a walk about night buses, street lamps and quiet.',
    longDescription:
      'Two planners, a bus driver and a baker compare notes on the hours between midnight and five. The walk afterwards takes forty ' +
      'minutes and ends at the bakery.',
    starts: [-5, '18:30'],
    lastsMinutes: 120,
    capacity: 80,
    sold: 52,
    place: 'Upper Studio',
    sells: ['Free entry'],
  },
  {
    name: 'Orchestre de Poche du Quai Nord',
    subtitle: 'A dance out of four suitcases',
    category: 'LIV',
    shortDescription: 'Nine musicians, four suitcases, dance tunes from three coasts.',
    longDescription:
      'Everything this orchestra plays on fits into four suitcases: two accordions, a folding double bass, a set of tuned bottles. ' +
      'The floor is cleared of chairs; dance shoes welcome.',
    starts: [-2, '20:30'],
    lastsMinutes: 165,
    capacity: 150,
    sold: 68,
    place: 'Main Hall',
    sells: ['Concert ticket'],
  },
  {
    name: 'The Listening Marathon',
    category: 'REU',
    shortDescription: 'One record every half hour, all the way through, no talking. Come and go.',
    longDescription:
      'Members bring a record and two sentences about it; then the needle goes down and nobody speaks until the side is ' +
      'over. Deckchairs, blankets and soup.\n\n' +
      'Your ticket lets you in at any time while it lasts.',
    starts: 'running',
    lastsMinutes: 360,
    capacity: 120,
    sold: 84,
    place: 'The Rope Garden',
    sells: ['Day ticket'],
    arrivals: [-10, 140],
  },
  {
    name: 'Lantern-Making Workshop',
    category: 'CHT',
    shortDescription: 'Paper, wire, candlelight: take home what you fold.',
    longDescription:
      'Three hours with the house’s own lantern makers. Children from eight years on with an adult; everybody leaves with a lantern ' +
      'and slightly gluey fingers.',
    starts: [0, '14:00'],
    lastsMinutes: 180,
    capacity: 24,
    sold: 19,
    maxPerUser: 4,
    place: 'Upper Studio',
    sells: ['Workshop place'],
  },
  {
    name: 'Velvet Tramway + Tram 19 Brass Band',
    subtitle: 'Double bill',
    category: 'LIV',
    shortDescription: 'Slow electric songs, then eleven horns walk in from the street.',
    longDescription:
      'Velvet Tramway play their second record from end to end. Then the doors open and the brass band, which will have ' +
      'started at the tram stop, comes in playing.\n\n' +
      'Bar from 19:30. The quiet corner by the wardrobe stays quiet.',
    starts: [0, '20:30'],
    lastsMinutes: 180,
    capacity: 200,
    sold: 134,
    maxPerUser: 6,
    place: 'Main Hall',
    sells: ['Concert ticket'],
    scanOpensMinutesBefore: 60,
    scanClosesMinutesAfter: 120,
  },
  {
    name: 'Soup & Stories',
    category: 'RES',
    shortDescription: 'Lunch at the long table, with somebody reading aloud.',
    longDescription:
      'Two soups (one without anything from animals), bread from the bakery next door, cheese, and forty minutes of a story. Over ' +
      'in time to be back at work at two.',
    starts: [1, '12:30'],
    lastsMinutes: 90,
    capacity: 40,
    sold: 26,
    begins: ['P', 'U', 'PE', 'PN', 'C'],
    place: 'Upper Studio',
    sells: ['Canteen lunch'],
  },
  {
    name: 'Sept Lieues: the album night',
    category: 'LIV',
    shortDescription: 'The local trio’s first album, played once, in full.',
    longDescription:
      'Recorded in this very hall over eleven nights, and now given back to it. The record is on the merchandise table before it is ' +
      'anywhere else. Seated, hence the small number of places.',
    starts: [4, '20:30'],
    lastsMinutes: 120,
    capacity: 120,
    sold: 117,
    demand: 'rush',
    maxPerUser: 4,
    place: 'Main Hall',
    sells: ['Concert ticket'],
    scanOpensMinutesBefore: 45,
    scanClosesMinutesAfter: 30,
  },
  {
    name: 'Stage-Build Day',
    category: 'CHT',
    shortDescription: 'We build the garden stage; lunch is on the house.',
    longDescription:
      'Hammers provided, gloves welcome, no experience needed. Come for an hour or the whole day. There is painting for those who ' +
      'would rather not lift.',
    starts: [7, '10:00'],
    lastsMinutes: 420,
    capacity: 30,
    sold: 23,
    begins: ['FA', 'F', 'R'],
    place: 'The Rope Garden',
    sells: ['Free entry'],
  },
  {
    name: 'Small Hours: two nights of new music',
    category: 'FES',
    shortDescription: 'Fourteen short sets under glass, from dusk until the tea runs out.',
    longDescription:
      'Fourteen acts who have not released anything yet, twenty-five minutes each, over two nights. Hammocks at the far ' +
      'end of the garden.\n\n' +
      'The pass covers both nights. Under-twelves come in free with an adult: write to us.',
    starts: [12, '18:00'],
    lastsMinutes: 1860,
    capacity: 400,
    sold: 98,
    place: 'The Rope Garden',
    sells: ['Two-night pass'],
    scanOpensMinutesBefore: 90,
    scanClosesMinutesAfter: 0,
  },
  {
    name: 'Members’ Evening',
    subtitle: 'General assembly and supper',
    category: 'REU',
    shortDescription: 'The accounts in ten minutes, then supper.',
    longDescription:
      'By invitation. What came in, what went out, what the roof will cost; afterwards a long table and the first listen to next season.',
    starts: [15, '19:00'],
    lastsMinutes: 180,
    capacity: 60,
    sold: 24,
    demand: 'guests',
    isPrivate: true,
    place: 'Main Hall',
    sells: ['Free entry'],
  },
  {
    name: 'Season Opening (line-up to be announced)',
    category: 'LIV',
    shortDescription: 'Keep the evening free.',
    starts: [24, '20:30'],
    lastsMinutes: 180,
    capacity: 250,
    sold: 0,
    published: false,
    place: 'Main Hall',
    sells: ['Concert ticket'],
  },
];
