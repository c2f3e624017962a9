import type { LimitTable } from '#kernel';

export const limits = {
  accounts: { kept: { most: 5000, ttlMs: 1000 }, of: 'whether a venue can be paid online', why: 'each booking takes one more query' },
  stripeAnswer: {
    ms: 10_000,
    of: 'answer of Stripe',
    why: 'buyers wait for a provider that hangs',
    beyond: '503 `payment.unavailable`',
  },
  stripeAgain: {
    ms: 300,
    of: 'pause before Stripe is asked again while a request with the same idempotency key is running',
    why: 'a repeated request asks without a rest, or fails',
  },
} as const satisfies LimitTable;
