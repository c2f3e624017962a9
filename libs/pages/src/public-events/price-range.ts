import { saleSql } from '#tickets';
import {
  cancelledEventSql,
  eventEndSql,
  isKindSql,
  nextSaleChangeSql,
  publicEventSql,
  saleStateSql,
  soldForEventsSql,
  type AssumedDuration,
  isShownSql,
} from '#catalogue';
import type { PreparedStatement } from '#tenancy';

/** SQL: an instant as milliseconds. */
export const milliseconds = (instant: string): string => `floor(extract(epoch from ${instant}) * 1000)`;

/** SQL: up to this number of tickets that are left they are counted exactly. */
const nearSql = 'greatest(20, coalesce((select few_left from {tenant}.configuration), 0))';

/**
 * SQL, a subquery: the sale of the price `p` of the product `r` for an event, see `saleSql`.
 * @param event alias of its row
 */
export const publicSaleSql = (event: string): string => saleSql({ event, price: 'p', product: 'r' }, nearSql, '{tenant}.');

const isCurrent = `sale <> 'ended'`;
const range = (aggregate: 'min' | 'max'): string =>
  `coalesce(${aggregate}(amount) filter (where everybody and ${isCurrent}), ${aggregate}(amount) filter (where ${isCurrent}),
    ${aggregate}(amount) filter (where everybody), ${aggregate}(amount))::text`;

const canBuy = `sale = 'open' and not sold_out`;

/** SQL: the columns of a published price of admission that lists compare. */
const comparedSql = `p.amount, p.free_amount, p.required_membership_id is null as everybody, ${saleStateSql('p')} as sale`;
/** SQL: the published prices `p` of admission of the links `l` of events to products. */
const admissionSql = `{tenant}.event_product l
    join {tenant}.product r on r.id = l.product_id and r.published and ${isKindSql('r.category', 'admission')}
    join {tenant}.price p on p.product_id = r.id and ${isShownSql('p')} and not p.whole_series`;

/**
 * SQL: the published prices of admission to the event `e`.
 * @param columns further ones, each with a comma before it
 * @param more further tables
 */
const offeredSql = (columns = '', more = ''): string =>
  `(select ${comparedSql}${columns} from ${admissionSql} ${more} where l.event_id = e.id) offered`;

/** SQL: the same with `sold_out` and `tickets_left`. @param columns as for `offeredSql` */
const soldSql = (columns = ''): string =>
  offeredSql(`, stock.gone as sold_out, stock.tickets_left${columns}`, `cross join lateral ${publicSaleSql('e')} stock`);

/** SQL: whether lists call the event `e` free. */
export const freeEntrySql = `exists (select from ${offeredSql()} having ${range('max')}::numeric = 0
    and not coalesce(bool_or(free_amount) filter (where ${isCurrent}), bool_or(free_amount)))`;
/** SQL: whether lists call one of many events free: only those that have a price of nothing are looked at. @param ids SQL of their ids */
export const anyFreeEntrySql = (ids: string): string => `exists (select from (select distinct l.event_id as id
    from ${admissionSql} where p.amount = 0 and l.event_id in (${ids})) e where ${freeEntrySql})`;

/** SQL: the `PriceRange` of admission to the event `e` as JSON; null when none is sold. */
export const priceRangeSql = `(select json_build_object('lowest', ${range('min')}, 'highest', ${range('max')},
    'freeAmount', coalesce(bool_or(free_amount) filter (where ${isCurrent}), bool_or(free_amount)),
    'soldOut', coalesce(bool_and(sold_out) filter (where ${isCurrent}), false), 'ended', bool_and(sale = 'ended'),
    'opensAt', case when not bool_or(sale = 'open' and not sold_out)
      then ${milliseconds(`min(sales_from) filter (where sale = 'upcoming' and not sold_out)`)} end,
    'members', case when bool_or(${canBuy} and not everybody) and not bool_or(${canBuy} and everybody)
      then case when bool_or(everybody and sale = 'upcoming') then 'first' when not bool_or(everybody) then 'only' end end,
    'left', case when max(tickets_left) filter (where ${canBuy}) <= ${nearSql} then max(tickets_left) filter (where ${canBuy}) end,
    'changesAt', ${milliseconds('min(changes_at)')})
  from ${soldSql(`, p.sales_from, ${nextSaleChangeSql('p')} as changes_at`)} having count(*) > 0)`;

/** SQL, a subquery: whether the admission to the event `e` is sold out, and how many tickets are left, see `SeriesDate`. */
export const dateSaleSql = `(select coalesce(bool_and(sold_out) filter (where ${isCurrent}), false) as "soldOut",
    case when max(tickets_left) filter (where ${canBuy}) <= ${nearSql} then max(tickets_left) filter (where ${canBuy}) end as "left"
  from ${soldSql()})`;

/** SQL: whether a price of admission to the event `e` is on sale and not sold out. */
export const bookableSql = `exists (select from ${soldSql()} where ${canBuy})`;

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
