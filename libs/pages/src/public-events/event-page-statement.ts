import { roughlyLeftSql, soldForGoodSql, soldOutSql } from '#tickets';
import { gallerySql, isKindSql, passDates, passDatesSql, saleStateSql, soldForEventsSql, type AssumedDuration } from '#catalogue';
import type { PreparedStatement } from '#tenancy';
import { leftSql, milliseconds, nearSql } from './price-range.js';
import { otherEventsSql, venueSql } from './public-event-statements.js';
import { seriesSql } from './series-dates.js';

const rows = { event: 'e', price: 'p', product: 'r' };
const soldOut = soldOutSql(rows, '{tenant}.');
const held = `${soldOut} and not ${soldForGoodSql(rows, '{tenant}.')}`;

const dateRows = { ...rows, event: 'date' };
const dateSoldOut = soldOutSql(dateRows, '{tenant}.');

/** SQL, a subquery: the dates that a pass at the price `p` is for, and what is left where least is left. */
const passSql = (assumed: AssumedDuration): string => `(select count(*)::int as dates, bool_or(date.id = e.id) as has_own,
    bool_or(date.sold_out) as sold_out, bool_or(date.sold_out) and not bool_or(date.gone) as held, min(date.tickets_left) as tickets_left
  from (select date.id, ${dateSoldOut} as sold_out, ${soldForGoodSql(dateRows, '{tenant}.')} as gone,
      ${roughlyLeftSql(dateRows, nearSql, '{tenant}.')} as tickets_left
    ${passDatesSql('e.series_id', 'r.id', assumed, '{tenant}.')}) date)`;

/**
 * The profile of the venue, the gallery of the event $1, its series, other events that are not over at $2, and the prices that are sold
 * for it: admission first, products for members only behind others.
 */
export const priceStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'pages-prices',
  text: `
select ${venueSql(assumed)} as venue, ${gallerySql('$1')} as gallery, ${seriesSql(assumed)} as series,
  ${otherEventsSql(assumed)} as others, coalesce((select json_agg(p) from (
  select p.id, r.name as product, p.name, (p.amount * coalesce(pass.dates, 1))::text as amount, p.free_amount as "freeAmount",
    case when p.whole_series then pass.sold_out else ${soldOut} end as "soldOut",
    case when p.whole_series then pass.held else ${held} end as held, ${isKindSql('r.category', 'admission')} as admits,
    r.built_in is not null as volunteering, m.name as membership, m.id as "membershipId",
    p.max_per_user as "maxPerUser", case when p.whole_series then pass.tickets_left else ${leftSql} end as left,
    case when p.whole_series then json_build_object('dates', pass.dates, 'amount', p.amount::text) end as pass,
    ${saleStateSql('p')} as sale, ${milliseconds('p.sales_from')} as "opensAt", ${milliseconds('p.sales_until')} as "closesAt",
    floor(extract(epoch from greatest(e.created_at, p.created_at)) * 1000) as since
  from ${soldForEventsSql('{tenant}.')} l
  join {tenant}.event e on e.id = l.event_id
  join {tenant}.product r on r.id = l.product_id and r.published and not ${isKindSql('r.category', 'membership')}
  join {tenant}.price p on p.product_id = r.id and p.published
  left join {tenant}.product m on m.id = p.required_membership_id
  left join lateral ${passSql(assumed)} pass on p.whole_series
  where l.event_id = $1 and (not p.whole_series or pass.has_own and pass.dates between ${passDates.fewest} and ${passDates.most})
  order by not ${isKindSql('r.category', 'admission')}, bool_and(p.required_membership_id is not null) over (partition by r.id),
    r.name, r.id, p.amount desc, p.created_at, p.id limit 100) p), '[]') as prices`,
});
