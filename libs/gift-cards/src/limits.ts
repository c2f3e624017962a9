import type { LimitTable } from '#kernel';

export const limits = {
  purchases: {
    rate: { count: 20, milliseconds: 3_600_000 },
    of: 'gift cards that one network begins to buy',
    why: 'a stranger fills the ledger with payments that nobody makes',
    beyond: 'a refusal on the page',
  },
  purchaseBuckets: { kept: { most: 10_000 }, of: 'networks that began to buy a gift card', why: 'many networks fill the memory' },
  transfers: {
    number: 180,
    unit: 's',
    of: 'a payment with a gift card of another venue',
    why: 'its amount is lost between both venues when a process dies',
    beyond: 'the amount is given back to the card',
  },
  silentIssuer: {
    number: 60,
    unit: 's',
    of: 'pause while the other venue of such a payment cannot be asked',
    why: 'jobs ask it all the time',
  },
} as const satisfies LimitTable;
