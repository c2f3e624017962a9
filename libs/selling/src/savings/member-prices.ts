import { freeStockSql } from '#tickets';
import { isShownSql, isKindSql, saleStateSql } from '#catalogue';
import type { Tx } from '#tenancy';
import type { OfferedMemberPrice } from './exchangeable-tickets.js';

/** More prices for members are not compared. */
const mostPrices = 200;

const forEverybody = `${isShownSql('price')} and price.required_membership_id is null`;

/**
 * SQL: the product whose tickets the prices of `product` may replace at `event`: itself. Admission that is for members only replaces the
 * event's other admission, when that is one product: of several ones nobody knows which it stands for.
 */
const standsForSql = `case when not ${isKindSql('product.category', 'admission')}
    or exists (select 1 from price where price.product_id = product.id and ${forEverybody}) then product.id
  else (select (array_agg(other.id))[1] from event_product offered join product other on other.id = offered.product_id
    where offered.event_id = event.id and other.published and ${isKindSql('other.category', 'admission')}
      and exists (select 1 from price where price.product_id = other.id and ${forEverybody})
    having count(*) = 1) end`;

/** Prices for members that can be booked for these events now, the cheapest first. */
export function memberPrices(tx: Tx, eventIds: readonly string[]): Promise<OfferedMemberPrice[]> {
  return tx.query<OfferedMemberPrice[]>(
    `select event.id as "eventId", price.id as "priceId", ${standsForSql} as "standsFor", price.amount::text as amount,
       price.required_membership_id as "membershipId", price.max_per_user as "maxPerUser",
       ${freeStockSql({ event: 'event', price: 'price', product: 'product' })} as stock,
       not ${isKindSql('product.category', 'admission')} as "sharesStock"
     from event join event_product sold on sold.event_id = event.id join product on product.id = sold.product_id
     join price on price.product_id = product.id
     where event.id = any($1) and product.published and ${isShownSql('price')} and price.required_membership_id is not null
       and not price.free_amount and ${saleStateSql('price')} = 'open' and not ${isKindSql('product.category', 'membership')}
     order by price.amount, price.id, event.id limit ${mostPrices}`,
    [eventIds],
  );
}
