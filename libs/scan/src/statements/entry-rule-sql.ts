import { venueDayStartSql } from '#kernel';

/**
 * SQL: whether a ticket that came in may come in again, because its price is for one entry a day and the venue's day of the last one is
 * over.
 *
 * @param t alias of the ticket @param p alias of its price @param timeZone SQL @param at SQL of the moment of the attempt
 */
export const renewedSql = (t: string, p: string, timeZone: string, at = 'now()'): string =>
  `(${p}.entry_rule = 'daily' and ${t}.status = 'S' and ${t}.scanned_at < ${venueDayStartSql(timeZone, 0, at)})`;

/** SQL: whether holders who were let out may come in again. @param e alias of the event @param p alias of the price */
export const reentrySql = (e: string, p: string): string => `(${e}.reentry or ${p}.entry_rule = 'exits')`;
