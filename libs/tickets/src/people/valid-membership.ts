/**
 * SQL: whether a membership is currently valid.
 * @param membership the table `membership` or its alias
 */
export function validMembershipSql(membership = 'membership'): string {
  return `(${membership}.status = 'active' and ${membership}.valid_from <= now()
    and (${membership}.valid_until is null or ${membership}.valid_until > now()))`;
}

/**
 * SQL: whether a membership counts for a reservation: it is valid, or it is bought with the same cart and awaits the payment of that cart.
 * @param reservationId SQL of its id
 */
export const countsAsMemberSql = (reservationId: string): string => `(${validMembershipSql()} or membership.status = 'pending'
    and membership.cart_id = (select cart_id from reservation where id = ${reservationId})
    and membership.valid_from <= now() and membership.expires_at > statement_timestamp())`;

/** SQL: share-locks a valid membership of product $1 held by the person with e-mail key $2; no row when there is none. */
export const lockValidMembershipSql = `
  select 1 from membership where product_id = $1 and email_key = $2 and ${validMembershipSql()} order by id limit 1 for share`;
