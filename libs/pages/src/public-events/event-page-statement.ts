import { givenPlacesSql } from '#tickets';
import { gallerySql, isKindSql, passDates, passDatesSql, saleStateSql, soldForEventsSql, type AssumedDuration } from '#catalogue';
import type { PreparedStatement } from '#tenancy';
import { milliseconds, publicSaleSql } from './price-range.js';
import { otherEventsSql, venueSql } from './public-event-statements.js';
import { seriesSql } from './series-dates.js';

/** SQL: something of a pass for all dates, or of one for some dates. */
const perPass = (all: string, some: string): string => `case when p.pass_dates is null then ${all} else ${some} end`;
/** SQL: whether a pass cannot be had, because a date cannot; of one for some dates: this date, or too many others. */
const lackingSql = (column: 'sold_out' | 'gone'): string =>
  perPass(
    `bool_or(date.${column})`,
    `bool_or(date.${column} and date.id = e.id) or count(*) filter (where not date.${column}) < p.pass_dates`,
  );

/**
 * SQL, a subquery: the number of dates that a pass at the price `p` is for, those that remain, and its sale: at the date where least is
 * left; of a pass for some dates, at this date.
 */
const passSql = (assumed: AssumedDuration): string => `(select coalesce(p.pass_dates, count(*))::int as dates, count(*) as remaining,
    bool_or(date.id = e.id) as has_own, ${lackingSql('sold_out')} as sold_out, ${lackingSql('gone')} as gone,
    ${perPass('min(date.tickets_left)', 'min(date.tickets_left) filter (where date.id = e.id)')} as tickets_left
  from (select date.id, stock.* from (select date.* ${passDatesSql('e.series_id', 'r.id', assumed, '{tenant}.')}) date
    cross join lateral ${publicSaleSql('date')} stock offset 0) date)`;

/** SQL: the prices that are sold for the event $1 as JSON. @param pass of the prices for whole series; undefined: there are none */
const pricesSql = (pass?: string): string => {
  const own = `select sold_out, gone, tickets_left, 1 as dates from ${publicSaleSql('e')} own where not p.whole_series`;
  const ofPass = `select sold_out, gone, tickets_left, dates from ${pass} pass
    where p.whole_series and has_own and dates between ${passDates.fewest} and least(remaining, ${passDates.most})`;
  const sale = pass === undefined ? own : `${own} union all ${ofPass}`;
  return `coalesce((select json_agg(p) from (
  select p.id, r.name as product, p.name, (p.amount * stock.dates)::text as amount, p.free_amount as "freeAmount",
    case when p.free_amount then p.suggested_amounts end as suggested, p.usual_amount::text as usual,
    stock.sold_out as "soldOut", stock.sold_out and not stock.gone as held, ${isKindSql('r.category', 'admission')} as admits,
    r.built_in is not null as volunteering, m.name as membership, m.id as "membershipId",
    p.max_per_user as "maxPerUser", stock.tickets_left as left,
    case when p.whole_series
      then json_build_object('dates', stock.dates, 'isChosen', p.pass_dates is not null, 'amount', p.amount::text) end as pass,
    ${saleStateSql('p')} as sale, ${milliseconds('p.sales_from')} as "opensAt", ${milliseconds('p.sales_until')} as "closesAt",
    floor(extract(epoch from greatest(e.created_at, p.created_at)) * 1000) as since
  from ${soldForEventsSql('{tenant}.')} l
  join {tenant}.event e on e.id = l.event_id
  join {tenant}.product r on r.id = l.product_id and r.published and not ${isKindSql('r.category', 'membership')}
  join {tenant}.price p on p.product_id = r.id and p.published and (not p.hidden or p.id = any($3::uuid[]))
  left join {tenant}.product m on m.id = p.required_membership_id
  cross join lateral (${sale}) stock
  where l.event_id = $1
  order by not ${isKindSql('r.category', 'admission')}, bool_and(p.required_membership_id is not null) over (partition by r.id),
    r.name, r.id, p.amount desc, p.created_at, p.id limit 100) p), '[]')`;
};

const pageStatement = (assumed: AssumedDuration, name: string, series: string, prices: string): PreparedStatement => ({
  name,
  text: `select ${venueSql(assumed)} as venue, ${gallerySql('$1')} as gallery, ${series} as series, ${otherEventsSql(assumed)} as others,
    ${prices} as prices, (select ${givenPlacesSql('code', '{tenant}.')} from {tenant}.code
      where code.place_amount is not null and code.tells_given and not code.disabled and code.event_ids[1] = $1) as "givenPlaces"`,
});

/**
 * The profile of the venue, the gallery of the event $1, its series, other events that are not over at $2, and the prices that are sold
 * for it, hidden ones only of those in $3: admission first, products for members only behind others. Events without a series have a
 * statement of their own, because the
 * sale of passes and of other dates is most of the other one.
 */
export const priceStatements = (assumed: AssumedDuration): { readonly inSeries: PreparedStatement; readonly alone: PreparedStatement } => ({
  inSeries: pageStatement(assumed, 'pages-prices-of-series', seriesSql(assumed), pricesSql(passSql(assumed))),
  alone: pageStatement(assumed, 'pages-prices', 'null', pricesSql()),
});
