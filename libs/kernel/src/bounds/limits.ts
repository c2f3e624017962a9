import type { LimitTable } from './limit-table.js';

/** Drawing a document takes long when it has many pages, so a process draws two at a time, one per tenant. */
const oneDocument = { total: 2, each: 1, waitMs: 20_000 } as const;
/** Drawing a code takes some milliseconds, and many people open their tickets at the same time. */
const oneCode = { total: 1, each: 1, waitMs: 10_000 } as const;
const serverBusy = '503 `server.busy`';

export const limits = {
  publicDocuments: {
    turns: { ...oneDocument, name: 'public_documents', waiting: 40, waitingOfNetwork: 10 },
    of: 'PDF files for readers',
    why: 'large files of one venue delay the tickets of others',
    beyond: serverBusy,
  },
  staffDocuments: {
    turns: { ...oneDocument, name: 'staff_documents', waiting: 20 },
    of: 'PDF files for staff',
    why: 'a rush of readers delays the lists of the staff',
    beyond: serverBusy,
  },
  publicCodes: {
    turns: { ...oneCode, name: 'public_codes', waiting: 500, waitingOfNetwork: 125 },
    of: 'codes on public pages',
    why: 'scans wait while hundreds open their tickets',
    beyond: serverBusy,
  },
  staffCodes: {
    turns: { ...oneCode, name: 'staff_codes', waiting: 100 },
    of: 'codes in the panel',
    why: 'a rush of readers delays pairing codes',
    beyond: serverBusy,
  },
  keptDocuments: {
    kept: { size: 16_000_000, each: 2_000_000, ttlMs: 60_000 },
    of: 'drawn PDF files, by a hash of all their content',
    why: 'who downloads a file twice, or opens it on two devices, waits twice; short, because they contain names',
  },
  keptCodes: {
    kept: { size: 16_000_000, each: 4_000_000, ttlMs: 60_000 },
    of: 'drawn codes, by their text',
    why: 'each reload of a page of tickets draws all codes again; short, because they let people in',
  },
  nameLookUps: {
    turns: { name: 'name_look_ups', total: 64, each: 8, waiting: 100, waitMs: 5000 },
    of: 'look-ups of host names that tenants choose',
    why: 'slow name servers of one tenant delay webhooks and pictures of others',
    beyond: 'the request to that host fails',
  },
  systemLookUps: {
    turns: { name: 'system_look_ups', total: 2, each: 1, waiting: 100, waitMs: 5000 },
    of: 'look-ups of names in `OUTBOUND_ALLOW` by the system',
    why: 'they use half of the threads that passwords and pictures need',
    beyond: 'the request to that host fails',
  },
  secondFamily: {
    ms: 300,
    of: 'wait for the second address family after the first one is known',
    why: 'name servers that never answer for IPv6 delay every webhook by 5 s',
  },
  buckets: {
    kept: { most: 50_000 },
    of: 'buckets of rate limits, those of networks and all others apart',
    why: 'requests from made-up networks fill the memory',
    beyond: 'the least recently used bucket is full again',
  },
  rates: {
    rate: {},
    of: 'requests by client network, key, device, session and tenant',
    why: 'one client uses the processor time of all',
    beyond: '429 `rate.limited`',
    setting: 'RATE_…',
    metric: 'guichet_rate_limited_total',
  },
  slice: { ms: 2, of: 'time for which a long list blocks other work', why: 'scans wait until a list of thousands is written' },
  loopShare: {
    ms: 500,
    of: 'time over which the load of the event loop is measured',
    why: 'the queue of a rush follows single requests instead of the load',
  },
  gauge: {
    ms: 1000,
    of: 'reading a gauge for `/metrics`',
    why: 'one slow value leaves the whole scrape without an answer',
    beyond: 'the gauge has no sample',
  },
  deadlockPause: {
    ms: 10,
    of: 'first pause before a transaction is repeated after a deadlock; random, twice as long each time',
    why: 'two buyers run into the same deadlock again and get 503',
  },
  moments: {
    kept: { most: 10_000 },
    of: 'written dates, by moment, language and zone',
    why: 'a list of a thousand events takes some hundredths of a second longer',
  },
  zonedParts: { kept: { most: 10_000 }, of: 'moments in the time zone of a venue', why: 'the same' },
  steadyDays: { kept: { most: 5000 }, of: 'offsets of whole days of a time zone', why: 'the same' },
  formats: {
    kept: { most: 1000 },
    of: 'formatters of dates and amounts, by language, zone and form',
    why: 'creating one takes longer than a scan',
  },
} as const satisfies LimitTable;
