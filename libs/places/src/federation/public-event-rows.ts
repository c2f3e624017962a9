import { eventEndSql, publicEventSql, type AssumedDuration } from '#catalogue';
import { folded } from '#kernel';
import type { Tx } from '#tenancy';

/** Columns of `shared.federated_event` besides its key and its write time, as JSON values. */
export interface PublicEventRow {
  readonly event_id: string;
  readonly name: string;
  readonly subtitle: string | null;
  readonly slug: string;
  readonly category: string;
  readonly short_description: string | null;
  /** Instants as text in UTC with microseconds. */
  readonly starts_at: string;
  readonly ends_at: string | null;
  readonly over_at: string;
  readonly alteration: string | null;
  readonly previous_starts_at: string | null;
  readonly tags: readonly string[];
  readonly tag_keys: readonly string[];
  readonly place_name: string | null;
  readonly street_address: string | null;
  readonly locality: string | null;
  readonly region: string | null;
  readonly postal_code: string | null;
  readonly country: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly picture_id: string | null;
  readonly same_as: string | null;
  readonly url: string | null;
  readonly is_cancelled: boolean;
  readonly sequence: number;
  readonly search_text: string;
  readonly created_at: string;
}

/** Events copied or compared per transaction, so that changes by others can run in between. */
export const stepSize = 200;
/** Start value for a walk over all events in the order of their ids. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/** The columns with their types, in the same order for every statement. */
export const rowColumns = {
  event_id: 'uuid',
  name: 'text',
  subtitle: 'text',
  slug: 'text',
  category: 'text',
  short_description: 'text',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
  over_at: 'timestamptz',
  alteration: 'text',
  previous_starts_at: 'timestamptz',
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
  same_as: 'text',
  url: 'text',
  is_cancelled: 'boolean',
  sequence: 'integer',
  search_text: 'text',
  created_at: 'timestamptz',
} as const satisfies Record<keyof PublicEventRow, string>;

const wordsOf = (column: string): string =>
  `array(select tag.${column} from event_tag join tag on tag.id = event_tag.tag_id where event_tag.event_id = event.id
   order by tag.key collate "C")`;

const rowsSql = (assumed: AssumedDuration): string => `
  select to_jsonb(found) as row from (
    select event.id as event_id, event.name, event.subtitle, event.slug, event.category,
      left(event.short_description, 1000) as short_description, event.starts_at at time zone 'UTC' as starts_at,
      event.ends_at at time zone 'UTC' as ends_at,
      ${eventEndSql('event', assumed)} at time zone 'UTC' as over_at, event.alteration,
      event.previous_starts_at at time zone 'UTC' as previous_starts_at,
      ${wordsOf('name')} as tags, ${wordsOf('key')} as tag_keys,
      address.name as place_name, address.street_address, address.address_locality as locality, address.address_region as region,
      address.postal_code, address.address_country as country, address.latitude, address.longitude,
      coalesce(event.sticker_image_id, event.image_id) as picture_id, event.same_as, event.url, not event.published as is_cancelled,
      event.sequence, event.created_at at time zone 'UTC' as created_at
    from event left join postal_address address on address.id = event.postal_address_id
    where event.id = any($1) and ${publicEventSql('event')}) found`;

/** The public ones of these events of the current tenant, as rows of the networks' agendas. */
export async function publicEventRows(tx: Tx, ids: readonly string[], assumed: AssumedDuration): Promise<PublicEventRow[]> {
  const rows = await tx.query<{ row: Omit<PublicEventRow, 'search_text'> }[]>(rowsSql(assumed), [ids]);
  return rows.map(({ row }) => ({
    ...row,
    starts_at: `${row.starts_at}Z`,
    ends_at: row.ends_at && `${row.ends_at}Z`,
    over_at: `${row.over_at}Z`,
    previous_starts_at: row.previous_starts_at && `${row.previous_starts_at}Z`,
    created_at: `${row.created_at}Z`,
    search_text: searchText(row),
  }));
}

function searchText(row: Omit<PublicEventRow, 'search_text'>): string {
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
