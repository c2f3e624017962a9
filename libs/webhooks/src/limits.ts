import type { LimitTable } from '#kernel';

export const limits = {
  requests: {
    turns: { name: 'webhook_requests', each: 4, waiting: Infinity },
    of: 'requests to one endpoint; one at a time while it fails',
    why: 'a receiver gets all that waited at once when it is back',
  },
  pace: {
    rate: { count: 1, milliseconds: 50 },
    of: 'requests to receivers while a server answers many requests',
    why: 'scans wait while webhooks of a rush are sent',
  },
  slots: {
    number: 48,
    unit: 'endpoints',
    of: 'endpoints that a process serves at the same time; failing ones have half as many of their own',
    why: 'endpoints that answer after 15 s delay all others',
  },
  slotsOfTenant: {
    number: 8,
    unit: 'endpoints',
    of: 'these endpoints of one tenant',
    why: 'one tenant with many endpoints delays all others',
  },
  calmGap: { ms: 25, of: 'pause between two rounds of the outbox', why: 'each message is a round of its own' },
  busyGap: { ms: 1000, of: 'the same while a server answers many requests', why: 'scans wait for rounds' },
  calmRound: {
    number: 4000,
    unit: 'messages',
    of: 'messages that a round hands to endpoints, over all tenants',
    why: 'a backlog of one tenant delays the round of all others',
  },
  busyRound: {
    number: 80,
    unit: 'messages',
    of: 'the same while a server answers many requests',
    why: 'scans wait for rounds',
  },
  slice: { ms: 2000, of: 'turn of an endpoint', why: 'endpoints with much to send keep the slots' },
  poll: { ms: 1000, of: 'rounds without a signal', why: 'webhooks wait when a signal is lost' },
  rest: { ms: 30_000, of: 'pause after a failure in a tenant', why: 'a broken tenant delays all others' },
  migratingRest: { ms: 5000, of: 'pause for a tenant that is migrated', why: 'see above' },
  answer: {
    ms: 15_000,
    of: 'answer of a receiver',
    why: 'slow receivers keep the slots',
    beyond: 'the delivery is repeated',
    metric: 'guichet_webhook_attempts_total',
  },
} as const satisfies LimitTable;
