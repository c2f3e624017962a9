import { FairLimit } from '#kernel';

/** Sums and searches read whole tables: two at a time for each tenant leave connections to its door. */
export const readings = new FairLimit({ total: 4, each: 2, waiting: 50, waitMs: 10_000 });
