import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Migrator, tenantMigrations, type TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { tenantShape } from '../support/transfer.js';

let test: TestApp;
let fresh: TenantIdentity;

/** Raise it only for what must be found in a large table, or for what decides a race. */
const mostRelations = 273;

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

/** What the step `fewer indexes` replaces in tables of the first steps. */
const formerIndexes = `
    create index reservation_network_idx on reservation (network) where network is not null;
    create index reservation_network_site_idx on reservation (network_site) where network_site is not null;
    create index ended_hold_network_idx on ended_hold (event_id, network);
    create index ended_hold_network_site_idx on ended_hold (event_id, network_site) where network_site is not null;
    create index waiting_entry_next_idx on waiting_entry (event_id, confirmed_at, id) where status = 'waiting';
    create index idempotent_request_begun_at_idx on idempotent_request (begun_at);
    alter table quarantine_line drop constraint quarantine_line_pkey, add constraint quarantine_line_pkey primary key (id),
      add constraint quarantine_line_device_id_line_hash_key unique (device_id, line_hash);
    ${['quarantine_line', 'scan_line', 'webhook_attempt']
      .map((table) => `alter table ${table} alter column id drop default, alter column id add generated always as identity;`)
      .join('\n    ')}`;

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
    create index scan_line_device_id_sequence_idx on scan_line (device_id, sequence);
    create index membership_price_id_idx on membership (price_id);
    create index ended_hold_reservation_id_idx on ended_hold (reservation_id);
    create index webhook_attempt_delivery_id_idx on webhook_attempt (delivery_id);
    create unique index mail_mailing_idx on mail (mailing_id, follower_id);
    alter table webhook_delivery add constraint webhook_delivery_endpoint_id_event_id_key unique (endpoint_id, event_id);
    alter table scanning_device add constraint scanning_device_pairing_token_hash_key unique (pairing_token_hash);
    alter table gate_rule add constraint gate_rule_gate_id_product_id_key unique (gate_id, product_id);
    alter table gate_rule add constraint gate_rule_gate_id_price_id_key unique (gate_id, price_id);
    ${formerIndexes}
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
  expect(toast).toEqual(expect.arrayContaining(['event', 'mail']));
  expect(toast.filter((table) => ['gate', 'reservation', 'ticket'].includes(table))).toEqual([]);
});

it('gives a tenant of the version before the keys and indexes of a new one, and ids that go on', async () => {
  const old = await test.newTenant();
  const version = tenantMigrations.findIndex(({ name }) => name === 'fewer indexes');
  await test.database.query(`
    begin; set local search_path to "${old.schemaName}";
    drop index reservation_held_by_idx, ended_hold_held_by_idx;
    ${formerIndexes}
    insert into quarantine_line (device_id, line, line_hash)
      select '${old.id}', 'line ' || n, sha256(n::text::bytea) from generate_series(1, 2) n;
    commit;
    update shared.tenant set schema_version = ${version} where id = '${old.id}'`);
  expect(await tenantShape(test, old.id)).not.toEqual(await tenantShape(test, fresh.id));
  expect(await test.app.get(Migrator).run()).toMatchObject({ tenants: 1, behind: [] });
  expect(await tenantShape(test, old.id)).toEqual(await tenantShape(test, fresh.id));
  await test.database.query(`insert into "${old.schemaName}".quarantine_line (device_id, line, line_hash)
    select '${old.id}', 'line ' || n, sha256(n::text::bytea) from generate_series(1, 3) n on conflict (device_id, line_hash) do nothing`);
  expect(await test.database.query(`select line, id > 1e15 as clock from "${old.schemaName}".quarantine_line order by id`)).toEqual([
    { line: 'line 1', clock: false },
    { line: 'line 2', clock: false },
    { line: 'line 3', clock: true },
  ]);
});

it('makes a tenant of few relations', async () => {
  const tables = await test.database.query<{ table: string; indexes: string[]; toast: number; sequences: number }>(
    `select c.relname::text as "table", array(select indexrelid::regclass::text from pg_index where indrelid = c.oid order by 1) as indexes,
       case when c.reltoastrelid = 0 then 0 else 2 end as toast,
       (select count(*)::int from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S' where d.refobjid = c.oid) as sequences
     from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r'`,
    [`"${fresh.schemaName}"`],
  );
  const relationsOf = ({ indexes, toast, sequences }: (typeof tables)[number]): number => 1 + indexes.length + toast + sequences;
  const total = tables.reduce((sum, table) => sum + relationsOf(table), 0);
  const [counted] = await test.database.query<{ own: number }>(
    'select count(*)::int as own from pg_class where relnamespace = $1::regnamespace',
    [`"${fresh.schemaName}"`],
  );
  expect(total).toBe(counted!.own + tables.reduce((sum, { toast }) => sum + toast, 0));
  const largest = tables.toSorted((one, other) => relationsOf(other) - relationsOf(one)).slice(0, 15);
  // What a tenant costs grows with the number: creation, migration, memory of each connection. See "Relations" in docs/operations.md.
  expect(total <= mostRelations ? [] : [`${total} relations`, ...largest]).toEqual([]);
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
    create temporary table booked (like reservation including defaults including storage including generated) on commit drop;
    create temporary table entry (like ticket including defaults including storage including generated) on commit drop;
    create temporary table member (like membership including defaults including storage including generated) on commit drop;
    create temporary table cancelled (like event_cancellation including defaults including storage) on commit drop;
    create temporary table attempt (like webhook_attempt including storage) on commit drop;
    create temporary table given (like ticket_transfer including defaults including storage) on commit drop;
    insert into postal_address (name, street_address, address_locality, address_region, postal_code, address_country)
      select repeat('🎟', 200), repeat('🎟', 300), repeat('🎟', 200), repeat('🎟', 200), repeat('🎟', 20), 'FR';
    insert into given (ticket_id, from_email, to_email, to_key, from_name, to_name, first_name, last_name, message, state)
      select gen_random_uuid(), address, address, address, repeat('🎟', 201), repeat('🎟', 201), repeat('🎟', 100), repeat('🎟', 100),
        repeat('🎟', 200), 'accepted'
      from repeat('🎟', 254) address;
    -- An address has at most 254 bytes in ASCII, and four times as many in the letters of its domain. For searches, ㈱ is three letters.
    insert into booked (event_id, email, email_key, first_name, last_name, network, network_site, by_key_id, cancel_reason)
      select gen_random_uuid(), repeat('a', 254), repeat('🎟', 254), repeat('㈱', 100), repeat('㈱', 100), hash, hash, hash, 'payment_failed'
      from repeat('h', 64) hash;
    insert into entry (id, reservation_id, event_id, price_id, first_name, last_name, signing_key_id, holder_email, holder_key,
        fulfilled_by_name)
      select id, id, id, id, repeat('㈱', 100), repeat('㈱', 100), 1, repeat('a', 254), repeat('🎟', 254), repeat('🎟', 200)
      from gen_random_uuid() id;
    insert into member (product_id, price_id, email, email_key, first_name, last_name, signing_key_id, network, by_key_id)
      select id, id, repeat('a', 254), repeat('🎟', 254), repeat('㈱', 100), repeat('㈱', 100), 1, hash, hash
      from gen_random_uuid() id, repeat('h', 64) hash;
    insert into cancelled (event_id, note) select gen_random_uuid(), repeat('🎟', 2000);
    insert into mail_text (kind, language, part, text) values ('membership-ending', 'fr', 'signature', repeat('🎟', 2000));
    insert into webhook_endpoint (url, description, types, sealed_secret, sealed_previous_secret, previous_secret_expires_at)
      select repeat('x', 2000), repeat('🎟', 500), array_fill('membership.cancelled'::text, array[40]), secret, secret, now()
      from decode(repeat('00', 200), 'hex') secret;
    -- Bytes that are no UTF-8 become three.
    insert into attempt (id, delivery_id, attempted_at, milliseconds, answer) select 1, gen_random_uuid(), now(), 1, repeat('�', 2048);
    insert into payment_account (provider, label, sealed_fields, sealed_secret_key, sealed_webhook_secret)
      select 'stripe', repeat('🎟', 60), decode(repeat('00', 4000), 'hex'), key, key from decode(repeat('00', 400), 'hex') key;
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
