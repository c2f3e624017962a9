import { FairLimit } from '#kernel';

/** Sums and searches read whole tables. Two at a time per tenant leave connections for scanning. */
export const readings = new FairLimit({ total: 4, each: 2, waiting: 50, waitMs: 10_000 });
