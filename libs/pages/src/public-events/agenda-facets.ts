import { eventEndSql, type AssumedDuration, type EventCategory } from '#catalogue';
import type { PreparedStatement } from '#tenancy';
import { anyFreeEntrySql } from './price-range.js';

/** A tag that readers can choose. */
interface FacetTag {
  readonly key: string;
  readonly name: string;
}

/** What the coming events of an agenda have, so that readers can choose it. Most frequent first, where a series counts once. */
export interface AgendaFacets {
  readonly kinds: readonly EventCategory[];
  readonly tags: readonly FacetTag[];
  /** Whether some have free admission. */
  readonly hasFree: boolean;
  /** The places of a network whose events these are, by name. */
  readonly places?: readonly { readonly slug: string; readonly name: string }[];
}

export const noFacets: AgendaFacets = { kinds: [], tags: [], hasFree: false };

/** Number of coming events that are looked at: those that start first. */
const most = 1000;
/** Maximum number of tags that are offered. */
const mostTags = 6;

const nearSql = (
  assumed: AssumedDuration,
  since: string,
): string => `select e.id, e.category, coalesce(e.series_id, e.id) as listed from {tenant}.event e
  where e.published and not e.is_private and ${eventEndSql('e', assumed)} >= ${since} order by e.starts_at limit ${most}`;

/** SQL: the `AgendaFacets` of the events that are not over at $2, as JSON. */
export const facetsSql = (assumed: AssumedDuration): string => `(with near as materialized (${nearSql(assumed, '$2')})
  select json_build_object(
    'kinds', (select coalesce(json_agg(category order by count desc, category), '[]')
      from (select category, count(distinct listed) as count from near group by category) kind),
    'tags', (select coalesce(json_agg(json_build_object('key', key, 'name', name) order by count desc, key), '[]')
      from (select t.key, t.name, count(distinct listed) as count from near join {tenant}.event_tag et on et.event_id = near.id
        join {tenant}.tag t on t.id = et.tag_id group by t.id order by count(distinct listed) desc, t.key limit ${mostTags}) tag),
    'hasFree', ${anyFreeEntrySql('select id from near')}))`;

/** The texts of these events whose words a search may mean: $1 is the time at which they are not over. */
export const spelledTextsStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'pages-spelled-texts',
  text: `with near as materialized (${nearSql(assumed, '$1')})
    select concat_ws(' ', e.name, e.subtitle, a.name, a.address_locality, (select string_agg(t.name, ' ') from {tenant}.event_tag et
      join {tenant}.tag t on t.id = et.tag_id where et.event_id = e.id)) as text
    from near join {tenant}.event e on e.id = near.id left join {tenant}.postal_address a on a.id = e.postal_address_id`,
});
