import type { Discount } from '../entities/discount.entity.js';

/** A discount as it is at the time of the booking. */
export type OfferedDiscount = Pick<
  Discount,
  | 'id'
  | 'name'
  | 'kind'
  | 'effect'
  | 'value'
  | 'least'
  | 'reduced'
  | 'leastAmount'
  | 'membershipId'
  | 'parts'
  | 'priceIds'
  | 'productIds'
  | 'eventIds'
>;

const isOpenSql = `not disabled and (valid_from is null or valid_from <= statement_timestamp())
  and (valid_until is null or valid_until > statement_timestamp())`;

/** SQL, a query: the discounts that are given now, the oldest first, as `discount`. @param condition on `discount` */
export const openDiscountsSql = (condition: string): string => `select id, name, kind, effect, value::text, least, reduced,
    least_amount::text as "leastAmount", membership_id as "membershipId", parts,
    price_ids as "priceIds", product_ids as "productIds", event_ids as "eventIds"
  from discount where ${isOpenSql} and (${condition}) order by created_at, id`;

/** SQL: a number that grows with each change of a discount. */
export const discountsVersionSql = `(select coalesce(sum(version), 0)::int from discount)`;

/** SQL: when a discount begins or ends next; null: never. */
export const nextDiscountChangeSql = `(select min(change) from (
  select case when valid_from > statement_timestamp() then valid_from
    when valid_until > statement_timestamp() then valid_until end as change from discount where not disabled) changes)`;
