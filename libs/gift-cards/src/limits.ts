import type { LimitTable } from '#kernel';

export const limits = {
  purchases: {
    rate: { count: 20, milliseconds: 3_600_000 },
    of: 'gift cards that one network begins to buy',
    why: 'a stranger fills the ledger with payments that nobody makes',
    beyond: 'a refusal on the page',
  },
  purchaseBuckets: { kept: { most: 10_000 }, of: 'networks that began to buy a gift card', why: 'many networks fill the memory' },
} as const satisfies LimitTable;
