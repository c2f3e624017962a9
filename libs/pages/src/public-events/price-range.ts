import { soldForGoodSql } from '#tickets';
import {
  cancelledEventSql,
  eventEndSql,
  isKindSql,
  nextSaleChangeSql,
  publicEventSql,
  saleStateSql,
  soldForEventsSql,
  type AssumedDuration,
} from '#catalogue';
import type { PreparedStatement } from '#tenancy';

/** SQL: an instant as milliseconds. */
export const milliseconds = (instant: string): string => `floor(extract(epoch from ${instant}) * 1000)`;

const isCurrent = `sale <> 'ended'`;
const range = (aggregate: 'min' | 'max'): string =>
  `coalesce(${aggregate}(amount) filter (where everybody and ${isCurrent}), ${aggregate}(amount) filter (where ${isCurrent}),
    ${aggregate}(amount) filter (where everybody), ${aggregate}(amount))::text`;

/** SQL: the `PriceRange` of admission to the event `e` as JSON; null when none is sold. */
export const priceRangeSql = `(select json_build_object('lowest', ${range('min')}, 'highest', ${range('max')},
    'freeAmount', coalesce(bool_or(free_amount) filter (where ${isCurrent}), bool_or(free_amount)),
    'soldOut', coalesce(bool_and(sold_out) filter (where ${isCurrent}), false), 'ended', bool_and(sale = 'ended'),
    'opensAt', case when not bool_or(sale = 'open' and not sold_out)
      then ${milliseconds(`min(sales_from) filter (where sale = 'upcoming' and not sold_out)`)} end,
    'changesAt', ${milliseconds('min(changes_at)')})
  from (select p.amount, p.free_amount, p.required_membership_id is null as everybody, p.sales_from, ${saleStateSql('p')} as sale,
      ${nextSaleChangeSql('p')} as changes_at, ${soldForGoodSql({ event: 'e', price: 'p', product: 'r' }, '{tenant}.')} as sold_out
    from {tenant}.event_product l
    join {tenant}.product r on r.id = l.product_id and r.published and ${isKindSql('r.category', 'admission')}
    join {tenant}.price p on p.product_id = r.id and p.published
    where l.event_id = e.id) offered having count(*) > 0)`;

/** Whether products are sold for a public event other than $1 that is not over at $2. */
export function otherSalesStatement(assumed: AssumedDuration): PreparedStatement {
  return {
    name: 'pages-sells-others',
    text: `select exists (select 1 from {tenant}.event e
      where e.id <> $1 and ${publicEventSql('e', '{tenant}.')} and not ${cancelledEventSql('e', '{tenant}.')} and e.same_as is null
        and ${eventEndSql('e', assumed)} >= $2
        and exists (select 1 from ${soldForEventsSql('{tenant}.')} l where l.event_id = e.id)) as sells`,
  };
}
