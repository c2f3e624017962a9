import type { LimitTable } from '#kernel';

export const limits = {
  accounts: { kept: { most: 5000, ttlMs: 1000 }, of: 'whether a venue can be paid online', why: 'each booking takes one more query' },
  methods: {
    ms: 86_400_000,
    of: 'how old the names of the ways to pay of an account are at most, when the hourly task runs',
    why: 'the order page names a way that the venue has switched off at its provider, or misses a new one',
  },
  notices: {
    turns: { name: 'payment_notices', total: 20, each: 4, waiting: 50 },
    of: 'asking a provider about a checkout that a message without a signature named',
    why: 'a stranger who repeats such messages makes the server ask the provider as often',
    beyond: '429 `tenant.busy`',
  },
  providerAnswer: {
    ms: 10_000,
    of: 'answer of a payment provider',
    why: 'buyers wait for a provider that hangs',
    beyond: '503 `payment.unavailable`',
  },
  readerLook: {
    ms: 30_000,
    of: 'how long after a card reader was asked, and how often, its provider is asked without a page',
    why: 'a payment is found late whose page was closed, where no event arrives',
  },
  readerPayment: {
    ms: 240_000,
    of: 'how long a card reader asks for a sum',
    why: 'a reader that nobody cancels takes no other sum',
    beyond: 'it is taken back',
  },
  stripeAgain: {
    ms: 300,
    of: 'pause before Stripe is asked again while a request with the same idempotency key is running',
    why: 'a repeated request asks without a rest, or fails',
  },
} as const satisfies LimitTable;
