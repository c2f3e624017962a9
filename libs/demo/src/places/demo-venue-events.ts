import type { DemoEvent } from '../basics/demo-tenant.js';

/** The event to which the start of the server leads: its sale is open at any hour. */
export const bookableEvent = 'Small Hours: two nights of new music';

/**
 * The venue's seventeen events: three past, three today, eleven future. One of them is private, one not published yet, one sold out with a
 * waiting list, one for members, one cancelled, and one whose sale opens in three days.
 */
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
    picture: { motif: 'waves', colours: ['#5b7f95', '#c9d6d3', '#f2e6c9', '#7f9fa8', '#4f7280', '#2f4a57'] },
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
    picture: { motif: 'bars', colours: ['#3b1f3f', '#b8506a', '#f6c177', '#7a2f55', '#2a142c'] },
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
    picture: { motif: 'hills', colours: ['#2c5d63', '#a7c7a0', '#f3e9c6', '#5d8a66', '#3d6b54', '#254a3f'] },
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
    picture: { motif: 'lanterns', colours: ['#1b1f3b', '#53354a', '#e84545', '#120f22', '#ffb26b', '#ffd98e'] },
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
    picture: { motif: 'rays', colours: ['#4a1942', '#893168', '#eaac8b', '#2e1126', '#1b0b18'] },
    place: 'Main Hall',
    sells: ['Concert ticket', 'Tote bag'],
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
    picture: { motif: 'hills', colours: ['#e9c46a', '#f4a261', '#fff3d6', '#e76f51', '#b5533c', '#7a3b2e'] },
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
    picture: { motif: 'waves', colours: ['#0b2545', '#13688f', '#eef4ed', '#134074', '#0b3155', '#071d38'] },
    place: 'Main Hall',
    sells: ['Concert ticket', 'Tote bag', 'Forty Winters of Tin', 'Heron T-shirt'],
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
    picture: { motif: 'bars', colours: ['#8ecae6', '#dff1f7', '#ffb703', '#fb8500', '#7a4a17'] },
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
    picture: { motif: 'lanterns', colours: ['#0f0c29', '#302b63', '#f8f0c8', '#0a0820', '#c9a7ff', '#7fd8d4'] },
    place: 'The Rope Garden',
    sells: ['Two-night pass', 'Members’ pass', 'Tote bag', 'Forty Winters of Tin', 'Heron T-shirt'],
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
  {
    name: 'Glasswing: the farewell concert',
    category: 'LIV',
    shortDescription: 'Twenty years, one last evening.',
    longDescription:
      'The quartet began in this hall and ends here. Every place was gone within a day; tickets that are given back appear on this page.',
    starts: [9, '20:30'],
    lastsMinutes: 130,
    capacity: 90,
    sold: 90,
    demand: 'full',
    waiting: 7,
    maxPerUser: 4,
    picture: { motif: 'rays', colours: ['#1d3557', '#457b9d', '#f1faee', '#14283f', '#0d1b2a'] },
    place: 'Main Hall',
    sells: ['Concert ticket'],
  },
  {
    name: 'Members’ Listening Night',
    category: 'REU',
    shortDescription: 'The next season on the record player, before anybody else hears it.',
    longDescription: 'For members, with one guest each. The membership can be had at the bar and at the box office.',
    starts: [16, '19:30'],
    lastsMinutes: 150,
    capacity: 60,
    sold: 21,
    demand: 'guests',
    picture: { motif: 'bars', colours: ['#22223b', '#4a4e69', '#f2e9e4', '#9a8c98', '#c9ada7'] },
    place: 'Main Hall',
    sells: ['Members’ entry'],
  },
  {
    name: 'Bicycle Kitchen: repair it yourself',
    category: 'CHT',
    shortDescription: 'A free workshop: tools, spare parts and two people who know how.',
    longDescription: 'Bring a bicycle that squeaks. Places are free, and booking one keeps a stand for you.',
    starts: [6, '14:00'],
    lastsMinutes: 180,
    capacity: 20,
    sold: 9,
    begins: ['V', 'FA'],
    picture: { motif: 'hills', colours: ['#a8dadc', '#f1faee', '#e63946', '#83c5be', '#457b9d', '#1d3557'] },
    place: 'Upper Studio',
    sells: ['Free entry'],
  },
  {
    name: 'Garden Cinema: films under glass',
    category: 'LIV',
    shortDescription: 'The projector is being repaired; a new date follows.',
    starts: [10, '21:30'],
    lastsMinutes: 120,
    capacity: 100,
    sold: 0,
    cancelled: true,
    place: 'The Rope Garden',
    sells: ['Day ticket'],
  },
  {
    name: 'Forty Bicycle Bells: a nocturne',
    category: 'LIV',
    shortDescription: 'Forty players, forty bells, one conductor on a ladder.',
    longDescription:
      'Written for this hall and for whoever brings a bell. Players rehearse in the afternoon; listeners come at half past eight. ' +
      'Tickets are sold from the day that this page names.',
    starts: [27, '20:30'],
    lastsMinutes: 90,
    capacity: 160,
    sold: 0,
    maxPerUser: 6,
    picture: { motif: 'rays', colours: ['#14213d', '#fca311', '#fff3d6', '#0f1a30', '#0a1122'] },
    place: 'Main Hall',
    sells: ['Nocturne'],
  },
];
