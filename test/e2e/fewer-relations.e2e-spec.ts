import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Migrator, tenantMigrations, type TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { tenantShape } from '../support/transfer.js';

let test: TestApp;
let fresh: TenantIdentity;

const step = tenantMigrations.findIndex(({ name }) => name === 'fewer relations');

beforeAll(async () => {
  test = await startTestApp();
  fresh = await test.newTenant();
});
afterAll(() => test.close());

/** Tables with a TOAST table, and how their columns are stored. */
async function storageOf({ schemaName }: TenantIdentity): Promise<{ toast: string[]; columns: string[] }> {
  const [row] = await test.database.query<{ toast: string[]; columns: string[] }>(
    `select
       array(select c.relname::text from pg_class c where c.relnamespace = $1::regnamespace and c.reltoastrelid <> 0 order by 1) as toast,
       array(select c.relname || '.' || a.attname || ' ' || a.attstorage::text from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by 1) as columns`,
    [`"${schemaName}"`],
  );
  return row!;
}

/** A tenant whose tables the program before the step made, with these rows. */
async function formerTenant(rows: string): Promise<TenantIdentity> {
  const tenant = await test.newTenant();
  const steps = tenantMigrations.slice(0, step).map(({ sql }) => sql.replaceAll(' storage plain', ''));
  await test.database.query(`
    drop schema "${tenant.schemaName}" cascade; create schema "${tenant.schemaName}";
    begin; set local search_path to "${tenant.schemaName}"; ${steps.join('\n')}
    create index gate_event_id_idx on gate (event_id);
    create index reservation_event_id_idx on reservation (event_id);
    create index team_code_selector_idx on team_code (selector);
    ${rows}
    commit;
    update shared.tenant set schema_version = ${step} where id = '${tenant.id}'`);
  return tenant;
}

it('leaves small tables of short texts without TOAST tables, in old tenants as in new ones', async () => {
  const old = await formerTenant(`
    insert into tag (name, key) values ('Jazz', 'jazz');
    insert into gate (name) values ('Main door');
    insert into postal_address (street_address, address_locality, postal_code, address_country) values ('1 rue', 'Lyon', '69001', 'FR');`);
  expect((await storageOf(old)).toast).toEqual(expect.arrayContaining(['gate', 'tag', 'ticket', 'postal_address']));
  expect(await test.app.get(Migrator).run()).toMatchObject({ tenants: 1, behind: [] });
  expect(await storageOf(old)).toEqual(await storageOf(fresh));
  expect(await tenantShape(test, old.id)).toEqual(await tenantShape(test, fresh.id));
  expect(
    await test.database.query(`select tag.name as tag, gate.name as gate, street_address as street
      from "${old.schemaName}".tag, "${old.schemaName}".gate, "${old.schemaName}".postal_address`),
  ).toEqual([{ tag: 'Jazz', gate: 'Main door', street: '1 rue' }]);
  const { toast } = await storageOf(fresh);
  expect(toast).toEqual(expect.arrayContaining(['event', 'ticket']));
  expect(toast).not.toEqual(expect.arrayContaining(['gate']));
});

it('keeps what a table of a former version has beyond its limits, and does not write large tables again', async () => {
  const old = await formerTenant(`
    insert into tag (name, key) select string_agg(md5(n::text), ''), 'long' from generate_series(1, 600) n;
    insert into scanning_device (id, name) values ('00000000-0000-4000-8000-000000000001', 'Door');
    insert into quarantine_line (device_id, line, line_hash)
      select '00000000-0000-4000-8000-000000000001', repeat(md5(n::text), 30), sha256(n::text::bytea) from generate_series(1, 2000) n;`);
  const file = async (): Promise<unknown> =>
    test.database.query(`select pg_relation_filenode('"${old.schemaName}".quarantine_line') as file`);
  const before = await file();
  expect(await test.app.get(Migrator).run()).toMatchObject({ tenants: 1, behind: [] });
  expect(await file()).toEqual(before);
  const [now, wanted] = [await storageOf(old), await storageOf(fresh)];
  expect(now.toast.filter((table) => !wanted.toast.includes(table))).toEqual(['quarantine_line', 'tag']);
  expect(now.columns.filter((column) => !wanted.columns.includes(column))).toEqual(['tag.key x', 'tag.name x']);
  const [row] = await test.database.query<{ length: number }>(`select length(name) as length from "${old.schemaName}".tag`);
  expect(row?.length).toBe(19_200);
});

it('stores the longest texts of every language in tables without TOAST', async () => {
  await test.database.query(`
    begin; set local search_path to "${fresh.schemaName}";
    -- Without foreign keys.
    create temporary table given (like ticket_transfer including defaults including storage) on commit drop;
    insert into postal_address (name, street_address, address_locality, address_region, postal_code, address_country)
      select repeat('🎟', 200), repeat('🎟', 300), repeat('🎟', 200), repeat('🎟', 200), repeat('🎟', 20), 'FR';
    insert into given (ticket_id, from_email, to_email, to_key, from_name, to_name, first_name, last_name, message, state)
      select gen_random_uuid(), address, address, address, repeat('🎟', 201), repeat('🎟', 201), repeat('🎟', 100), repeat('🎟', 100),
        repeat('🎟', 200), 'accepted'
      from repeat('🎟', 254) address;
    rollback`);
});

it('needs the same storage for columns that are added to such a table', async () => {
  const { toast } = await storageOf(fresh);
  const plain = await test.database.query<{ table: string }>(
    `select distinct c.relname::text as "table" from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attlen = -1 and a.attstorage = 'p' and not a.attisdropped`,
    [`"${fresh.schemaName}"`],
  );
  expect(plain.length).toBeGreaterThan(20);
  expect(plain.map(({ table }) => table).filter((table) => toast.includes(table))).toEqual([]);
});
