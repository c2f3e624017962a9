import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { latestTenant, LeftoversService, Migrator, SpareSchemasService, type NewTenant, type TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let test: TestApp;
let spares: SpareSchemasService;

beforeAll(async () => {
  // Its own installation: the template of other tests has spare schemas.
  database = await createTestDatabase();
  test = await startTestApp({ database });
  spares = test.app.get(SpareSchemasService);
});
afterEach(async () => {
  expect(await test.app.get(LeftoversService).find()).toEqual([]);
});
afterAll(async () => {
  await test.close();
  await database.drop();
});

/** On the database server of which the spare schemas are made. */
const newTenant = (input: Partial<NewTenant> = {}): Promise<TenantIdentity> => test.newTenant({ node: 0, ...input });

/** The existing spare schemas of a version. */
const kept = async (version = latestTenant): Promise<string[]> =>
  (
    await test.database.query<{ name: string }>(
      `select schema_name as name from shared.spare_schema s join pg_namespace n on n.nspname = s.schema_name
       where schema_version = $1 order by created_at`,
      [version],
    )
  ).map(({ name }) => name);

const tablesIn = async (schema: string): Promise<number> =>
  (await test.database.query('select from information_schema.tables where table_schema = $1', [schema])).length;

it('spare schemas become the tables of new tenants, each of one tenant', async () => {
  await spares.fill(3);
  const before = await kept();
  expect(before).toHaveLength(3);
  const tenants = await Promise.all(Array.from({ length: before.length + 2 }, () => newTenant({ language: 'fr' })));
  expect(await kept()).toEqual([]);
  for (const { schemaName } of tenants) {
    expect(await tablesIn(schemaName)).toBe(await tablesIn(tenants[0]!.schemaName));
    // The initial rows of a tenant exist, in the tenant's language.
    expect(
      await test.database.query(
        `select p.name, r.name as price from "${schemaName}".product p join "${schemaName}".price r on r.product_id = p.id`,
      ),
    ).toEqual([{ name: 'Bénévolat', price: 'Bénévole' }]);
  }
  expect(await test.database.query("select from pg_namespace where nspname like 'spare%'")).toEqual([]);
});

it('spare schemas are created up to the configured number, also by several processes', async () => {
  await Promise.all(Array.from({ length: 6 }, () => spares.fill(2)));
  expect(await kept()).toHaveLength(2);
  await spares.fill(2);
  expect(await kept()).toHaveLength(2);
});

it('spare schemas stay when a creation fails', async () => {
  const before = await kept();
  const { host } = await newTenant();
  await spares.fill(before.length);
  const now = await kept();
  await expect(newTenant({ host })).rejects.toThrow();
  expect(await kept()).toEqual(now);
});

it('spare schemas of another version are not used, and are dropped', async () => {
  await spares.fill(2);
  await test.database.query('update shared.spare_schema set schema_version = schema_version - 1');
  const old = await kept(latestTenant - 1);
  expect(old).toHaveLength(2);
  await newTenant();
  expect(await kept(latestTenant - 1)).toEqual(old);
  await spares.fill(1);
  expect([await kept(latestTenant - 1), await kept()]).toEqual([[], [expect.stringMatching(/^spare_[0-9a-f]{32}$/)]]);
  expect(await test.database.query('select from pg_namespace where nspname = any($1)', [old])).toEqual([]);
});

it('spare schemas that were dropped by hand are skipped', async () => {
  await spares.fill(1);
  const [name] = await kept();
  await test.database.query(`drop schema "${name}" cascade`);
  const { schemaName } = await newTenant();
  expect(await tablesIn(schemaName)).toBeGreaterThan(30);
  await test.database.query('delete from shared.spare_schema where schema_name = $1', [name]);
  expect((await test.app.get(Migrator).status()).tenants.behind).toBe(0);
});
