import type { LimitTable } from '#kernel';

export const limits = {
  queues: {
    kept: { most: 500, ttlMs: 60_000, renewed: true },
    of: 'views of the queues of a rush',
    why: 'each question of a buyer reads the queue; the spots themselves are in the database',
  },
  pruned: {
    kept: { most: 500, ttlMs: 60_000 },
    of: 'tenants whose old spots were deleted in the last minute',
    why: 'each question deletes',
  },
  queueReading: {
    ms: 500,
    of: 'age of a view of a queue; what buyers do in the meantime is written together',
    why: 'a rush makes thousands of statements a second',
  },
} as const satisfies LimitTable;
