import type { EntityManager } from 'typeorm';

/** An open transaction. A method whose first parameter it is joins it. */
export type Tx = EntityManager;
