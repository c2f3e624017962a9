/** SQL of the networks of a buyer, as in `LimitedSql`. */
type NetworkSql = Readonly<Record<'network' | 'site', string>>;

/**
 * SQL: whether a hold counts for a network, or for the site around it. Both are found by one index, on the site or else the network: holds
 * of one network have the same site. Without a site no row fits. A condition on null would make plans for these values look so much cheaper
 * that PostgreSQL plans each execution.
 * @param row its alias
 */
export const isHeldBySql = (row: string, by: keyof NetworkSql, { network, site }: NetworkSql): string =>
  by === 'network'
    ? `coalesce(${row}.network_site, ${row}.network) = coalesce(${site}::text, ${network}::text) and ${row}.network = ${network}::text`
    : `coalesce(${row}.network_site, ${row}.network) = coalesce(${site}::text, '') and ${row}.network_site is not null`;
