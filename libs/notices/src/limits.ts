import type { LimitTable } from '#kernel';

export const limits = {
  mails: {
    rate: { count: 1, milliseconds: 30 },
    of: 'mails that begin while a server answers people; a worker process has no pauses',
    why: 'scans and pages wait while thousands of tickets are sent: a mail takes a third of the time between two',
  },
  keptEvents: { kept: { most: 500, ttlMs: 1000 }, of: 'events of mails', why: 'each of thousands of mails reads the event again' },
  keptVenues: {
    kept: { most: 500, ttlMs: 1000 },
    of: 'senders of mails, with their logos',
    why: 'each mail reads the venue and its logo again',
  },
} as const satisfies LimitTable;
