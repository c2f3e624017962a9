import { UnavailableError, type Settings } from '#kernel';
import { limits } from '../../limits.js';

/** From this limit on, one connection of a tenant is kept for urgent work. */
const enoughToKeepOne = 4;
/** Connections that the urgent work of one tenant leaves to all others. */
const leftByUrgent = 3;

/**
 * How many connections one tenant uses at once, so that a flood or a locked row of one leaves connections to all others: half of the pool.
 * Pools of six or more keep two connections for urgent work (scans) of all tenants, smaller ones keep one. Urgent work is short, so that
 * of one tenant may take all connections but three: a door with a queue commits more scans at once then.
 */
export function connectionLimits({ databasePoolSize: pool, databaseWaitMs }: Pick<Settings, 'databasePoolSize' | 'databaseWaitMs'>) {
  const half = Math.max(1, Math.floor(pool / 2));
  return {
    ...limits.connections.turns,
    total: pool - (pool >= 6 ? 2 : pool >= 3 ? 1 : 0),
    each: half >= enoughToKeepOne ? half - 1 : half,
    urgent: Math.max(half, pool - leftByUrgent),
    waitMs: databaseWaitMs,
    refuse: () => new UnavailableError('All connections of this tenant, or of all tenants, are busy.'),
  };
}
