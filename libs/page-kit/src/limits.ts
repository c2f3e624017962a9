import type { LimitTable } from '#kernel';

export const limits = {
  descriptions: {
    kept: { size: 4_000_000 },
    of: 'descriptions as safe HTML',
    why: 'sanitising a long description takes longer than the rest of its page',
  },
} as const satisfies LimitTable;
