import type { Migration } from './migration.js';

/** A table whose changes are recorded. */
export interface RecordedTable {
  readonly kind: 'programme' | 'sales' | 'people' | 'money' | 'door' | 'settings';
  /** The record that the rows belong to, when they are not records themselves. */
  readonly of?: string;
  /** Columns that identify the record, default `id`. */
  readonly by?: string;
  /** SQL: updates that are recorded, default all. Bookings and scans do none of these. New rows are not recorded then. */
  readonly updates?: string;
  /** Counters: updates that change them are not recorded, whatever else they change, except `despite`. */
  readonly counter?: string;
  readonly despite?: string;
}

/** SQL: one of the columns has another value. */
const differ = (...columns: readonly string[]): string =>
  `(${columns.map((name) => `old.${name}`).join(', ')}) is distinct from (${columns.map((name) => `new.${name}`).join(', ')})`;

/** The tables of this version whose changes are recorded; later migrations add others. */
export const recordedSince94: Readonly<Record<string, RecordedTable>> = {
  configuration: { kind: 'settings' },
  postal_address: { kind: 'settings' },
  mail_text: { kind: 'settings', by: 'kind,language,part' },
  webhook_endpoint: { kind: 'settings', counter: 'last_success_at' },
  wallet_account: { kind: 'settings', by: 'provider' },
  payment_account: { kind: 'money' },
  event: { kind: 'programme', counter: 'booked' },
  event_option: { kind: 'programme', of: 'event', by: 'event_id' },
  event_product: { kind: 'programme', of: 'event', by: 'event_id' },
  event_tag: { kind: 'programme', of: 'event', by: 'event_id' },
  gallery_picture: { kind: 'programme', of: 'event', by: 'event_id' },
  // Shared places begin and end together with the count of what is booked.
  event_series: { kind: 'programme', counter: 'booked', despite: 'capacity' },
  tag: { kind: 'programme' },
  product: { kind: 'programme' },
  price: { kind: 'money', counter: 'sold' },
  question: { kind: 'programme', of: 'product', by: 'product_id' },
  gate: { kind: 'door' },
  gate_rule: { kind: 'door', of: 'gate', by: 'gate_id' },
  scanning_device: { kind: 'door' },
  team_code: { kind: 'door' },
  signing_key: { kind: 'door' },
  reservation: {
    kind: 'sales',
    updates: `not old.is_draft and (${differ('email', 'first_name', 'last_name', 'language')}
      or old.confirmed_at is not null and ${differ('cancelled_at')})`,
  },
  ticket: {
    kind: 'sales',
    of: 'reservation',
    by: 'reservation_id',
    updates: `old.status in ('K', 'S', 'R') and (${differ('first_name', 'last_name', 'holder_email')} or ${differ('cancelled_at')})`,
  },
  membership: {
    kind: 'people',
    updates: `old.status <> 'pending'
      and (${differ('email', 'first_name', 'last_name', 'language', 'status', 'valid_from', 'valid_until')})`,
  },
};

/** SQL: the triggers that record the changes of a table. */
export function triggersOf(table: string, { kind, of, by, updates, counter, despite }: RecordedTable): string[] {
  const call = `note_change('${kind}', '${of ?? table}', '${by ?? 'id'}')`;
  const trigger = (name: string, events: string, when?: string): string => `
drop trigger if exists ${table}_${name} on ${table};
create constraint trigger ${table}_${name} after ${events} on ${table} deferrable initially deferred for each row
  ${when ? `when (${when}) ` : ''}execute function ${call};`;
  if (updates) return [trigger('changed', 'update', updates)];
  if (!counter) return [trigger('changed', 'insert or update or delete')];
  const counted = `old.${counter} is not distinct from new.${counter}${despite ? ` or ${differ(despite)}` : ''}`;
  return [trigger('changed', 'update', counted), trigger('changed_rows', 'insert or delete')];
}

export const tenantChanges: Migration = {
  version: 94,
  name: 'record of changes',
  additive: true,
  sql: `
-- Who changed what: one row for each record in the transaction of the change. Only shared.add_change writes it. Each row has the hash of
-- the one before it.
create table if not exists change (
  position bigint not null,
  at timestamptz not null,
  -- Decides how long the values are kept.
  kind text not null,
  object text not null,
  record text not null,
  -- created, changed, deleted, erased, pruned, or an act of an operator.
  action text not null,
  -- Names of the changed columns.
  fields text[] not null,
  -- Who and through what, by reference: {"kind", "id", "visit", "job", "request"}.
  actor jsonb not null,
  -- Values before and after; null: erased.
  content jsonb,
  salt bytea,
  content_hash bytea not null,
  hash bytea not null,
  constraint change_pkey primary key (position)
);
create index if not exists change_record_object_idx on change (record, object);
-- The functions of triggers are in the schema of the tenant, with which they move.
-- Arguments: kind, object, columns of its id. Short, because each connection compiles it for each trigger.
create or replace function note_change() returns trigger language plpgsql as $body$
begin
  perform shared.add_changed_row(tg_table_schema, tg_table_name, tg_op, to_jsonb(old), to_jsonb(new), tg_argv[0], tg_argv[1], tg_argv[2]);
  return null;
end
$body$;

-- A row of the record changes only in the transaction that adds it, and when its values are erased.
create or replace function keep_change() returns trigger language plpgsql as $body$
begin
  if tg_op = 'DELETE' and pg_catalog.current_setting('guichet.retention', true) = tg_table_name then
    return old;
  end if;
  if tg_op = 'UPDATE' and (
    new.content is null and new.salt is null and (new.position, new.at, new.kind, new.object, new.record, new.action, new.fields, new.actor,
      new.content_hash, new.hash) is not distinct from (old.position, old.at, old.kind, old.object, old.record, old.action, old.fields,
      old.actor, old.content_hash, old.hash)
    or pg_catalog.split_part(pg_catalog.current_setting('guichet.changes_since', true), ' ', 1) = tg_table_schema
      and old.position >= pg_catalog.split_part(pg_catalog.current_setting('guichet.changes_since', true), ' ', 2)::bigint
      and new.position = old.position) then
    return new;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$body$;
create or replace trigger change_kept before update or delete on change for each row execute function keep_change();
create or replace trigger change_append_only before truncate on change for each statement execute function shared.refuse_change();
${Object.entries(recordedSince94)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
