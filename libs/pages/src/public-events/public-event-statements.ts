import { hasCardsSql } from '#gift-cards';
import { sellsGoodsSql } from '#tickets';
import { isShownSql, cancelledEventSql, eventEndSql, isKindSql, publicColumns, publicEventSql, type AssumedDuration } from '#catalogue';
import { foldedSql, searchWords } from '#kernel';
import type { AgendaFilter } from '#places';
import type { PreparedStatement } from '#tenancy';
import { facetsSql } from './agenda-facets.js';
import { freeEntrySql, milliseconds, priceRangeSql } from './price-range.js';
import { isFirstOfSeriesSql, otherEventsCondition, seriesRestSql } from './series-dates.js';

/** Which events a list contains. */
export interface ComingEvents {
  readonly limit: number;
  /** `place` has no effect, because these are the events of one place. */
  readonly filter: AgendaFilter;
  /** Whether prices and tags are read, too: they cost look-ups for each event, and prices change more often than the events. */
  readonly withPrices: boolean;
  /** Whether the facets of all coming events are read, too. */
  readonly withFacets?: boolean;
  /** Whether a series is listed with its next date only. */
  readonly isGrouped?: boolean;
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
  'campaigns', (select json_agg(json_build_object('id', id, 'title', title) order by created_at desc, id) from {tenant}.campaign
    where published and with_orders and (ends_at is null or ends_at > now())),
  'hasCampaigns', exists (select 1 from {tenant}.campaign where published),
  'giftCards', gift_cards, 'hasGiftCards', ${hasCardsSql('{tenant}.')},
  'canBeFollowed', follow_by_mail, 'hasCodes', exists (select 1 from {tenant}.code where not disabled),
  'bookingConfirmation', booking_confirmation,
  'hasImprint', imprint is not null, 'hasTerms', terms is not null, 'hasPrivacy', privacy is not null,
  'hasHouse', coalesce(long_description, opening_hours, getting_here, accessibility, access_contact) is not null
    or exists (select 1 from {tenant}.gallery_picture where event_id is null),
  'fewLeft', few_left, 'payAtVenueHours', pay_at_venue_hours,
  'hasMemberships', exists (select 1 from {tenant}.product join {tenant}.price on price.product_id = product.id
    where product.published and ${isShownSql('price')} and ${isKindSql('product.category', 'membership')}),
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

/** SQL: what lists show of the event `e` with its address `a`, as columns that `publicEventFrom` reads. */
const listedColumnsSql = `e.id, ${columnsSql}, ${milliseconds('greatest(e.updated_at, a.updated_at)')} as "updatedAt",
    ${cancelledSql} as "isCancelled", coalesce(e.sticker_image_id, e.image_id) as "pictureId",
    case when a.id is not null then json_build_object('name', a.name, 'streetAddress', a.street_address,
      'addressLocality', a.address_locality, 'addressRegion', a.address_region, 'postalCode', a.postal_code,
      'addressCountry', a.address_country, 'latitude', a.latitude, 'longitude', a.longitude) end as "postalAddress"`;

/**
 * SQL: public events as JSON, see `publicEventFrom`.
 * @param limit a parameter or number
 * @param more further columns, each with a comma at its end
 */
const eventsSql = (where: string, order: string, limit: string, more = ''): string => `coalesce((select json_agg(e) from (
  select ${more}${listedColumnsSql}
  from {tenant}.event e left join {tenant}.postal_address a on a.id = e.postal_address_id
  where ${publicSql} and ${where}
  order by ${order} limit ${limit}) e), '[]')`;

const listSql = (assumed: AssumedDuration, where: string, order: string, more = '', also = ''): string => `
select ${venueSql(assumed)} as venue, ${also}${eventsSql(where, order, '$1', more)} as events`;

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

interface Listing {
  /** Further columns, each with a comma at its end. */
  readonly columns?: string;
  /** Further condition on $4 to $9. */
  readonly narrowing?: string;
  /** The facets are read, too. */
  readonly withFacets?: boolean;
  /** A series is listed with its next date. */
  readonly isGrouped?: boolean;
}

function comingStatements(assumed: AssumedDuration, name: string, listing: Listing = {}): ListStatements {
  const { columns = '', narrowing, withFacets = false, isGrouped = false } = listing;
  const coming = `${eventEndSql('e', assumed)} >= $2${narrowing ?? ''}`;
  // Also on later pages: a date that an earlier page showed stands for its series.
  const first = isGrouped ? ` and ${isFirstOfSeriesSql(coming)}` : '';
  const where = `${coming} and ($3::timestamptz is null or e.starts_at >= $3)${first}`;
  const also = withFacets ? `${facetsSql(assumed)} as facets, ` : '';
  const all = isGrouped ? `${columns}${seriesRestSql(assumed, '$2')} as series, ` : columns;
  const sql = (more: string): string => listSql(assumed, where, 'e.starts_at, e.name, e.id', more, also);
  const now = narrowing === undefined ? '$4' : '$10';
  // Without `offset 0`, the planner would copy the reading of the events to each place that uses it.
  return {
    list: { name, text: sql(all) },
    state: {
      name: `${name}-state`,
      text: `select md5(concat(venue, events${withFacets ? ', facets' : ''})) as state, json_array_length(events) as count,
        (select min((event->'prices'->>'changesAt')::float8)
          from json_array_elements(events) event) as "changesAt" from (${sql(`${all}e.starts_at <= ${now} as started, `)} offset 0) l`,
    },
  };
}

/** The statements of the lists of coming events. @returns the ones for `wanted` */
export function comingStatementsFor(assumed: AssumedDuration): (wanted: ComingEvents) => ListStatements {
  const columns = `${priceRangeSql} as prices, ${keywordsSql} as keywords, `;
  const plain = comingStatements(assumed, 'pages-coming');
  const priced = comingStatements(assumed, 'pages-coming-priced', { columns });
  const narrowed = comingStatements(assumed, 'pages-coming-narrowed', { columns, narrowing: narrowingSql });
  const page = { columns, withFacets: true };
  const shown = comingStatements(assumed, 'pages-coming-shown', { ...page, isGrouped: true });
  const chosen = comingStatements(assumed, 'pages-coming-chosen', { ...page, narrowing: narrowingSql, isGrouped: true });
  const each = comingStatements(assumed, 'pages-coming-each', { ...page, narrowing: narrowingSql });
  return ({ filter, withPrices, withFacets = false, isGrouped = false }) => {
    if (!withPrices) return plain;
    if (!withFacets) return isNarrowed(filter) ? narrowed : priced;
    if (!isGrouped) return each;
    return isNarrowed(filter) ? chosen : shown;
  };
}

/** Number of other events below an event. */
const mostOthers = 3;

/** SQL: other coming events on the page of the event $1 as JSON, like those of lists. */
export const otherEventsSql = (assumed: AssumedDuration): string => {
  const more = `${priceRangeSql} as prices, ${seriesRestSql(assumed, '$2')} as series, `;
  return eventsSql(otherEventsCondition(assumed), 'e.starts_at, e.name, e.id', String(mostOthers), more);
};

/** The statements of the list of past and coming events. */
export function latestStatements(assumed: AssumedDuration): ListStatements {
  const text = listSql(assumed, 'true', 'e.starts_at desc, e.id');
  return {
    list: { name: 'pages-latest', text },
    state: { name: 'pages-latest-state', text: `select md5(concat(venue, events)) as state from (${text}) l` },
  };
}

export const findStatement: PreparedStatement = {
  name: 'pages-find',
  text: `select e.id, ${cancelledSql} as "isCancelled" from {tenant}.event e
    where (e.slug = $1 or e.id = $2) and ${publicSql}`,
};
