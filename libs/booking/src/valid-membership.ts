/**
 * SQL: whether a membership is valid at this moment.
 * @param membership the table `membership`, or its alias
 */
export function validMembershipSql(membership = 'membership'): string {
  return `(${membership}.status = 'active' and ${membership}.valid_from <= now()
    and (${membership}.valid_until is null or ${membership}.valid_until > now()))`;
}

/**
 * SQL: locks a valid membership of product $1 of the person with the key $2, until the end of the transaction; no row when there is none.
 */
export const lockValidMembershipSql = `
  select 1 from membership where product_id = $1 and email_key = $2 and ${validMembershipSql()} order by id limit 1 for share`;
