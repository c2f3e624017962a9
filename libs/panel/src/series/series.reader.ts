import { cancelledEventSql } from '#catalogue';
import { dayAndTimeWords } from '#kernel';
import { toldCountSql } from '#notices';
import { currentPanelRequest, listHref, type PanelValue, recordHref, related } from '#panel-kit';
import { currentTenant, type TenantDb } from '#tenancy';
import { filledSql, filledText, type Filled } from './filled.js';
import { seriesWords } from './series.words.js';

/** Dates that a page lists. */
const mostDates = 12;

interface SeriesDate extends Filled {
  readonly id: string;
  readonly startsAt: Date;
  readonly published: boolean;
  readonly cancelled: boolean;
  readonly total: number;
}

/** The next dates of a series, with what is taken of their places, and a link to all. @param except a date that is left out */
export async function datesOf(db: TenantDb, seriesId: string, except?: string): Promise<PanelValue> {
  const { language } = currentPanelRequest();
  const words = seriesWords[language];
  const dates = await db.transaction((tx) =>
    tx.query<SeriesDate[]>(
      `select id, starts_at as "startsAt", ${filledSql.filled} as filled, ${filledSql.sharedLeft} as "sharedLeft", published,
         ${cancelledEventSql('event')} as cancelled, total::int
       from event, (select count(*) as total from event where series_id = $1) as counted
       where series_id = $1 and id is distinct from $2
       order by starts_at < now(), case when starts_at < now() then now() - starts_at else starts_at - now() end limit ${mostDates}`,
      [seriesId, except ?? null],
    ),
  );
  const items = dates
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
    .map(({ id, startsAt, published, cancelled, ...filled }) => ({
      title: dayAndTimeWords(startsAt, language, currentTenant().timeZone),
      href: recordHref('events', id),
      details: filledText(filled),
      ...(!published && { badge: { text: cancelled ? words.cancelled : words.unpublished, tone: cancelled ? 'bad' : 'waiting' } as const }),
    }));
  return related(items, { href: listHref('events', { seriesId }), label: words.allDates(dates[0]?.total ?? 1) });
}

/** How many of these events have reservations, and how many people are told of a change. */
export async function guestsOf(db: TenantDb, ids: readonly string[]): Promise<{ reserved: number; reservations: number; holders: number }> {
  const [row] = await db.transaction((tx) =>
    tx.query<{ reserved: number; reservations: number; holders: number }[]>(
      `select count(distinct event_id)::int as reserved, count(*)::int as reservations,
         ${toldCountSql('ticket.event_id = any($1)')} as holders
       from reservation where event_id = any($1) and status <> 'C' and not is_draft`,
      [ids],
    ),
  );
  return row ?? { reserved: 0, reservations: 0, holders: 0 };
}
