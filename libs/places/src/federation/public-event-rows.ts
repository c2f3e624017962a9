import { eventEndSql, publicColumns, publicEventSql, type AssumedDuration } from '#catalogue';
import { folded } from '#kernel';
import type { Tx } from '#tenancy';

/** Columns of `shared.federated_event` besides its key and its write time, as JSON values: these, and those of `publicColumns`. */
export interface PublicEventRow extends Readonly<Record<string, unknown>> {
  readonly event_id: string;
  readonly name: string;
  readonly subtitle: string | null;
  readonly short_description: string | null;
  readonly tags: readonly string[];
  readonly tag_keys: readonly string[];
  readonly place_name: string | null;
  readonly locality: string | null;
  readonly postal_code: string | null;
  readonly search_text: string;
}

/** Events copied or compared per transaction, so that changes by others can run in between. */
export const stepSize = 200;
/** Start value for a walk over all events in the order of their ids. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/** The columns with their types, in the same order for every statement. */
export const rowColumns: Readonly<Record<string, string>> = {
  event_id: 'uuid',
  ...Object.fromEntries(publicColumns.map(({ column, type }) => [column, type])),
  over_at: 'timestamptz',
  tags: 'text[]',
  tag_keys: 'text[]',
  place_name: 'text',
  street_address: 'text',
  locality: 'text',
  region: 'text',
  postal_code: 'text',
  country: 'text',
  latitude: 'double precision',
  longitude: 'double precision',
  picture_id: 'uuid',
  is_cancelled: 'boolean',
  search_text: 'text',
};

/** Names of columns that are instants: JSON has them in UTC with microseconds. */
export const instantColumns = Object.keys(rowColumns).filter((name) => rowColumns[name] === 'timestamptz');

/** The instants of a row as text with their zone. */
export function withZones<Row extends Readonly<Record<string, unknown>>>(row: Row): Row {
  return { ...row, ...Object.fromEntries(instantColumns.map((name) => [name, row[name] && `${String(row[name])}Z`])) };
}

const columnsSql = publicColumns
  .map(({ column, type }) => {
    if (type === 'timestamptz') return `event.${column} at time zone 'UTC' as ${column}`;
    return column === 'short_description' ? `left(event.${column}, 1000) as ${column}` : `event.${column}`;
  })
  .join(', ');

const wordsOf = (column: string): string =>
  `array(select tag.${column} from event_tag join tag on tag.id = event_tag.tag_id where event_tag.event_id = event.id
   order by tag.key collate "C")`;

const rowsSql = (assumed: AssumedDuration): string => `
  select to_jsonb(found) as row from (
    select event.id as event_id, ${columnsSql}, ${eventEndSql('event', assumed)} at time zone 'UTC' as over_at,
      ${wordsOf('name')} as tags, ${wordsOf('key')} as tag_keys,
      address.name as place_name, address.street_address, address.address_locality as locality, address.address_region as region,
      address.postal_code, address.address_country as country, address.latitude, address.longitude,
      coalesce(event.sticker_image_id, event.image_id) as picture_id, not event.published as is_cancelled
    from event left join postal_address address on address.id = event.postal_address_id
    where event.id = any($1) and ${publicEventSql('event')}) found`;

/** The public ones of these events of the current tenant, as rows of the networks' agendas. */
export async function publicEventRows(tx: Tx, ids: readonly string[], assumed: AssumedDuration): Promise<PublicEventRow[]> {
  const rows = await tx.query<{ row: SearchedRow }[]>(rowsSql(assumed), [ids]);
  return rows.map(({ row }): PublicEventRow => ({ ...withZones(row), search_text: searchText(row) }));
}

type SearchedRow = Readonly<Record<string, unknown>> &
  Pick<
    PublicEventRow,
    'event_id' | 'name' | 'subtitle' | 'short_description' | 'tags' | 'tag_keys' | 'place_name' | 'locality' | 'postal_code'
  >;

function searchText(row: SearchedRow): string {
  const { name, subtitle, short_description: short, place_name: place, locality, postal_code: postalCode, tags } = row;
  return folded([name, subtitle, short, place, locality, postalCode, ...tags].filter(Boolean).join('\n'));
}

/** A network that receives a tenant's events: all of them, or those with one of these tags. */
export interface Receiver {
  readonly networkId: string;
  readonly sentTags: string[];
}

/** A row of one network's agenda. */
export type SentRow = PublicEventRow & { readonly network_id: string };

/** The rows that each network gets for these events. */
export function sentRows(receivers: readonly Receiver[], rows: readonly PublicEventRow[]): SentRow[] {
  return receivers.flatMap(({ networkId, sentTags }) =>
    rows.filter((row) => isSent(row, sentTags)).map((row) => ({ network_id: networkId, ...row })),
  );
}

function isSent({ tag_keys: keys }: PublicEventRow, sentTags: readonly string[]): boolean {
  return sentTags.length === 0 || keys.some((key) => sentTags.includes(key));
}
