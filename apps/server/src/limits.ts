import type { LimitTable } from '#kernel';

export const limits = {
  pings: {
    kept: { most: 1, ttlMs: 1 },
    of: 'answers of PostgreSQL for `/ready`: requests at the same time share one',
    why: 'checks pile up while the database hangs',
  },
  writes: {
    kept: { most: 1, ttlMs: 3000 },
    of: 'results of the written row for `/ready`, failures included',
    why: 'each health check writes',
  },
  migrations: {
    kept: { most: 1, ttlMs: 3000 },
    of: 'states of migrations for `/ready`, failures included',
    why: 'each health check counts all tenants',
  },
  look: { ms: 1000, of: 'a query for `/ready`', why: 'the proxy waits for a database that hangs', beyond: '503 with the reason' },
  write: { ms: 2000, of: 'the written row for `/ready`', why: 'see above; commits may wait for standbys', beyond: '503 with the reason' },
} as const satisfies LimitTable;
