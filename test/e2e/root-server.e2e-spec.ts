import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NetworksService } from '#places';
import {
  latestTenant,
  ServerHealthService,
  TenantDb,
  TenantsService,
  UserHistoryService,
  UsersService,
  type TenantIdentity,
} from '#tenancy';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let root: PanelClient;
let rootId: string;
let venue: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { MIGRATION_RETRY_MS: '600000' } });
  const { id, email, password } = await test.app.get(UsersService).create({ email: 'super@example.org', isSuperUser: true });
  rootId = id;
  root = new PanelClient(test, 'localhost');
  expect((await root.signIn(email, password)).status).toBe(303);
  venue = await test.newTenant();
});
afterAll(() => test.close());

interface Report {
  readonly title: string;
  readonly tone: string;
  readonly facts: readonly string[];
  readonly table?: { readonly rows: readonly (readonly string[])[] };
}
const reportsOf = ({ view }: PanelAnswer): Report[] => view!['reports'] as Report[];

describe('the health of the server', () => {
  it('shows program, database, clock, migrations, queues and sizes', async () => {
    await test.database.query(
      `insert into shared.job (tenant_id, kind, subject_id, due_at, attempts, last_error)
       values ($1, 'nothing', $2, now() - interval '2 hours', 3, 'x')`,
      [venue.id, randomUUID()],
    );
    await test.database.query(`insert into shared.webhook_queue (endpoint_id, tenant_id, failing) values ($1, $2, true)`, [
      randomUUID(),
      venue.id,
    ]);
    const reports = reportsOf(await root.page('migrations', 'health'));
    const [program, database, migrations, queues, largest] = reports;
    expect(program!.facts.join('\n')).toMatch(/Guichet \d.*Node v\d[^]*Clock of this server .*[+-]?\d+ ms/);
    expect(database!.facts.join('\n')).toMatch(
      /PostgreSQL \d+[^]*of 4 open[^]*Size of the database: [\d.]+ MB[^]*Last backup: none by guichet backup/,
    );
    expect(migrations!.facts[1]).toMatch(/version (\d+) of \1$/);
    expect(queues).toMatchObject({ tone: 'bad', facts: ['Webhook endpoints that fail: 1'] });
    const late = queues!.table!.rows.find(([name]) => name === 'nothing');
    expect(late).toEqual(['nothing', '1', expect.stringMatching(/^7[12]\d\d s$/), '1']);
    expect(largest!.table!.rows.map(([name]) => name)).toContainEqual(expect.stringContaining(venue.slug));
    await test.database.query(`delete from shared.job where kind = 'nothing'`);
    const french = await root.call('get', '/api/resources/migrations/actions/health').set('Accept-Language', 'fr');
    expect(JSON.stringify(french.body)).toContain('Base de données');
  });

  it('runs a fixed number of statements, however many tenants there are', async () => {
    await test.database.query(
      `insert into shared.tenant (slug, name, category, schema_name, schema_version)
       select 'many-' || n, 'Many ' || n, 'S', 't_' || lpad(to_hex(n), 32, '0'), $1 from generate_series(1, 400) n`,
      [latestTenant],
    );
    const db = test.app.get(TenantDb);
    let taken = 0;
    const count = () => {
      taken += 1;
    };
    db.pool.on('acquire', count);
    const { largest } = await new ServerHealthService(db).look();
    expect((await root.list('migrations', { perPage: '20' })).records).toHaveLength(20);
    db.pool.off('acquire', count);
    expect(largest.length).toBeLessThanOrEqual(5);
    // A loop over the tenants would use 400 connections; background work uses a few.
    expect(taken).toBeLessThan(40);
    await test.database.query(`delete from shared.tenant where slug like 'many-%'`);
  });
});

describe('the migrations of all tenants', () => {
  it('show which tenants are behind or newer and why, and start with one click', async () => {
    const [late, broken, newer] = [await test.newTenant(), await test.newTenant(), await test.newTenant()];
    const set = (sql: string, values: unknown[]) => test.database.query(`update shared.tenant set ${sql} where id = $1`, values);
    await set('schema_version = schema_version - 1', [late.id]);
    await set('schema_version = $2, required_version = $2', [newer.id, latestTenant + 1]);
    await test.database.query(
      `drop schema "${broken.schemaName}" cascade; create schema "${broken.schemaName}"; create view "${broken.schemaName}".ticket as
       select 1 as one`,
    );
    await set('schema_version = 0', [broken.id]);
    const stateOf = async ({ id }: TenantIdentity) => (await root.look('migrations', id)).record!.params;
    expect(await stateOf(late)).toMatchObject({ state: 'behind', version: latestTenant - 1, latest: latestTenant });
    expect(await stateOf(newer)).toMatchObject({ state: 'newer' });
    expect(await stateOf(venue)).toMatchObject({ state: 'current' });
    const behind = await root.list('migrations', { 'filters.state': 'behind' });
    expect(behind.records!.map(({ params }) => params['slug']).toSorted()).toEqual([late.slug, broken.slug].toSorted());
    expect(((await root.page('migrations', 'run')).view!['lead'] as string[])[0]).toMatch(/^2 of \d+ tenants/);
    const { view } = await root.send('migrations', 'run', { confirmed: true });
    expect(view!['report']).toMatchObject({
      tone: 'bad',
      facts: ['Migrated now: 1', 'Still waiting: 1', 'Newer than this program: 1'],
      table: { rows: [[broken.slug, expect.stringContaining('ticket')]] },
    });
    expect(await stateOf(late)).toMatchObject({ state: 'current' });
    expect(await stateOf(broken)).toMatchObject({ state: 'behind', reason: expect.stringContaining('ticket') });
    await test.database.query(`drop view "${broken.schemaName}".ticket`);
    await root.send('migrations', 'run', { confirmed: true });
    expect(await stateOf(broken)).toMatchObject({ state: 'current' });
    await set('schema_version = $2, required_version = 0', [newer.id, latestTenant]);
    test.app.get(TenantsService).forget();
  });
});

describe('the rights of users', () => {
  const superUsers = () => test.database.query<{ id: string }>('select id from shared.user_account where is_super_user');

  it('are recorded when they are granted and removed, with their author', async () => {
    const made = await root.create('users', { email: `${randomUUID()}@example.org`, name: 'Ada' });
    const id = made.record!.id;
    await root.act('users', id, 'edit', { isSuperUser: 'true', mayCreateTenants: 'true' });
    await root.act('users', id, 'edit', { isSuperUser: 'false' });
    await root.create('administrators', { userId: id, tenantId: venue.id });
    await root.act('administrators', `${venue.id}.${id}`, 'delete');
    const changes = await test.app.get(UserHistoryService).list(id);
    expect(changes.map(({ action }) => action).toSorted()).toEqual([
      'administrator_granted',
      'administrator_revoked',
      'created',
      'may_create_granted',
      'super_user_granted',
      'super_user_revoked',
    ]);
    expect(changes.every(({ actor }) => actor === 'super@example.org')).toBe(true);
    expect(changes[0]).toMatchObject({ action: 'administrator_revoked', details: { tenant: venue.slug } });
    const { record } = await root.look('users', id);
    expect(JSON.stringify(record!.params)).toContain('Became a super-user');
    await expect(test.database.query(`delete from shared.user_change`)).rejects.toThrow();
    // A repeated request is recorded once.
    await root.act('users', id, 'edit', { mayCreateTenants: 'true' });
    expect(await test.app.get(UserHistoryService).list(id)).toHaveLength(6);
  });

  it('keep one super-user, also when two remove the right from each other at the same time', async () => {
    // Verified to fail without the lock on the super-users: both transactions see the other one, and none is left.
    const users = test.app.get(UsersService);
    for (const { id } of await superUsers()) if (id !== rootId) await users.grant(id, { isSuperUser: false });
    await expect(users.grant(rootId, { isSuperUser: false })).rejects.toThrow('last super-user');
    for (let round = 0; round < 5; round += 1) {
      const { id } = await users.create({ email: `${randomUUID()}@example.org`, isSuperUser: true });
      const outcomes = await Promise.allSettled([rootId, id].map((one) => users.grant(one, { isSuperUser: false })));
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await superUsers()).toHaveLength(1);
      await users.grant(rootId, { isSuperUser: true });
      if ((await superUsers()).some((one) => one.id === id)) await users.grant(id, { isSuperUser: false });
    }
  });
});

describe('the networks of the server', () => {
  it('are listed with their members, searched and filtered', async () => {
    const network = await test.newTenant({ category: 'M', name: 'The big agenda' });
    await test.inside(venue, () => test.app.get(NetworksService).ask(network.id, { sentTags: [], userId: rootId }));
    const { email, password } = await test.app.get(UsersService).create({ email: `${randomUUID()}@example.org`, isSuperUser: true });
    const panel = new PanelClient(test, 'localhost');
    await panel.signIn(email, password);
    const found = await panel.list('networks', { 'filters.search': 'big agenda', 'filters.state': 'asked' });
    expect(found.records!.map(({ params }) => [params['networkId'], params['tenantId'], params['state']])).toEqual([
      [network.id, venue.id, 'asked'],
    ]);
    expect((await panel.list('networks', { 'filters.state': 'accepted' })).records).toEqual([]);
  });
});
