import { demandModule, type Tx } from '#tenancy';
import type { EventOptionKind } from '../entities/event-option.entity.js';

/** The key under which two spellings are the same tag. */
export function tagKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/**
 * Sets exactly these tags of an event and creates missing ones. When concurrent callers bring the same new tag, one creates it and the
 * others reuse it.
 */
export async function setKeywords(tx: Tx, eventId: string, names: readonly string[]): Promise<void> {
  // In one order for all callers, to avoid deadlocks.
  const byKey = new Map(names.map((name) => [tagKey(name), name]).toReversed() as [string, string][]);
  const keys = [...byKey.keys()].toSorted();
  await tx.query('delete from event_tag using tag where event_id = $1 and tag.id = tag_id and not (tag.key = any($2))', [eventId, keys]);
  if (keys.length === 0) return;
  await tx.query('insert into tag (key, name) select * from unnest($1::text[], $2::text[]) on conflict (key) do nothing', [
    keys,
    keys.map((key) => byKey.get(key)),
  ]);
  await tx.query('insert into event_tag (event_id, tag_id) select $1::uuid, id from tag where key = any($2) on conflict do nothing', [
    eventId,
    keys,
  ]);
}

/**
 * Sets exactly these options of a kind of an event, in this order. Remaining options keep their id; removed options that somebody chose
 * are kept unpublished.
 */
export async function setOptions(tx: Tx, eventId: string, kind: EventOptionKind, names: readonly string[]): Promise<void> {
  const distinct = [...new Set(names)];
  // Locked first: nobody can choose them until they are deleted or unpublished.
  const others = await tx.query<{ id: string }[]>(
    'select id from event_option where event_id = $1 and kind = $2 and not (name = any($3)) order by id for update',
    [eventId, kind, distinct],
  );
  const ids = others.map(({ id }) => id);
  await tx.query(`delete from event_option where id = any($1) and not ${chosenSql}`, [ids]);
  await tx.query('update event_option set published = false where id = any($1)', [ids]);
  await tx.query(
    `insert into event_option (event_id, kind, name, position)
     select $1::uuid, $2::text, name, place - 1 from unnest($3::text[]) with ordinality as given (name, place)
     on conflict (event_id, kind, name) do update set position = excluded.position, published = true`,
    [eventId, kind, distinct],
  );
}

/** SQL: whether somebody chose an option. The rows belong to booking; the catalogue only checks whether there are any. */
export const chosenSql = 'exists (select 1 from reservation_option where reservation_option.option_id = event_option.id)';

/** Adding options requires ticketing; removing them is always allowed. @throws Problem 403 `tenant.module` */
export function demandOptions(...lists: readonly (readonly string[] | undefined)[]): void {
  if (lists.some((options) => options && options.length > 0)) demandModule('ticketing');
}
