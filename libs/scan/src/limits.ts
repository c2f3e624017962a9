import type { LimitTable } from '#kernel';

const packBusy = '429 `pack.busy`';

export const limits = {
  boards: {
    turns: { name: 'boards', total: 4, each: 2, waiting: 200, waitMs: 5000 },
    of: 'readings of the live page of the door',
    why: 'scans wait for connections while many watch the door',
    beyond: '503 `server.busy`',
  },
  keptBoards: {
    kept: { size: 8_000_000, each: 1_000_000, ttlMs: 1000 },
    of: 'numbers of the live page of the door',
    why: 'each open page counts all entries every few seconds',
  },
  packs: {
    turns: { name: 'packs', total: 3, each: 2, waiting: 300, waitMs: 20_000 },
    of: 'lists of tickets for phones',
    why: 'phones that start at the same time take the connections of those that scan',
    beyond: packBusy,
  },
  keptPacks: {
    kept: { most: 50, ttlMs: 1000, purged: true },
    of: 'lists of tickets that several phones ask for',
    why: 'phones that start together each read all tickets',
  },
  keptLooks: {
    kept: { most: 200, ttlMs: 1000, purged: true },
    of: 'changes of an event that were found for phones that wait',
    why: 'each phone that comes back after an answer reads them again',
  },
  packWaits: {
    turns: { name: 'pack_waits', total: 3000, each: 300, waiting: 0 },
    of: 'requests of phones that wait for changes',
    why: 'made-up devices keep the memory of the process',
    beyond: packBusy,
  },
  watchInterval: {
    ms: 1000,
    of: 'looks for changes of an event for which phones wait, without a signal',
    why: 'scans at another server reach the lists of phones later',
  },
  watchGap: {
    ms: 200,
    of: 'least time between two of these looks; twenty times as long as one takes',
    why: 'every scan makes a look at the whole event',
  },
  names: {
    turns: { name: 'names', total: 1, each: 1, waiting: 50, waitMs: 20_000 },
    of: 'lists of names for phones that may search',
    why: 'scans wait while thousands of addresses are hashed',
    beyond: packBusy,
  },
  sealedNames: {
    turns: { name: 'sealed_names', total: 1, each: 1, waiting: 300, waitMs: 20_000 },
    of: 'lists of sealed names',
    why: 'scans wait while names are sealed: half a second for 10,000',
    beyond: packBusy,
  },
  keptSealedNames: {
    kept: { size: 32_000_000, each: 8_000_000 },
    of: 'sealed names, by all that is sealed',
    why: 'each list for a phone takes half a second of a processor',
  },
  journals: {
    turns: { name: 'journals', total: Infinity, each: 1, waiting: 0 },
    of: 'journals of one device that are recorded',
    why: 'a phone that repeats its journal records the lines of both side by side, in another order',
    beyond: '429 `batch.busy`',
  },
} as const satisfies LimitTable;
