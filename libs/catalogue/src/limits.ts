import type { LimitTable } from '#kernel';

const imageBusy = '503 `image.busy`';

export const limits = {
  images: {
    turns: { name: 'images', total: 1, each: 1, waiting: 18, waitingInAll: 64, waitMs: 60_000 },
    of: 'pictures that are decoded and encoded',
    why: 'scans wait for a processor; each picture that waits holds up to 10 MiB, so the queue bounds the memory',
    beyond: '429 `tenant.busy`',
  },
  downloads: {
    turns: { name: 'downloads', total: 8, each: 4, waiting: 28, waitMs: 20_000 },
    of: 'pictures that are fetched from other servers',
    why: 'slow servers of one tenant delay the pictures of others, and each holds 10 MiB',
    beyond: imageBusy,
  },
  downloaded: {
    turns: { name: 'downloaded', total: 24, each: 8, waiting: 4, waitMs: 60_000 },
    of: 'fetched pictures until they are encoded',
    why: 'they fill the memory while the next ones are fetched',
    beyond: imageBusy,
  },
  download: {
    ms: 10_000,
    of: 'fetching a picture, redirects included',
    why: 'the one who saved a form waits for a server that does not answer',
    beyond: '400 with the field',
  },
  printable: { kept: { most: 100 }, of: 'pictures for paper and mails', why: 'each mail encodes the logo again' },
  dates: {
    number: 200,
    unit: 'dates',
    of: 'dates of a series that one step makes',
    why: 'all are made in one transaction, which takes seconds; others of the venue wait for its locks',
    beyond: 'the form names the field',
  },
} as const satisfies LimitTable;
