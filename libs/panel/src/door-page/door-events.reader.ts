import { Event, eventEndSql } from '#catalogue';
import { databaseNow, isUuid, venueDayStartSql, type Settings } from '#kernel';
import { currentTenant, type TenantDb } from '#tenancy';

/** An event to choose on the pages of the door. */
export type DoorEvent = { id: string; name: string; startsAt: string };

/** Maximum number of events to choose from; the page of any other event is opened from its record. */
const mostEvents = 60;

interface Row {
  id: string;
  name: string;
  startsAt: Date;
  endsAt: Date;
}

/**
 * The published events from today on, by start, and the one that a page shows: the wanted one, else the first that is not over.
 * @param wanted the event in the address; anything
 */
export async function doorEvents(
  db: TenantDb,
  settings: Settings,
  wanted: unknown,
): Promise<{ readonly events: DoorEvent[]; readonly eventId: string | null }> {
  const rows = await db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select('event.id', 'id')
      .addSelect('event.name', 'name')
      .addSelect('event.startsAt', 'startsAt')
      .addSelect(eventEndSql('event', settings), 'endsAt')
      .from(Event, 'event')
      .where(`event.published and ${eventEndSql('event', settings)} >= ${venueDayStartSql(':zone')}`, { zone: currentTenant().timeZone })
      .orderBy('event.startsAt', 'ASC')
      .addOrderBy('event.id', 'ASC')
      .limit(mostEvents)
      .getRawMany<Row>(),
  );
  const now = databaseNow();
  const next = rows.find(({ endsAt }) => endsAt >= now) ?? rows.at(-1);
  const events = rows.map(({ id, name, startsAt }) => ({ id, name, startsAt: startsAt.toISOString() }));
  return { events, eventId: isUuid(wanted) ? wanted.toLowerCase() : (next?.id ?? null) };
}

/** The events with the shown one, which may be over or not published. */
export function withShown(events: readonly DoorEvent[], { id, name, startsAt }: DoorEvent): DoorEvent[] {
  return events.some((event) => event.id === id) ? [...events] : [{ id, name, startsAt }, ...events];
}
