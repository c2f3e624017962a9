import { Event, eventEndSql, eventIsOverSql } from '#catalogue';
import { databaseNow, type Settings } from '#kernel';
import { recordHref } from '#panel-kit';
import { Ticket } from '#tickets';
import { currentTenant, grantAllows, type Grant, type TenantDb, type Tx } from '#tenancy';
import type { OwnEvent, OwnFigures, StartPageView } from './start-page.js';

/** Most events that the page shows; the list of events has all. */
const mostShown = 12;
/** Days for which an event stays on the page when it is over. */
const daysAfter = 30;

type EventRow = Omit<OwnEvent, 'startsAt' | 'isOver' | 'href' | 'figures'> & { startsAt: Date; isOver: boolean; capacity: number };

const count = (condition: string): string => `(count(*) filter (where ${condition}))::int`;
/** The tickets that count as sold, as everywhere on the start page. */
const soldTickets = `ticket.event_id = any(:ids) and ticket.admission and ticket.status in ('K', 'S')`;

/** The start page of people whose right is about some events: these alone are read, with counts and the curve of sales. */
export async function readOwnStartPage(db: TenantDb, settings: Settings, grant: Grant): Promise<StartPageView> {
  const ids = grant.scope.kind === 'events' ? grant.scope.eventIds : [];
  const counts = grantAllows(grant, 'figures.see');
  const own = await db.transaction(async (tx): Promise<OwnEvent[]> => {
    const events = await eventsOf(tx, settings, ids);
    const figures = counts ? await figuresOf(tx, events, grantAllows(grant, 'product.see')) : new Map<string, OwnFigures>();
    return events.map(({ startsAt, capacity: _capacity, ...event }) => ({
      ...event,
      startsAt: startsAt.toISOString(),
      href: recordHref('events', event.id),
      figures: figures.get(event.id) ?? null,
    }));
  });
  return {
    kind: 'tonight',
    own,
    welcome: null,
    stepsHref: null,
    now: databaseNow().toISOString(),
    events: [],
    next: null,
    upcoming: null,
    scans: null,
    refused: 0,
    publicHref: null,
    sellHref: null,
    mail: null,
    refunds: null,
    wallet: null,
    webhooks: [],
  };
}

/** Those to come, the next one first; then those that were lately, the last one first. */
async function eventsOf(tx: Tx, settings: Settings, ids: readonly string[]): Promise<EventRow[]> {
  const isOver = eventIsOverSql('event', settings);
  return tx
    .createQueryBuilder()
    .select('event.id', 'id')
    .addSelect('event.name', 'name')
    .addSelect('event.startsAt', 'startsAt')
    .addSelect(isOver, 'isOver')
    .addSelect(`coalesce(place.name, place.street_address || ', ' || place.address_locality)`, 'place')
    .addSelect('event.capacity', 'capacity')
    .from(Event, 'event')
    .leftJoin('event.postalAddress', 'place')
    .where('event.id = any(:ids)', { ids })
    .andWhere(`${eventEndSql('event', settings)} > now() - interval '${daysAfter} days'`)
    .orderBy('"isOver"', 'ASC')
    .addOrderBy(`case when ${isOver} then null else event.starts_at end`, 'ASC')
    .addOrderBy('event.startsAt', 'DESC')
    .addOrderBy('event.id', 'ASC')
    .limit(mostShown)
    .getRawMany<EventRow>();
}

/** @param isNamed whether products and prices may be seen */
async function figuresOf(tx: Tx, events: readonly EventRow[], isNamed: boolean): Promise<Map<string, OwnFigures>> {
  const ids = events.map(({ id }) => id);
  const tickets = () => tx.createQueryBuilder().from(Ticket, 'ticket').select('ticket.eventId', 'eventId').where(soldTickets, { ids });
  const prices = await tickets()
    .innerJoin('ticket.price', 'price')
    .innerJoin('price.product', 'product')
    .addSelect(`concat_ws(' · ', product.name, price.name)`, 'name')
    .addSelect('count(*)::int', 'sold')
    .addSelect(count(`ticket.status = 'S'`), 'admitted')
    .addSelect(count(`ticket.status = 'S' and ticket.left_at is null`), 'inside')
    .groupBy('ticket.eventId')
    .addGroupBy('price.id')
    .addGroupBy('product.name')
    .addGroupBy('price.name')
    .orderBy('sold', 'DESC')
    .addOrderBy('name', 'ASC')
    .getRawMany<{ eventId: string; name: string; sold: number; admitted: number; inside: number }>();
  const days = await tickets()
    .addSelect(`to_char(ticket.created_at at time zone cast(:zone as text), 'YYYY-MM-DD')`, 'day')
    .addSelect('count(*)::int', 'sold')
    .setParameter('zone', currentTenant().timeZone)
    .groupBy('ticket.eventId')
    .addGroupBy('day')
    .orderBy('day', 'ASC')
    .getRawMany<{ eventId: string; day: string; sold: number }>();
  return new Map(
    events.map(({ id, capacity }) => {
      const sums = prices.filter(({ eventId }) => eventId === id);
      const total = (name: 'sold' | 'admitted' | 'inside'): number => sums.reduce((sum, row) => sum + row[name], 0);
      let sold = 0;
      const curve = days.filter(({ eventId }) => eventId === id).map((row) => ({ day: row.day, sold: (sold += row.sold) }));
      const shown = isNamed ? sums.map(({ name, sold: tickets, admitted }) => ({ name, sold: tickets, admitted })) : [];
      return [id, { capacity, sold: total('sold'), admitted: total('admitted'), inside: total('inside'), prices: shown, curve }];
    }),
  );
}
