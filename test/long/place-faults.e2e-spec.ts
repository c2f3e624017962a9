import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlaceRecordsService } from '#places';
import { LeftoversService, runInTenant, TenantDb, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import supertest from 'supertest';
import { openLossyDatabase, type LossyDatabase } from '../support/lossy-database.js';
import { metaOf, newCreator, placeBody, startPictureServer, type Creator, type PictureServer } from '../support/places.js';
import { startServers } from '../support/servers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let lossy: LossyDatabase;
let test: TestApp;
let meta: TenantIdentity;
let creator: Creator;
let pictures: PictureServer;

beforeAll(async () => {
  database = await createTestDatabase();
  lossy = await openLossyDatabase(database.url);
  const environment = { DATABASE_WAIT_MS: '2000', DATABASE_TIMEOUT_MS: '8000', OUTBOUND_ALLOW: '127.0.0.1' };
  test = await startTestApp({ database: { ...database, url: lossy.url }, environment });
  meta = await metaOf(test);
  creator = await newCreator(test);
  pictures = await startPictureServer();
});
afterAll(async () => {
  await pictures.close();
  await test.close();
  await lossy.close();
  await database.drop();
});

const post = (body: object, key: string): supertest.Test =>
  test.on(meta).post('/api/place/').set('Authorization', creator.authorization).set('Idempotency-Key', key).send(body);

/** All rows of tenants in shared tables, and all tenant schemas. */
const holdings = async (): Promise<object> =>
  (
    await database.query(`select (select count(*)::int from shared.tenant) as tenants, (select count(*)::int from shared.domain) as domains,
      (select count(*)::int from shared.place) as places, (select count(*)::int from shared.tenant_administrator) as administrators,
      (select count(*)::int from pg_namespace where nspname like 't\\_%') as schemas, (select count(*)::int from pg_roles) as roles`)
  )[0] as object;

/** Repeats a request like a client that respects `Retry-After`. */
async function repeated(body: object, key: string): Promise<supertest.Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(body, key);
    if ((answer.status !== 503 && answer.body.code !== 'idempotency.in_progress') || attempt === 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Statements that only the transaction of a creation sends, in order. */
const points: [name: string, statement: RegExp][] = [
  ['the name is locked', /pg_advisory_xact_lock\(\$1, hashtext/],
  ['the tenant is written', /insert into "shared"\."tenant"/i],
  ['the domain is written', /insert into shared\.domain/],
  ['the first administrator is written', /insert into shared\.tenant_administrator/],
  ['the schema is created', /create schema "t_/],
  ['the tables are created', /create table if not exists signing_key/],
  ['the configuration is written', /insert into configuration \(/],
  ['a picture is written', /insert into "image_variant"/i],
  ['the public record is written', /insert into shared\.place \(tenant_id/],
  ['the outcome is written', /update idempotent_request set outcome/],
];

describe('a creation whose connection fails', () => {
  it.each(points)('leaves nothing when %s, and its repeat creates the place', async (_name, statement) => {
    const [body, key, before, faults] = [placeBody(pictures.url), randomUUID(), await holdings(), lossy.faults];
    lossy.fail('lose answer', statement);
    const failed = await post(body, key);
    expect([lossy.faults - faults, failed.status, failed.body.code]).toEqual([1, 503, 'server.unavailable']);
    // PostgreSQL notices a disconnected client at the latest when it responds.
    for (let attempt = 0; attempt < 50 && JSON.stringify(await holdings()) !== JSON.stringify(before); attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await holdings()).toEqual(before);
    const again = await repeated(body, key);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(await test.app.get(LeftoversService).find()).toEqual([]);
  });

  it('leaves nothing when the database ends its backend, and its repeat creates the place', async () => {
    const [body, key, before] = [placeBody(pictures.url), randomUUID(), await holdings()];
    // The last step waits for this lock, when schema, tables and pictures are written but not committed.
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table shared.place in exclusive mode');
    const sent = post(body, key).then((got) => got);
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into shared.place%'`;
    while ((await database.query(end)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await holder.end();
    const answer = await sent;
    expect(answer.status).toBe(503);
    expect(await holdings()).toEqual(before);
    expect((await repeated(body, key)).status).toBe(201);
  });

  it('leaves nothing when its server is killed, and another server creates the place', async () => {
    const [server] = await startServers({ ...test, database }, 1, { OUTBOUND_ALLOW: '127.0.0.1' });
    const [body, key, before] = [placeBody(pictures.url), randomUUID(), await holdings()];
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table shared.place in exclusive mode');
    const sent = supertest(`http://127.0.0.1:${server!.port}`)
      .post('/api/place/')
      .set({ Host: meta.host, Authorization: creator.authorization, 'Idempotency-Key': key })
      .send(body)
      .then(
        () => 'answered',
        () => 'cut off',
      );
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into shared.place%'`;
    while ((await database.query(waiting)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(server!.pid, 'SIGKILL');
    expect(await sent).toBe('cut off');
    await holder.end();
    for (let attempt = 0; attempt < 100 && JSON.stringify(await holdings()) !== JSON.stringify(before); attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await holdings()).toEqual(before);
    expect(await test.app.get(LeftoversService).find()).toEqual([]);
    // The killed server's idempotency key stays locked for some time; a request with another key does not wait for it.
    expect((await post(body, randomUUID())).status).toBe(201);
  });

  it('is found by its repeat when its COMMIT succeeded without an answer: one place, the same answer', async () => {
    const [body, key, before] = [placeBody(pictures.url), randomUUID(), await holdings()];
    lossy.fail('lose commit', /insert into shared\.place \(tenant_id/);
    await post(body, key).expect(503);
    const again = await repeated(body, key);
    expect([again.status, again.headers['idempotency-replayed'], again.body.organisation]).toEqual([201, 'true', body['organisation']]);
    expect((await post(body, key)).text).toBe(again.text);
    expect(await holdings()).toMatchObject({ tenants: (before as { tenants: number }).tenants + 1 });
    expect((await post(placeBody(pictures.url), key).expect(422)).body.code).toBe('idempotency.key_reused');
    // A repetition without the key is refused as the same organisation.
    const known = await post(body, randomUUID()).expect(409);
    expect(known.body).toMatchObject({ code: 'place.exists', uuid: again.body.uuid });
  });
});

describe('leftovers of a failed restore', () => {
  it('are found and repaired, and no tenant is changed', async () => {
    const [leftovers, records] = [test.app.get(LeftoversService), test.app.get(PlaceRecordsService)];
    expect([await leftovers.find(), await records.drifts()]).toEqual([[], []]);
    const [hostless, several, lost, unlisted, changed] = await Promise.all(Array.from({ length: 5 }, () => test.newTenant()));
    const schema = `t_${randomUUID().replaceAll('-', '')}`;
    await database.query(`
      create schema ${schema}; create table ${schema}.ticket (id int);
      delete from shared.domain where tenant_id = '${hostless!.id}';
      update shared.domain set is_primary = false where tenant_id = '${several!.id}';
      drop schema "${lost!.schemaName}" cascade;
      delete from shared.place where tenant_id = '${unlisted!.id}';
      update "${changed!.schemaName}".configuration set city = 'Nantes'`);
    const without = (kind: string, ...names: string[]) => names.toSorted().map((name) => ({ kind, name }));
    expect(await leftovers.find()).toEqual([
      ...without('schema without tenant', schema),
      ...without('tenant without primary domain', hostless!.slug, several!.slug),
      ...without('tenant without tables', lost!.slug),
    ]);
    expect((await records.drifts()).toSorted((a, b) => (a.state < b.state ? -1 : 1))).toEqual([
      { slug: unlisted!.slug, state: 'missing' },
      { slug: changed!.slug, state: 'outdated' },
    ]);
    const schemas = 'select nspname from pg_namespace order by 1';
    const before = await database.query(schemas);
    expect((await leftovers.repair()).toSorted()).toEqual(
      [`dropped schema ${schema}`, ...[hostless!, several!].map(({ slug, host }) => `${host} is the primary domain of ${slug}`)].toSorted(),
    );
    expect((await records.repair()).toSorted()).toEqual([unlisted!.slug, changed!.slug].toSorted());
    expect(await database.query(schemas)).toEqual(before.filter(({ nspname }) => nspname !== schema));
    expect(await leftovers.find()).toEqual(without('tenant without tables', lost!.slug));
    expect(await records.drifts()).toEqual([]);
    await runInTenant(changed!, () => test.app.get(TenantDb).transaction((tx) => tx.query('select 1 from ticket')));
  });
});
