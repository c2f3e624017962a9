import type { EntityManager } from 'typeorm';

/** An open transaction. A method whose first parameter it is joins it. */
export type Tx = EntityManager;

/** Runs work that reads, in a transaction that has begun or in one of its own. */
export type ReadingIn = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** Reads in a transaction that has begun. */
export const inside =
  (tx: Tx): ReadingIn =>
  (work) =>
    work(tx);
