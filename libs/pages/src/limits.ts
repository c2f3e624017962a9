import type { LimitTable } from '#kernel';

export const limits = {
  listStates: {
    turns: { name: 'list_states', total: 6, each: 3, waiting: 300, waitingOfNetwork: 60, waitMs: 10_000 },
    of: 'states (entity tags) of agendas, feeds, calendars, sitemaps and lists of places',
    why: 'kept lists wait behind lists that are written; apart from those, because each request needs the state',
    beyond: '503 `server.busy`',
  },
  // At least as long as the queue of the states, so that a request which waited there is not refused here.
  lists: {
    turns: { name: 'lists', total: 4, each: 2, waiting: 300, waitingOfNetwork: 75, waitMs: 10_000 },
    of: 'agendas, feeds, calendars, sitemaps and lists of places that are written',
    why: 'scans wait for connections and processor time while many read long agendas',
    beyond: '503 `server.busy`',
  },
  // Room for the lists of a tenant in four languages.
  keptLists: {
    kept: { size: 32_000_000, each: 8_000_000 },
    of: 'written lists, by entity tag',
    why: 'each reader waits until the agenda is written anew',
  },
  eventPages: {
    turns: { name: 'event_pages', total: 6, each: 3, waiting: 500, waitingOfNetwork: 125, waitMs: 10_000 },
    of: 'readings of the pages of events',
    why: 'sales wait for connections when a link to an event spreads',
    beyond: '503 `server.busy`',
  },
  eventPageReadings: {
    rate: { count: 20, milliseconds: 1000 },
    of: 'readings of one event, before its readers share one of the last second',
    why: 'the page is read anew for each reader of a rush; in quiet times everybody sees each change at once',
    beyond: 'a page that is up to a second old',
  },
  eventPageBuckets: { kept: { most: 10_000 }, of: 'events whose readings are counted', why: 'made-up addresses fill the memory' },
  keptEventPages: {
    kept: { size: 32_000_000, each: 4_000_000, ttlMs: 1000 },
    of: 'what the pages of events show, in characters with the written pages',
    why: 'the page is read and written anew for each reader of a rush',
  },
  problemVenues: {
    kept: { most: 1000, ttlMs: 1000 },
    of: 'the look of a venue and the sites that may show its pages in frames, for problem pages',
    why: 'each refusal makes a query, most while the server refuses many',
  },
  problemVenueWait: {
    ms: 1000,
    of: 'wait of a problem page for the look and these sites',
    why: 'refusals wait for the database',
    beyond: 'the page has the usual look and is not shown in frames',
  },
  sharePictures: {
    turns: { name: 'share_pictures', total: 1, each: 1, waiting: 20, waitingOfNetwork: 5, waitingInAll: 100, waitMs: 20_000 },
    of: 'pictures for link previews',
    why: 'tickets wait for the threads that draw, because anybody may ask for pictures in every language',
    beyond: '503 `server.busy`',
  },
  sharePicturePace: {
    rate: { count: 1, milliseconds: 500 },
    of: 'pictures for link previews that are drawn',
    why: 'a list of links to all events keeps a processor busy until all are drawn',
  },
  keptSharePictures: {
    kept: { size: 32_000_000, each: 4_000_000, ttlMs: 3_600_000 },
    of: 'pictures for link previews, where no folder can be written',
    why: 'a picture is drawn for each preview',
  },
} as const satisfies LimitTable;
