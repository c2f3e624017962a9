import { demandModule, type Tx } from '#tenancy';
import type { EventOptionKind } from './event-option.entity.js';

/** By which two spellings are one tag. */
export function tagKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/**
 * Gives an event these tags and no others; those that do not exist yet are made. Of any number of callers that bring the same new tag at
 * once one makes it and the others take it.
 */
export async function setKeywords(tx: Tx, eventId: string, names: readonly string[]): Promise<void> {
  // In one order for everybody, so that two callers never wait for each other.
  const byKey = new Map(names.map((name) => [tagKey(name), name]).toReversed() as [string, string][]);
  const keys = [...byKey.keys()].toSorted();
  await tx.query(
    'delete from event_tag using tag where event_id = $1 and tag.id = tag_id and not (tag.key = any($2))',
    [eventId, keys],
  );
  if (keys.length === 0) return;
  await tx.query(
    'insert into tag (key, name) select * from unnest($1::text[], $2::text[]) on conflict (key) do nothing',
    [keys, keys.map((key) => byKey.get(key))],
  );
  await tx.query(
    'insert into event_tag (event_id, tag_id) select $1::uuid, id from tag where key = any($2) on conflict do nothing',
    [eventId, keys],
  );
}

/**
 * Gives an event these options of a kind and no others, in this order. Those that stay keep their id; of the others those that somebody chose
 * are kept, but not offered any more.
 */
export async function setOptions(
  tx: Tx,
  eventId: string,
  kind: EventOptionKind,
  names: readonly string[],
): Promise<void> {
  const distinct = [...new Set(names)];
  // Locked first: nobody chooses one of them any more before it is deleted or withdrawn.
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

/** SQL: whether somebody chose an option. Its rows are booking's; the catalogue only looks whether there are any. */
export const chosenSql =
  'exists (select 1 from reservation_option where reservation_option.option_id = event_option.id)';

/** Options are chosen when tickets are booked. Taking them away is always possible. @throws Problem 403 `tenant.module` */
export function demandOptions(...lists: readonly (readonly string[] | undefined)[]): void {
  if (lists.some((options) => options && options.length > 0)) demandModule('ticketing');
}
