import type { Migration } from './migration.js';

/**
 * SQL: the hash of a row of `change`. It covers the values through their own hash alone, so that they can be erased.
 * @param row alias of the row
 * @param previous SQL of the hash of the row before; null for the first one
 */
export const changeHashSql = (row: string, previous: string): string => `sha256(convert_to(jsonb_build_array(${row}.position,
    (extract(epoch from ${row}.at) * 1000000)::bigint, ${row}.kind, ${row}.object, ${row}.record, ${row}.action, to_jsonb(${row}.fields),
    ${row}.actor, encode(${row}.content_hash, 'hex'), encode(${previous}, 'hex'))::text, 'UTF8'))`;

/** SQL: the hash of the values. The salt keeps erased values from being guessed. */
export const contentHashSql = (row: string): string => `sha256(${row}.salt || convert_to(${row}.content::text, 'UTF8'))`;

/** Columns that programs keep for themselves. A column of a recorded table that is added here needs a new migration. */
export const unrecordedColumns = [
  'id, created_at, updated_at, sale_version, sequence, search_text, booked, sold, email_key, holder_key, link_version, code_version',
  'renames, renamed_since, reminder, network, network_site, signing_key_id, released_at, expires_at, last_success_at, failing_since',
  'paused_until, moves, practised_at, claimed_at, pairing_expires_at, last_used_at, tenant_id, public_key',
].flatMap((line) => line.split(', '));

/** PostgreSQL regular expression: columns of which only that they changed is recorded, never their values. */
export const secretColumns = '(^|_)(sealed|secret|private|hash|token|password|selector)(_|$)|^(?!postal_)(.*_)?code(_|$)';

export const sharedChanges: Migration = {
  version: 30,
  name: 'record of changes',
  additive: true,
  sql: `
-- Adds a change to the record of the tenant whose schema is "place". Runs when the transaction ends, so that nobody waits behind the lock
-- for longer than a COMMIT takes, and nothing is locked behind it. Changes of one record in one transaction are one row.
create or replace function shared.add_change(
  place text, of_kind text, of_object text, of_record text, done text, names text[], entry jsonb
) returns void language plpgsql volatile as $body$
declare
  last record;
  target record;
  c record;
  merged bigint;
  previous bytea;
  own bigint := -1;
  since text := coalesce(pg_catalog.current_setting('guichet.changes_since', true), '');
  erases boolean := coalesce(pg_catalog.current_setting('guichet.erasing', true), '') = 'on';
begin
  perform pg_catalog.pg_advisory_xact_lock(7265, pg_catalog.hashtext(place));
  execute format('select * from %I.change order by position desc limit 1', place) into last;
  if pg_catalog.split_part(since, ' ', 1) = place then
    own := pg_catalog.split_part(since, ' ', 2)::bigint;
  end if;
  if erases then
    execute format('update %I.change set content = null, salt = null where object = $1 and record = $2 and content is not null', place)
      using of_object, of_record;
  end if;
  -- Not in transactions that change very many records: each merge hashes the rows behind it again.
  if own > 0 and last.position >= own and last.object = of_object and last.record = of_record then
    merged := last.position;
  elsif own > 0 and last.position - own < 100 then
    execute format('select position from %I.change where position >= $1 and object = $2 and record = $3', place) into merged
      using own, of_object, of_record;
  end if;
  if merged is not null then
    execute format('select * from %I.change where position = $1', place) into target using merged;
    if target.action = 'deleted' then
      return;
    end if;
    execute format('select hash from %I.change where position = $1', place) into previous using merged - 1;
    select target.position, target.at, target.kind, target.object, target.record, target.actor,
      case when done = 'deleted' or target.action = 'changed' then done else target.action end as action,
      array(select distinct unnest(target.fields || names) order by 1) as fields,
      case when not erases then target.content || entry end as content, pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) as salt,
      null::bytea as content_hash, null::bytea as hash into c;
  else
    previous := last.hash;
    select coalesce(last.position, 0) + 1 as position, greatest(pg_catalog.clock_timestamp(), last.at) as at, of_kind as kind,
      of_object as object, of_record as record, case when erases then 'erased' else done end as action, names as fields,
      coalesce(nullif(pg_catalog.current_setting('guichet.by', true), ''),
        jsonb_build_object('kind', case when pg_catalog.current_setting('application_name') like 'guichet%' then 'job'
          else 'database' end)::text
      )::jsonb as actor,
      case when not erases then entry end as content, pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) as salt,
      null::bytea as content_hash, null::bytea as hash into c;
  end if;
  -- Without values, the hash is that of the salt, which is not kept either.
  c.content_hash := ${contentHashSql('c').replace('c.content::text', `coalesce(c.content::text, '')`)};
  c.hash := ${changeHashSql('c', 'previous')};
  if c.content is null then
    c.salt := null;
  end if;
  if merged is not null then
    execute format('update %I.change set action = $2, fields = $3, content = $4, salt = $5, content_hash = $6, hash = $7
      where position = $1', place) using c.position, c.action, c.fields, c.content, c.salt, c.content_hash, c.hash;
    previous := c.hash;
    for target in execute format('select * from %I.change where position > $1 order by position', place) using merged loop
      previous := ${changeHashSql('target', 'previous')};
      execute format('update %I.change set hash = $2 where position = $1', place) using target.position, previous;
    end loop;
  else
    execute format('insert into %I.change (position, at, kind, object, record, action, fields, actor, content, salt, content_hash, hash)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)', place)
      using c.position, c.at, c.kind, c.object, c.record, c.action, c.fields, c.actor, c.content, c.salt, c.content_hash, c.hash;
    if own < 0 then
      perform pg_catalog.set_config('guichet.changes_since', place || ' ' || c.position, true);
    end if;
  end if;
end
$body$;

-- One changed row of a tenant's table. "owner" names the columns that identify the record: those of a row that belongs to another record
-- are the record's id.
create or replace function shared.add_changed_row(
  place text, name text, op text, before jsonb, after jsonb, of_kind text, of_object text, owner text
) returns void language plpgsql volatile as $body$
declare
  one jsonb := coalesce(after, before);
  names text[];
  entry jsonb;
  of_record text;
begin
  if coalesce(pg_catalog.current_setting('guichet.migrating', true), '') = 'on' then
    return;
  end if;
  select array_agg(k order by k) into names from jsonb_object_keys(one) k
    where k <> all ('{${unrecordedColumns.join(',')}}') and before -> k is distinct from after -> k
      and (op = 'UPDATE' or one -> k <> 'null');
  if names is null and op = 'UPDATE' then
    return;
  end if;
  select string_agg(one ->> k, '/' order by place_of) into of_record
    from unnest(string_to_array(owner, ',')) with ordinality as keys (k, place_of);
  entry := jsonb_strip_nulls(jsonb_build_object('object', name, 'id', one ->> 'id',
    'action', case op when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'changed' end,
    'title', left(coalesce(one ->> 'name', one ->> 'label', one ->> 'url', one ->> 'provider'), 200)))
    || jsonb_build_object(
      'before', (select coalesce(jsonb_object_agg(k, before -> k), '{}') from unnest(names) k where before is not null
        and k !~ '${secretColumns}'),
      'after', (select coalesce(jsonb_object_agg(k, after -> k), '{}') from unnest(names) k where after is not null
        and k !~ '${secretColumns}'));
  perform shared.add_change(place, of_kind, case when of_record is null then 'configuration' else of_object end,
    coalesce(of_record, '1'), case when name = of_object then entry ->> 'action' else 'changed' end, coalesce(names, '{}'),
    jsonb_build_array(entry));
end
$body$;

-- The record of a tenant also has what operators do to the tenant, and its keys. Its schema may be gone, or on another node. The table
-- shared.node makes the node read its own copy of the reference tables.
create or replace function shared.note_act() returns trigger language plpgsql as $body$
declare
  place text := (select t.schema_name from shared.tenant t, shared.node where t.id = new.tenant_id);
  person uuid := coalesce(new.actor_id, (select u.id from shared.user_account u, shared.node where u.email = new.actor));
begin
  if place is null or to_regclass(format('%I.change', place)) is null then
    return null;
  end if;
  if person is not null and coalesce(current_setting('guichet.by', true), '') not like '%' || person || '%' then
    perform set_config('guichet.by', jsonb_build_object('kind', 'person', 'id', person)::text, true);
  end if;
  perform shared.add_change(place, 'settings', 'tenant', new.tenant_id::text, new.action,
    array(select k from jsonb_object_keys(new.details) k order by k),
    jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
        'object', 'tenant', 'action', new.action, 'title', new.slug, 'reason', new.reason))
      || jsonb_build_object(
        'before', (select coalesce(jsonb_object_agg(k, v -> 'from'), '{}') from jsonb_each(new.details) d (k, v) where v ? 'from'),
        'after', (select coalesce(jsonb_object_agg(k, case when v ? 'to' then v -> 'to' else v end), '{}')
          from jsonb_each(new.details) d (k, v)))));
  return null;
end
$body$;
drop trigger if exists tenant_change_noted on shared.tenant_change;
create constraint trigger tenant_change_noted after insert on shared.tenant_change deferrable initially deferred for each row
  execute function shared.note_act();

create or replace function shared.note_key() returns trigger language plpgsql as $body$
declare
  place text := (select t.schema_name from shared.tenant t, shared.node where t.id = coalesce(new.tenant_id, old.tenant_id));
begin
  if place is not null and to_regclass(format('%I.change', place)) is not null then
    perform shared.add_changed_row(place, 'api_key', tg_op, to_jsonb(old), to_jsonb(new), 'settings', 'api_key', 'id');
  end if;
  return null;
end
$body$;
drop trigger if exists api_key_noted on shared.api_key;
create constraint trigger api_key_noted after insert or delete on shared.api_key deferrable initially deferred for each row
  execute function shared.note_key();
drop trigger if exists api_key_changed on shared.api_key;
create constraint trigger api_key_changed after update on shared.api_key deferrable initially deferred for each row
  when (old.last_used_at is not distinct from new.last_used_at) execute function shared.note_key();
`,
};
