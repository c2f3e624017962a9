import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  latestShared,
  latestTenant,
  Migrator,
  NewerSchemaError,
  nodeTables,
  referenceTables,
  SealedColumnsService,
  sharedMigrations,
  sharedStreams,
  sharedTablesThatStay,
  tablesThatStay,
  tenantMigrations,
  type TenantIdentity,
} from '#tenancy';
import { DataSource, type EntityMetadata } from 'typeorm';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterAll(() => test.close());

/** The structure of a schema according to PostgreSQL's catalogue, as a comparable list. */
async function shapeOf(schema: string): Promise<string[]> {
  const rows = await test.database.query<{ line: string }>(
    `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' ||
       coalesce(column_default, '') || coalesce(numeric_precision::text, '') as line
       from information_schema.columns where table_schema = $1
     union all select 'index ' || indexdef from pg_indexes where schemaname = $1
     union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
     where connamespace = $1::regnamespace
     union all select 'trigger ' || tgname from pg_trigger
     where tgrelid in (select oid from pg_class where relnamespace = $1::regnamespace) and not tgisinternal`,
    [schema],
  );
  return rows.map(({ line }) => line.replaceAll(schema, 'SCHEMA')).toSorted();
}

/**
 * TypeORM compares the expressions of generated columns with its own metadata table. This fills the table with the entities' expressions
 * that PostgreSQL normalises to the same text as those of the migrations.
 */
async function noteExpressions(schema: string, entities: readonly EntityMetadata[]): Promise<void> {
  await test.database.query(
    `create table "${schema}".typeorm_metadata (type text, database text, schema text, "table" text, name text, value text)`,
  );
  for (const { tableName, columns } of entities) {
    for (const { databaseName: name, asExpression } of columns) {
      if (!asExpression) continue;
      const table = `"${schema}"."${tableName}"`;
      await test.database.query(`alter table ${table} add column probe text generated always as (${asExpression}) stored`);
      const [read] = await test.database.query<{ same: boolean }>(
        `select count(distinct pg_get_expr(adbin, adrelid)) = 1 as same from pg_attrdef d
           join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = $1::regclass
           and a.attname in ($2, 'probe')`,
        [table, name],
      );
      await test.database.query(`alter table ${table} drop column probe`);
      await test.database.query(
        `insert into "${schema}".typeorm_metadata values ('GENERATED_COLUMN', current_database(), $1, $2, $3, $4)`,
        [schema, tableName, name, read?.same ? asExpression : 'another one'],
      );
    }
  }
}

describe('migrations', () => {
  it('are numbered without gaps', () => {
    for (const steps of [sharedMigrations, tenantMigrations]) {
      expect(steps.map(({ version }) => version)).toEqual(steps.map((_, index) => index + 1));
    }
  });

  it('can be applied twice: repeated steps change nothing', async () => {
    const before = [await shapeOf('shared'), await shapeOf(tenant.schemaName)];
    for (const { sql } of sharedMigrations) await test.database.query(sql);
    for (const { sql } of tenantMigrations)
      await test.database.query(`begin; set local search_path to "${tenant.schemaName}"; ${sql}; commit`);
    expect([await shapeOf('shared'), await shapeOf(tenant.schemaName)]).toEqual(before);
    expect(before[1]!.length).toBeGreaterThan(80);
  });

  it('bring an old tenant to the same schema as a new one, step by step', async () => {
    const late = await test.newTenant();
    await test.database.query(
      `drop schema "${late.schemaName}" cascade; create schema "${late.schemaName}"; update shared.tenant set schema_version = 0
       where slug = '${late.slug}'`,
    );
    const migrator = test.app.get(Migrator);
    expect((await migrator.status()).tenants).toMatchObject({ behind: 1, latest: latestTenant });
    const said: string[] = [];
    expect(await migrator.run((line) => said.push(line))).toEqual({ shared: 0, tenants: 1, behind: [], newer: [] });
    expect(said).toEqual([`tenant ${late.slug}: version 0 → ${latestTenant} (1 of 1)`]);
    expect(await shapeOf(late.schemaName)).toEqual(await shapeOf(tenant.schemaName));
    expect(await migrator.run()).toEqual({ shared: 0, tenants: 0, behind: [], newer: [] });
  });

  it('run once per tenant with ten simultaneous migrators', async () => {
    const behind = await Promise.all(Array.from({ length: 8 }, () => test.newTenant()));
    for (const { schemaName, slug } of behind) {
      await test.database.query(
        `drop schema "${schemaName}" cascade; create schema "${schemaName}"; update shared.tenant set schema_version = 0
         where slug = '${slug}'`,
      );
    }
    const results = await Promise.all(Array.from({ length: 10 }, () => test.app.get(Migrator).run()));
    expect(results.reduce((sum, { tenants }) => sum + tenants, 0)).toBe(8);
  });

  it('leave a tenant unchanged when a step fails, and continue with it in the next run', async () => {
    const broken = await test.newTenant();
    const { schemaName, slug } = broken;
    await test.database.query(
      `drop schema "${schemaName}" cascade; create schema "${schemaName}"; create view "${schemaName}".ticket as select 1 as one;
       update shared.tenant set schema_version = 0 where slug = '${slug}'`,
    );
    const { behind } = await test.app.get(Migrator).run();
    expect(behind).toEqual([{ slug, version: 0, reason: expect.stringContaining('"ticket"') }]);
    expect(await test.database.query('select 1 from information_schema.tables where table_schema = $1', [schemaName])).toHaveLength(1);
    await test.database.query(`drop view "${schemaName}".ticket`);
    expect((await test.app.get(Migrator).run()).tenants).toBe(1);
  });

  it('refuse a database of a newer program', async () => {
    await test.database.query('update shared.installation set schema_version = schema_version + 1');
    await expect(test.app.get(Migrator).run()).rejects.toThrow(NewerSchemaError);
    await test.database.query('update shared.installation set schema_version = $1', [latestShared]);
  });
});

describe('entities', () => {
  it('match the migrated schemas', async () => {
    // Verified to fail when a column of an entity becomes nullable, is renamed, or loses its index.
    const { options } = test.app.get(DataSource);
    const drifted: string[] = [];
    for (const [schema, belongs] of [
      ['shared', (name: string | undefined) => name === 'shared'],
      [tenant.schemaName, (name: string | undefined) => name === undefined],
    ] as const) {
      const metadatas = test.app.get(DataSource).entityMetadatas.filter((metadata) => belongs(metadata.schema));
      const entities = metadatas.map(({ target }) => target as never);
      await noteExpressions(schema, metadatas);
      expect(entities.length).toBeGreaterThan(4);
      const source = await new DataSource({
        ...options,
        schema,
        entities,
        applicationName: 'drift',
        extra: {},
      } as never).initialize();
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      // Check constraints exist in migrations only; everything else is also declared in entities and compared here.
      drifted.push(...upQueries.map(({ query }) => query).filter((query) => !/ DROP CONSTRAINT "\w+_check"$/.test(query)));
      await source.destroy();
    }
    expect(drifted).toEqual([]);
  });
});

describe('distribution over several machines', () => {
  it('needs no foreign key between schemas', async () => {
    const crossing = await test.database.query(
      `select conname from pg_constraint c join pg_class r on r.oid = c.confrelid where c.contype = 'f'
       and c.connamespace = $1::regnamespace and r.relnamespace <> c.connamespace`,
      [tenant.schemaName],
    );
    expect(crossing).toEqual([]);
  });

  it('knows of every shared table whether each node has all its rows or its own', async () => {
    const tables = await test.database.query<{ name: string; isOfTenant: boolean }>(
      `select c.relname::text as name, exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
         as "isOfTenant" from pg_class c where c.relnamespace = 'shared'::regnamespace and c.relkind = 'r'
       and c.relname <> 'typeorm_metadata' order by c.relname collate "C"`,
    );
    expect(tables.map(({ name }) => name)).toEqual([...Object.keys(referenceTables), ...Object.keys(nodeTables)].toSorted());
    // The rows of the others are deleted by foreign keys, or kept as a record.
    const deleted = tables.filter(({ name, isOfTenant }) => isOfTenant && !referenceTables[name] && name !== 'tenant_change');
    expect(deleted.map(({ name }) => name)).toEqual(
      Object.keys(nodeTables)
        .filter((name) => nodeTables[name]?.ofTenant)
        .toSorted(),
    );
  });

  it('has foreign keys of shared tables only to tables of which the same node has the rows, in the order of the list', async () => {
    const keys = await test.database.query<{ from: string; to: string }>(
      `select r.relname::text as "from", f.relname::text as "to" from pg_constraint c join pg_class r on r.oid = c.conrelid
         join pg_class f on f.oid = c.confrelid where c.contype = 'f' and c.connamespace = 'shared'::regnamespace`,
    );
    const order = Object.keys(referenceTables);
    const unfit = keys.filter(({ from, to }) => (nodeTables[from] ? !nodeTables[to] : order.indexOf(from) <= order.indexOf(to)));
    expect(unfit).toEqual([]);
    expect(keys.length).toBeGreaterThan(10);
  });
});

describe('the export of a tenant', () => {
  const columnsOf = async (schema: string): Promise<Map<string, string[]>> => {
    const rows = await test.database.query<{ table: string; columns: string[] }>(
      `select c.table_name::text as "table", array_agg(c.column_name::text order by c.column_name) as columns
       from information_schema.columns c
       where c.table_schema = $1 and c.table_name <> 'typeorm_metadata' group by 1 order by 1`,
      [schema],
    );
    return new Map(rows.map(({ table, columns }) => [table, columns]));
  };

  it('includes every sealed column, because other servers cannot decrypt a missing one', async () => {
    const found = [...(await columnsOf(tenant.schemaName))].flatMap(([table, columns]) =>
      columns.filter((name) => name.startsWith('sealed_')).map((name) => `${table}.${name}`),
    );
    const known = test.app
      .get(SealedColumnsService)
      .all()
      .map(({ table, column }) => `${table}.${column}`);
    expect(known.toSorted()).toEqual(found.filter((name) => !tablesThatStay[name.split('.')[0] as string]).toSorted());
    for (const { purpose } of test.app.get(SealedColumnsService).all()) expect(purpose(tenant.id)).toContain(tenant.id);
  });

  it('knows for every shared table whether its rows are exported, and which columns are not', async () => {
    const shared = await columnsOf('shared');
    const travelling = sharedStreams.map(({ name }) => name.replace('shared.', ''));
    expect([...shared.keys()]).toEqual([...travelling, ...Object.keys(sharedTablesThatStay)].toSorted());
    const left = sharedStreams.map(({ name, columns }) => [name, shared.get(name.slice(7))?.filter((column) => !columns.includes(column))]);
    expect(Object.fromEntries(left)).toEqual({
      'shared.domain': ['tenant_id'],
      'shared.user_account': ['created_at', 'is_super_user', 'last_sign_in_at', 'may_create_tenants', 'password_hash', 'session_version'],
      'shared.api_key': ['tenant_id'],
      'shared.outbox': ['tenant_id'],
      'shared.webhook_queue': ['leased_by', 'leased_until', 'served_at', 'tenant_id'],
      'shared.job': ['id', 'lease_owner', 'leased_until', 'tenant_id'],
    });
    // These columns are in the header of the export, or the import sets them.
    expect(shared.get('tenant')).toEqual([
      'category',
      'created_at',
      'delete_after',
      'id',
      'language',
      'moving_since',
      'moving_to',
      'name',
      'node',
      'required_version',
      'schema_name',
      'schema_version',
      'slug',
      'state',
      'state_reason',
      'state_since',
      'time_zone',
    ]);
  });

  it('can sort the rows of every table, and no table changes inserted rows', async () => {
    const tables = await columnsOf(tenant.schemaName);
    expect(Object.keys(tablesThatStay).filter((table) => !tables.has(table))).toEqual([]);
    const unfit = await test.database.query(
      `select c.relname from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname <> 'typeorm_metadata'
       and (
         not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)
         or exists (select 1 from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 6 = 6))`,
      [tenant.schemaName],
    );
    expect(unfit).toEqual([]);
  });
});
