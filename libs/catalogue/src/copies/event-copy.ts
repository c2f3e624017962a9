import { hasModule, type Tx } from '#tenancy';
import { getMetadataArgsStorage } from 'typeorm';
import { Event } from '../entities/event.entity.js';
import { PublicEventColumns } from '../entities/public-event-columns.js';
import type { Times } from '../events/event-times.js';
import type { NewEvent } from '../events/event-change.js';
import { optionNames, type WholeEvent } from '../event-data/whole-event.js';

/** Columns that a copy does not take over: identity, counters and history, and columns that the copy sets itself. */
const ownColumns: ReadonlySet<string> = new Set<keyof Event>([
  'id',
  'slug',
  'seriesId',
  'published',
  'alteration',
  'previousStartsAt',
  'booked',
  'imageId',
  'stickerImageId',
  'sequence',
  'saleVersion',
  'createdAt',
  'updatedAt',
]);

/** All other columns of the entity, so that a new one is copied, too. */
function copiedColumns(event: WholeEvent): Partial<NewEvent> {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === Event || target === PublicEventColumns);
  const names = columns.map(({ propertyName }) => propertyName as keyof Event).filter((name) => !ownColumns.has(name));
  return Object.fromEntries(names.map((name) => [name, event[name]]));
}

/** The input for an unpublished copy of an event at other times, without its pictures and its series. */
export function copyOf(event: WholeEvent, times: Times): NewEvent {
  return {
    ...copiedColumns(event),
    name: event.name,
    ...times,
    published: false,
    keywords: event.keywords,
    radioOptions: hasModule('ticketing') ? optionNames(event, 'radio') : [],
    checkboxOptions: hasModule('ticketing') ? optionNames(event, 'checkbox') : [],
  };
}

/**
 * Times that are moved as far as an event, on the clocks of the tenant: what began at ten o'clock four days before the event does so before
 * its copy, too.
 */
export async function movedTimes(
  tx: Tx,
  times: readonly (Date | null)[],
  { from, to, timeZone }: { readonly from: Date; readonly to: Date; readonly timeZone: string },
): Promise<(Date | null)[]> {
  const rows = await tx.query<{ at: Date | null }[]>(
    `select ((given.at at time zone $4) + (($3::timestamptz at time zone $4) - ($2::timestamptz at time zone $4))) at time zone $4 as at
     from unnest($1::timestamptz[]) with ordinality as given (at, place) order by place`,
    [times, from, to, timeZone],
  );
  return rows.map(({ at }) => at);
}
