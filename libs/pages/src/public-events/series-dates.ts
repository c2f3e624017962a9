import { eventEndSql, isPostponedSql, publicEventSql, type AssumedDuration } from '#catalogue';
import type { PreparedStatement } from '#tenancy';
import { bookableSql, dateSaleSql, milliseconds } from './price-range.js';

/** Maximum number of coming dates of a series on the pages of its events. */
const mostDates = 200;

/** A date of a series on its pages: an event of its own. Instants in milliseconds. */
export interface SeriesDate {
  readonly id: string;
  readonly slug: string;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly isCancelled: boolean;
  readonly isPostponed: boolean;
  readonly soldOut: boolean;
  /** Tickets that are left, counted exactly when they are few; null: many, or none are sold now. */
  readonly left: number | null;
}

/** The series that an event belongs to, with its coming dates in their order. */
export interface EventSeriesDates {
  readonly name: string;
  readonly slug: string;
  readonly dates: readonly SeriesDate[];
}

/** How many dates of a series come after a listed one, and when the last of them starts. */
export interface SeriesRest {
  readonly count: number;
  /** Milliseconds. */
  readonly until: number;
}

const publicSql = publicEventSql('e', '{tenant}.');
/** SQL: nothing happens at the time of the public event `e`. */
const offSql = `(not e.published or ${isPostponedSql('e')})`;

/**
 * SQL: the series of the event $1, see `EventSeriesDates`, with the dates that are not over at $2. Other events read no dates.
 */
export const seriesSql = (
  assumed: AssumedDuration,
): string => `(select json_build_object('name', series.name, 'slug', series.slug, 'dates', coalesce((select json_agg(date) from (
    select e.id, e.slug, ${milliseconds('e.starts_at')} as "startsAt", ${milliseconds('e.ends_at')} as "endsAt",
      not e.published as "isCancelled", ${isPostponedSql('e')} as "isPostponed", sale."soldOut", sale."left"
    from {tenant}.event e left join lateral ${dateSaleSql} sale on true
    where e.series_id = series.id and ${publicSql} and ${eventEndSql('e', assumed)} >= $2
    order by e.starts_at, e.id limit ${mostDates}) date), '[]'))
  from {tenant}.event own join {tenant}.event_series series on series.id = own.series_id where own.id = $1)`;

/**
 * SQL: the event `e`, which fulfils a condition on `e` and its address `a`, is in no series, or it is the first date of it that does.
 * Cancelled and postponed dates stand behind all others. The first dates are looked up once, not for each event.
 */
export function isFirstOfSeriesSql(condition: string): string {
  return `(e.series_id is null or e.id in (
    select distinct on (e.series_id) e.id from {tenant}.event e left join {tenant}.postal_address a on a.id = e.postal_address_id
    where e.series_id is not null and ${publicSql} and ${condition}
    order by e.series_id, ${offSql}, e.starts_at, e.name, e.id))`;
}

/**
 * SQL: `SeriesRest` of the event `e` as JSON; null when no other date comes.
 * @param since parameter: the time at which they are not over
 */
export function seriesRestSql(assumed: AssumedDuration, since: string): string {
  return `case when e.series_id is not null then (
    select json_build_object('count', count(*), 'until', ${milliseconds('max(later.starts_at)')}) from {tenant}.event later
    where later.series_id = e.series_id and later.published and not later.is_private and not ${isPostponedSql('later')}
      and ${eventEndSql('later', assumed)} >= ${since} and (later.starts_at, later.id) > (e.starts_at, e.id) having count(*) > 0) end`;
}

/** SQL: condition on `e` of the other events on the page of the event $1: not over at $2, of no common series, each series once. */
export function otherEventsCondition(assumed: AssumedDuration): string {
  const coming = `${eventEndSql('e', assumed)} >= $2`;
  return `${coming} and not ${offSql} and e.id <> $1 and ${isFirstOfSeriesSql(coming)}
    and (e.series_id is null or e.series_id is distinct from (select series_id from {tenant}.event where id = $1))`;
}

/**
 * The slug of the date to which the address of the series $1 leads at $2: the next that can be booked, else the next, else the last one.
 */
export const seriesTargetStatement = (assumed: AssumedDuration): PreparedStatement => ({
  name: 'pages-series-target',
  text: `select e.slug from {tenant}.event_series series join {tenant}.event e on e.series_id = series.id
    cross join lateral (select ${eventEndSql('e', assumed)} >= $2 as comes) at
    where series.slug = $1 and ${publicSql}
    order by at.comes desc, ${offSql}, case when at.comes then not ${bookableSql} end,
      case when at.comes then e.starts_at end, e.starts_at desc, e.id limit 1`,
});
