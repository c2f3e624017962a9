import { soldForGoodSql, soldOutSql } from '#tickets';
import { gallerySql, isKindSql, saleStateSql, soldForEventsSql, type AssumedDuration } from '#catalogue';
import type { PreparedStatement } from '#tenancy';
import { leftSql, milliseconds } from './price-range.js';
import { otherEventsSql, venueSql } from './public-event-statements.js';
import { seriesSql } from './series-dates.js';

const rows = { event: 'e', price: 'p', product: 'r' };
const soldOut = soldOutSql(rows, '{tenant}.');
const held = `${soldOut} and not ${soldForGoodSql(rows, '{tenant}.')}`;

/**
 * The profile of the venue, the gallery of the event $1, its series, other events that are not over at $2, and the prices that are sold
 * for it: admission first, products for members only behind others.
 */
export const priceStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'pages-prices',
  text: `
select ${venueSql(assumed)} as venue, ${gallerySql('$1')} as gallery, ${seriesSql(assumed)} as series,
  ${otherEventsSql(assumed)} as others, coalesce((select json_agg(p) from (
  select p.id, r.name as product, p.name, p.amount::text as amount, p.free_amount as "freeAmount", ${soldOut} as "soldOut",
    ${held} as held, ${isKindSql('r.category', 'admission')} as admits,
    r.built_in is not null as volunteering, m.name as membership, m.id as "membershipId",
    p.max_per_user as "maxPerUser", ${leftSql} as left,
    ${saleStateSql('p')} as sale, ${milliseconds('p.sales_from')} as "opensAt", ${milliseconds('p.sales_until')} as "closesAt",
    floor(extract(epoch from greatest(e.created_at, p.created_at)) * 1000) as since
  from ${soldForEventsSql('{tenant}.')} l
  join {tenant}.event e on e.id = l.event_id
  join {tenant}.product r on r.id = l.product_id and r.published and not ${isKindSql('r.category', 'membership')}
  join {tenant}.price p on p.product_id = r.id and p.published
  left join {tenant}.product m on m.id = p.required_membership_id
  where l.event_id = $1
  order by not ${isKindSql('r.category', 'admission')}, bool_and(p.required_membership_id is not null) over (partition by r.id),
    r.name, r.id, p.amount desc, p.created_at, p.id limit 100) p), '[]') as prices`,
});
