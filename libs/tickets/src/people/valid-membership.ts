/**
 * SQL: whether a membership is currently valid.
 * @param membership the table `membership` or its alias
 */
export function validMembershipSql(membership = 'membership'): string {
  return `(${membership}.status = 'active' and ${membership}.valid_from <= now()
    and (${membership}.valid_until is null or ${membership}.valid_until > now()))`;
}

/**
 * SQL: like `lockValidMembershipSql` for the reservation $3: a membership that is bought with the same cart counts, too, while it awaits
 * the payment of that cart.
 */
export const lockMembershipForSql = `
  select 1 from membership where product_id = $1 and email_key = $2 and (${validMembershipSql()} or status = 'pending'
    and cart_id = (select cart_id from reservation where id = $3) and valid_from <= now() and expires_at > statement_timestamp())
  order by id limit 1 for share`;

/** SQL: share-locks a valid membership of product $1 held by the person with e-mail key $2; no row when there is none. */
export const lockValidMembershipSql = `
  select 1 from membership where product_id = $1 and email_key = $2 and ${validMembershipSql()} order by id limit 1 for share`;
