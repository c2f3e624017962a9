import { sellsGoodsSql, soldForGoodSql, soldOutSql } from '#tickets';
import {
  cancelledEventSql,
  eventEndSql,
  gallerySql,
  isKindSql,
  publicColumns,
  publicEventSql,
  saleStateSql,
  soldForEventsSql,
  type AssumedDuration,
} from '#catalogue';
import { foldedSql, searchWords } from '#kernel';
import type { AgendaFilter } from '#places';
import type { PreparedStatement } from '#tenancy';
import { facetsSql } from './agenda-facets.js';
import { freeEntrySql, leftSql, milliseconds, priceRangeSql } from './price-range.js';

/** Which events a list contains. */
export interface ComingEvents {
  readonly limit: number;
  /** `place` has no effect, because these are the events of one place. */
  readonly filter: AgendaFilter;
  /** Whether prices and tags are read, too: they cost look-ups for each event, and prices change more often than the events. */
  readonly withPrices: boolean;
  /** Whether the facets of all coming events are read, too. */
  readonly withFacets?: boolean;
}

/** SQL: the public profile of the venue as JSON, see `Venue`. */
export const venueSql = (
  assumed: AssumedDuration,
): string => `(select json_build_object('shortDescription', short_description, 'streetAddress', street_address,
  'postalCode', postal_code,
  'city', city, 'country', country, 'phone', phone, 'email', email, 'website', website, 'twitter', twitter,
  'facebook', facebook, 'instagram', instagram, 'legalDocuments', legal_documents, 'restaurantMenu', restaurant_menu, 'imageId', image_id,
  'logoImageId', logo_image_id, 'mapImageId', map_image_id,
  'allowedSites', allowed_sites, 'accentColour', accent_colour, 'typeface', typeface, 'corners', corners, 'donations', donations,
  'canBeFollowed', follow_by_mail,
  'bookingConfirmation', booking_confirmation,
  'hasImprint', imprint is not null, 'hasTerms', terms is not null,
  'hasHouse', coalesce(long_description, opening_hours, getting_here, accessibility, access_contact) is not null
    or exists (select 1 from {tenant}.gallery_picture where event_id is null),
  'fewLeft', few_left, 'payAtVenueHours', pay_at_venue_hours,
  'hasMemberships', exists (select 1 from {tenant}.product join {tenant}.price on price.product_id = product.id
    where product.published and price.published and ${isKindSql('product.category', 'membership')}),
  'hasGoods', ${sellsGoodsSql(assumed, '{tenant}.')})
  from {tenant}.configuration)`;

const cancelledSql = cancelledEventSql('e', '{tenant}.');
const publicSql = publicEventSql('e', '{tenant}.');

const columnsSql = publicColumns
  .map(({ name, column, type }) => {
    if (type === 'timestamptz') return `${milliseconds(`e.${column}`)} as "${name}"`;
    return `${name === 'shortDescription' ? `left(e.${column}, 2000)` : `e.${column}`} as "${name}"`;
  })
  .join(', ');

/** See `publicEventFrom`. */
const listSql = (assumed: AssumedDuration, where: string, order: string, more = '', also = ''): string => `
select ${venueSql(assumed)} as venue, ${also}coalesce((select json_agg(e) from (
  select ${more}e.id, ${columnsSql}, ${milliseconds('greatest(e.updated_at, a.updated_at)')} as "updatedAt",
    ${cancelledSql} as "isCancelled", coalesce(e.sticker_image_id, e.image_id) as "pictureId",
    case when a.id is not null then json_build_object('name', a.name, 'streetAddress', a.street_address,
      'addressLocality', a.address_locality, 'addressRegion', a.address_region, 'postalCode', a.postal_code,
      'addressCountry', a.address_country, 'latitude', a.latitude, 'longitude', a.longitude) end as "postalAddress"
  from {tenant}.event e left join {tenant}.postal_address a on a.id = e.postal_address_id
  where ${publicSql} and ${where}
  order by ${order} limit $1) e), '[]') as events`;

export function venueStatement(assumed: AssumedDuration): PreparedStatement {
  return { name: 'pages-venue', text: `select ${venueSql(assumed)} as venue` };
}

/** SQL: the names of the tags of the event `e` as JSON. */
const keywordsSql = `coalesce((select json_agg(t.name order by t.key) from {tenant}.event_tag et
  join {tenant}.tag t on t.id = et.tag_id where et.event_id = e.id), '[]')`;

/** SQL: what the words of a search are looked for in. */
const searchedSql = foldedSql(`concat_ws(E'\\n', e.name, e.subtitle, left(e.short_description, 2000), a.name, a.address_locality,
  (select string_agg(t.name, E'\\n') from {tenant}.event_tag et join {tenant}.tag t on t.id = et.tag_id where et.event_id = e.id))`);

/** SQL: the condition of a narrowed filter, on end of the starts, category, key of a tag, words, begin of the ends, free entry. */
const narrowingSql = ` and ($4::timestamptz is null or e.starts_at < $4) and ($5::text is null or e.category = $5)
  and ($6::text is null or exists (select 1 from {tenant}.event_tag et join {tenant}.tag t on t.id = et.tag_id
    where et.event_id = e.id and t.key = $6))
  and ($7::text[] is null or ${searchedSql} like all ($7::text[]))
  and ($8::timestamptz is null or e.starts_at >= $8 or e.ends_at > $8) and (not $9 or ${freeEntrySql})`;

function isNarrowed({ from, until, category, tag, text, free }: AgendaFilter): boolean {
  return [from, until, category, tag, text, free].some((value) => value !== undefined);
}

/** The parameters of these statements; that of the version has the present time behind them. */
export function valuesOf({ limit, filter }: ComingEvents): unknown[] {
  const { since, after, from, until, category, tag, text, free = false } = filter;
  const first = [limit, since, after ?? null];
  if (!isNarrowed(filter)) return first;
  const words = text === undefined ? null : searchWords(text).map(({ within }) => within);
  return [...first, until ?? null, category ?? null, tag ?? null, words, from ?? null, free];
}

/** The statements that read a list and its version. */
export interface ListStatements {
  readonly list: PreparedStatement;
  readonly state: PreparedStatement;
}

/**
 * @param columns further ones, each with a comma at its end
 * @param narrowing further condition on $4 to $9
 * @param withFacets whether the facets are read, too
 */
function comingStatements(assumed: AssumedDuration, name: string, columns = '', narrowing?: string, withFacets = false): ListStatements {
  const where = `${eventEndSql('e', assumed)} >= $2 and ($3::timestamptz is null or e.starts_at >= $3)${narrowing ?? ''}`;
  const also = withFacets ? `${facetsSql(assumed)} as facets, ` : '';
  const sql = (more: string): string => listSql(assumed, where, 'e.starts_at, e.name, e.id', more, also);
  const now = narrowing === undefined ? '$4' : '$10';
  return {
    list: { name, text: sql(columns) },
    state: {
      name: `${name}-state`,
      text: `select md5(concat(venue, events${withFacets ? ', facets' : ''})) as state, json_array_length(events) as count,
        (select min((event->'prices'->>'changesAt')::float8)
          from json_array_elements(events) event) as "changesAt" from (${sql(`${columns}e.starts_at <= ${now} as started, `)}) l`,
    },
  };
}

/** The statements of the lists of coming events. @returns the ones for `wanted` */
export function comingStatementsFor(assumed: AssumedDuration): (wanted: ComingEvents) => ListStatements {
  const columns = `${priceRangeSql} as prices, ${keywordsSql} as keywords, `;
  const plain = comingStatements(assumed, 'pages-coming');
  const priced = comingStatements(assumed, 'pages-coming-priced', columns);
  const narrowed = comingStatements(assumed, 'pages-coming-narrowed', columns, narrowingSql);
  const shown = comingStatements(assumed, 'pages-coming-shown', columns, undefined, true);
  const chosen = comingStatements(assumed, 'pages-coming-chosen', columns, narrowingSql, true);
  return ({ filter, withPrices, withFacets = false }) => {
    if (!withPrices) return plain;
    if (isNarrowed(filter)) return withFacets ? chosen : narrowed;
    return withFacets ? shown : priced;
  };
}

/** The statements of the list of past and coming events. */
export function latestStatements(assumed: AssumedDuration): ListStatements {
  const text = listSql(assumed, 'true', 'e.starts_at desc, e.id');
  return {
    list: { name: 'pages-latest', text },
    state: { name: 'pages-latest-state', text: `select md5(concat(venue, events)) as state from (${text}) l` },
  };
}

const rows = { event: 'e', price: 'p', product: 'r' };
const soldOut = soldOutSql(rows, '{tenant}.');
const held = `${soldOut} and not ${soldForGoodSql(rows, '{tenant}.')}`;

/**
 * The profile of the venue, the gallery of the event $1, and the prices that are sold for it: admission first, products for members only
 * behind others.
 */
export const priceStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'pages-prices',
  text: `
select ${venueSql(assumed)} as venue, ${gallerySql('$1')} as gallery, coalesce((select json_agg(p) from (
  select p.id, r.name as product, p.name, p.amount::text as amount, p.free_amount as "freeAmount", ${soldOut} as "soldOut",
    ${held} as held,     ${isKindSql('r.category', 'admission')} as admits,
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

export const findStatement: PreparedStatement = {
  name: 'pages-find',
  text: `select e.id, ${cancelledSql} as "isCancelled" from {tenant}.event e
    where (e.slug = $1 or e.id = $2) and ${publicSql}`,
};
