import type { LimitTable } from '#kernel';

export const limits = {
  offers: {
    kept: { most: 1000, ttlMs: 1000 },
    of: 'wallets that a venue offers',
    why: 'each page and mail with tickets takes one more query',
  },
} as const satisfies LimitTable;
