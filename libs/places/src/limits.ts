import type { LimitTable } from '#kernel';

export const limits = {
  creations: {
    turns: { name: 'creations', total: Infinity, each: 1, waiting: 200, waitMs: 60_000 },
    of: 'creations of the same place',
    why: 'a program that repeats its request downloads the pictures again each time',
    beyond: '429 `tenant.busy`',
  },
} as const satisfies LimitTable;
