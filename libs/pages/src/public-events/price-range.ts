import { soldOutSql } from '#booking';
import { isKindSql } from '#catalogue';

/** What a list says about the prices of an event. */
export interface PriceRange {
  /** Decimal text with two places. Prices for members count only when there are no others. */
  readonly lowest: `${number}`;
  readonly highest: `${number}`;
  /** The buyer chooses the amount of at least one of these prices. */
  readonly freeAmount: boolean;
  /** Nothing can be booked at any price. */
  readonly soldOut: boolean;
}

const ofEverybody = 'p.required_membership_id is null';
const range = (aggregate: 'min' | 'max'): string =>
  `coalesce(${aggregate}(p.amount) filter (where ${ofEverybody}), ${aggregate}(p.amount))::text`;

/** SQL: the `PriceRange` of admission to the event `e` as JSON; null when none is sold. */
export const priceRangeSql = `(select json_build_object('lowest', ${range('min')}, 'highest', ${range('max')},
    'freeAmount', bool_or(p.free_amount), 'soldOut', bool_and(${soldOutSql({ event: 'e', price: 'p', product: 'r' }, '{tenant}.')}))
  from {tenant}.event_product l
  join {tenant}.product r on r.id = l.product_id and r.published and ${isKindSql('r.category', 'admission')}
  join {tenant}.price p on p.product_id = r.id and p.published
  where l.event_id = e.id having count(*) > 0)`;
