/** What lines and payments belong to: a reservation, a membership, or the order itself, for example a donation. */
export type OrderPart = { readonly reservationId: string } | { readonly membershipId: string } | { readonly orderId: string };

/** SQL: whether a row `order_line` or `payment` belongs to the order itself. */
export const ownSql = 'reservation_id is null and membership_id is null';

/** SQL of the rows `order_line` or `payment` of a part. @returns the condition, and the value of its parameter $1 */
export function partSql(part: OrderPart): readonly [condition: string, id: string] {
  if ('reservationId' in part) return ['reservation_id = $1', part.reservationId];
  return 'membershipId' in part ? ['membership_id = $1', part.membershipId] : [`order_id = $1 and ${ownSql}`, part.orderId];
}
