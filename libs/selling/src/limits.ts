import type { LimitTable } from '#kernel';

export const limits = {
  bookings: {
    turns: { name: 'bookings', waiting: 2000, waitingOfNetwork: 1000, waitMs: 30_000 },
    of: 'bookings: half of the connections less one for a tenant, all but three in total',
    why: 'scans and the panel find no connection while a sale opens',
    beyond: '429 `tenant.busy`',
    setting: 'DATABASE_POOL_SIZE',
  },
} as const satisfies LimitTable;
