/** Larger tables keep their TOAST table, because writing them again locks them for too long. `VACUUM FULL` removes it. */
const mostBytes = 1_048_576;

/**
 * SQL of a migration step: removes the TOAST tables of tables whose rows fit into a page (8 kB) with the longest texts that the program
 * accepts, four bytes a character. New tenants get these tables with `storage plain`, so that they never have one.
 * @param tables names, in the schema of the tenant
 * @param large what becomes of the columns of larger tables. `plain`: `VACUUM FULL` removes the TOAST table later. `kept`: a row that an
 *   older program wrote beyond the limits can be changed as before
 */
export const withoutToast = (tables: readonly string[], large: 'kept' | 'plain'): string => `
-- PostgreSQL creates a TOAST table with an index for columns that may be stored outside of the row. New tables have none; a table that has
-- one loses it when all rows are written again. A table that has a row of over 8 kB stays as it is.
do $do$
declare
  short record;
begin
  for short in
    select c.oid::regclass as name, c.reltoastrelid <> 0 and pg_relation_size(c.oid) <= ${mostBytes} as rewritten,
      (select k.conname from pg_constraint k where k.conrelid = c.oid and k.contype = 'p') as key,
      (select string_agg(format('alter column %I set storage plain', a.attname), ', ') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attstorage <> 'p') as changes
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname = any ('{${tables.join(',')}}')
    order by c.relname
  loop
    begin
      if short.changes is not null${large === 'kept' ? ' and short.rewritten' : ''} then
        execute format('alter table %s %s', short.name, short.changes);
      end if;
      if short.rewritten then
        execute format('cluster %s using %I', short.name, short.key);
        execute format('alter table %s set without cluster', short.name);
      end if;
    exception when program_limit_exceeded then
      null;
    end;
  end loop;
end
$do$;
`;
