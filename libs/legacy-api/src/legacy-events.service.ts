import { Inject, Injectable } from '@nestjs/common';
import { eventEndSql, loadWhole, type WholeEvent } from '#catalogue';
import { partsOf, type Page } from '#http';
import { databaseNow, dayInZone, grouped, SETTINGS, type Settings } from '#kernel';
import { currentTenant, hasModule, TenantDb, type Tx } from '#tenancy';

/** An event with its sub-events. */
export interface EventWithParts {
  readonly event: WholeEvent;
  /** Ordered by start. */
  readonly parts: readonly WholeEvent[];
}

const visible = 'event.published and not event.is_private';

/** The public events of a tenant: published and not private. Tenants without the module `events` (Root, the federated agenda) have none. */
@Injectable()
export class LegacyEventsService {
  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * A page of the events: all of them, latest start first; or, with `upcoming`, those that start yesterday or later or are still running,
   * next one first (as in the lists of API v2).
   * @param add gets the events in parts, in their order
   * @returns how many there are on all pages
   */
  list(upcoming: boolean, { skip, take }: Page, add: (events: EventWithParts[]) => void): Promise<number> {
    if (!hasModule('events')) return Promise.resolve(0);
    const now = databaseNow();
    const yesterday = dayInZone(now, currentTenant().timeZone, -1);
    const running = `(event.starts_at >= $1 or ${eventEndSql('event', this.settings)} >= $2)`;
    const condition = upcoming ? `${visible} and ${running}` : visible;
    const values = upcoming ? [yesterday, now] : [];
    const order = upcoming ? 'event.starts_at, event.id' : 'event.starts_at desc, event.id';
    return this.db.transaction(async (tx) => {
      const [counted] = await tx.query<{ total: number }[]>(`select count(*)::int as total from event where ${condition}`, values);
      const rows = await tx.query<{ id: string }[]>(
        `select event.id from event where ${condition} order by ${order} limit ${take} offset ${skip}`,
        values,
      );
      for (const some of partsOf(rows.map(({ id }) => id))) add(await withParts(tx, some));
      return counted?.total ?? 0;
    });
  }

  /** One public event; undefined when it does not exist or is not public. */
  find(id: string): Promise<EventWithParts | undefined> {
    if (!hasModule('events')) return Promise.resolve(undefined);
    return this.db.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }[]>(`select event.id from event where ${visible} and event.id = $1`, [id]);
      return (
        await withParts(
          tx,
          rows.map((row) => row.id),
        )
      )[0];
    });
  }
}

async function withParts(tx: Tx, ids: readonly string[]): Promise<EventWithParts[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }[]>(
    `select event.id from event where ${visible} and event.super_event_id = any($1) order by event.starts_at, event.id limit 2000`,
    [ids],
  );
  const parts = grouped(
    await loadWhole(
      tx,
      rows.map(({ id }) => id),
    ),
    (part) => part.superEventId ?? '',
  );
  return (await loadWhole(tx, ids)).map((event) => ({ event, parts: parts.get(event.id) ?? [] }));
}
