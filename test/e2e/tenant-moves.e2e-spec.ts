import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RefusedInput } from '#kernel';
import {
  LeftoversService,
  pausedTenantsStatement,
  runInTenant,
  TenantDb,
  TenantMovesService,
  TenantsService,
  type TenantIdentity,
} from '#tenancy';
import pg from 'pg';
import { beginReading, closeTenant, parkQueues, reopenTenant } from '../../libs/tenancy/src/tenants/moves/move-source.js';
import { parkedQueue } from '../../libs/tenancy/src/tenants/moves/moved-rows.js';
import { MoveTarget } from '../../libs/tenancy/src/tenants/moves/move-target.js';
import { closedSchema, type MovedTenant } from '../../libs/tenancy/src/tenants/moves/moved-tenant.js';
import { newEvent, newTickets } from '../support/builders.js';
import { openCommandLine, type CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { outcome } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

// Without Citus there is one server. Another database is the other one here: what Citus does, it copies the row of the tenant.
let test: TestApp;
let other: TestApp;
let commandLine: CommandLine;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate' } });
  other = await startTestApp({ environment: { WORKER: 'separate' } });
  commandLine = await openCommandLine(test);
});
afterAll(async () => {
  await commandLine.close();
  await other.close();
  await test.close();
});

const moved = ({ id, slug, schemaName }: TenantIdentity): MovedTenant => ({
  id,
  slug,
  schemaName,
  schemaVersion: 0,
  node: 0,
  movingTo: null,
  isClosed: false,
  isOfInstallation: false,
});
const close = (tenant: TenantIdentity): Promise<boolean> => test.app.get(TenantDb).shared((tx) => closeTenant(tx, moved(tenant), 1));
const reopen = (tenant: TenantIdentity): Promise<boolean> => test.app.get(TenantDb).shared((tx) => reopenTenant(tx, moved(tenant)));
const jobs = async (tenant: TenantIdentity): Promise<number> =>
  (await test.database.query('select 1 from shared.job where tenant_id = $1', [tenant.id])).length;

const insert = { name: 'moves-spec-insert', text: 'insert into {tenant}.verified_email (email_key) values ($1) returning email_key' };

/** A tenant with tickets, a key, and a job that waits. */
async function filled(): Promise<TenantIdentity> {
  const tenant = await test.newTenant();
  const event = await newEvent(test, tenant);
  await newTickets(test, tenant, { event, count: 5 });
  await newKey(test, tenant, 'event:read');
  await test.database.query(
    `insert into shared.job (tenant_id, kind, subject_id, due_at) values ($1, 'spec', gen_random_uuid(), now() + interval '1 day')`,
    [tenant.id],
  );
  return tenant;
}

/** Work with a connection of its own to each of two databases. */
async function connected<Result>(
  urls: readonly [string, string],
  work: (one: pg.Client, two: pg.Client) => Promise<Result>,
): Promise<Result> {
  const [one, two] = urls.map((connectionString) => new pg.Client({ connectionString })) as [pg.Client, pg.Client];
  await Promise.all([one.connect(), two.connect()]);
  try {
    return await work(one, two);
  } finally {
    await Promise.all([one.end(), two.end()]);
  }
}

/** Moves between the servers of a cluster are those of test/citus/tenant-move.ts. */
const describeOnOne = (name: string, work: () => void): void =>
  process.env['TEST_DATABASE_NODES'] === undefined ? describe(name, work) : describe.skip(`${name} (with one database server)`, work);

describeOnOne('a tenant that is closed for a move', () => {
  it('answers 503 with Retry-After, also where a process has not heard of it, its jobs wait, and it opens as it was', async () => {
    const tenant = await filled();
    const waiting = await jobs(tenant);
    expect(waiting).toBeGreaterThan(0);
    await test.on(tenant).get('/').expect(200);
    expect(await close(tenant)).toBe(true);
    expect(await close(tenant)).toBe(false);

    const db = test.app.get(TenantDb);
    const unaware: readonly (() => Promise<unknown>)[] = [
      () => db.transaction((tx) => tx.query('select 1')),
      () => db.statement(insert, ['lost']),
    ];
    for (const work of unaware) {
      expect(await outcome(test.inside(tenant, work))).toMatchObject({ code: 'tenant.changed' });
    }
    await eventually(async () => {
      const answer = await test.on(tenant).get('/api/v2/events/').expect(503);
      expect(answer.body).toMatchObject({ code: 'tenant.migrating' });
      expect(answer.headers['retry-after']).toBe('5');
    });
    expect(await jobs(tenant)).toBe(0);
    const leftovers = (await test.app.get(LeftoversService).find()).filter(({ name }) => name === tenant.slug);
    expect(leftovers).toEqual([{ kind: 'unfinished move', name: tenant.slug }]);
    const [wanted] = await test.app.get(TenantMovesService).wanted();
    expect(wanted).toMatchObject({ slug: tenant.slug, from: 0, to: 1, isClosed: true });
    expect(await db.sharedStatement(pausedTenantsStatement, [])).toContainEqual({ id: tenant.id });
    const { stdout } = await commandLine.run(['doctor']);
    expect(stdout).toContain(`tenant move ${tenant.slug} --node 1, or open it where it is with --node 0`);

    expect(await reopen(tenant)).toBe(true);
    expect(await reopen(tenant)).toBe(false);
    test.app.get(TenantsService).forget();
    await test.on(tenant).get('/').expect(200);
    expect(await jobs(tenant)).toBe(waiting);
    expect(await test.app.get(TenantMovesService).wanted()).toEqual([]);
  });

  it('opens where it was when it cannot move any more', async () => {
    const tenant = await test.newTenant();
    const moves = test.app.get(TenantMovesService);
    await close(tenant);
    await expect(moves.move(tenant.id, 1)).rejects.toThrow(RefusedInput);
    expect(await moves.wanted()).toEqual([]);
    await test.on(tenant).get('/').expect(200);
  });

  it('gets its messages back in their order, also those that an older program has put aside', async () => {
    const tenant = await test.newTenant();
    const add = (subject: string): Promise<unknown> =>
      test.database.query(`insert into shared.outbox (tenant_id, type, subject_id, sequence, data) values ($1, 'spec', $2, 1, '{}')`, [
        tenant.id,
        subject,
      ]);
    for (const subject of ['one', 'two', 'three']) await add(subject);
    await close(tenant);
    const parked = parkedQueue(moved(tenant), 'outbox');
    // The last one of the table is not the last one of the queue.
    await test.database.query(`update ${parked} set type = 'spec' where subject_id = 'one'`);
    await test.database.query(`alter table ${parked} drop column occurred_at, add column former text`);
    await reopen(tenant);
    const sql = `select subject_id as subject from shared.outbox where tenant_id = $1 and type = 'spec' order by ordinal`;
    const rows = await test.database.query<{ subject: string }>(sql, [tenant.id]);
    expect(rows.map(({ subject }) => subject)).toEqual(['one', 'two', 'three']);
  });

  it('waits for transactions that run, and the copy waits for single statements that run', async () => {
    const tenant = await test.newTenant();
    const db = test.app.get(TenantDb);
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const order: string[] = [];
    const running = test.inside(tenant, () =>
      db.transaction(async (tx) => {
        await tx.query(`insert into verified_email (email_key) values ('transaction')`);
        order.push('begun');
        await ending;
        order.push('ended');
      }),
    );
    await eventually(() => expect(order).toEqual(['begun']));
    const closing = close(tenant).then(() => order.push('closed'));
    await eventually(async () => expect(await test.database.waiting()).toBe(1));
    end();
    await Promise.all([running, closing]);
    expect(order).toEqual(['begun', 'ended', 'closed']);
    await reopen(tenant);

    await connected([test.database.url, test.database.url], async (statement, source) => {
      await statement.query(`begin; insert into "${tenant.schemaName}".verified_email (email_key) values ('statement')`);
      await statement.query(
        `insert into shared.outbox (tenant_id, type, subject_id, sequence, data) values ('${tenant.id}', 'spec', 'late', 1, '{}')`,
      );
      await close(tenant);
      const reading = beginReading(source, moved(tenant));
      await eventually(async () => expect(await test.database.waiting()).toBe(1));
      await statement.query('commit');
      await reading;
      const { rows } = await source.query<{ key: string }>('select email_key as key from verified_email order by 1');
      expect(rows.map(({ key }) => key)).toEqual(['statement', 'transaction']);
      await test.app.get(TenantDb).shared((tx) => parkQueues(tx, moved(tenant)));
      const parked = await test.database.query(`select 1 from ${parkedQueue(moved(tenant), 'outbox')} where subject_id = 'late'`);
      expect(parked).toHaveLength(1);
    });
    await reopen(tenant);
  });

  it('is copied with all rows, keys, jobs, identities, constraints and triggers, and the old rows stay', async () => {
    const tenant = await filled();
    const waiting = await jobs(tenant);
    await close(tenant);
    // What Citus does: the row of the tenant is on both.
    const [row] = await test.database.query<{ tenant: object }>('select to_json(t) as tenant from shared.tenant t where id = $1', [
      tenant.id,
    ]);
    await other.database.query('insert into shared.tenant select * from json_populate_record(null::shared.tenant, $1)', [row?.tenant]);
    const schema = closedSchema(tenant);
    await connected([other.database.url, test.database.url], async (client, source) => {
      const target = new MoveTarget(client, source, moved(tenant));
      await target.prepare();
      expect(await target.copyTables(await beginReading(source, moved(tenant)))).toBeGreaterThan(10);
      await target.copyShared();
      await target.switch(1);
    });
    const sums = (at: TestApp, name: string) =>
      at.database.query<{ tickets: number; events: number; changes: number; next: string }>(
        `select (select count(*)::int from "${name}".ticket) as tickets, (select sum(booked)::int from "${name}".event) as events,
           (select count(*)::int from "${name}".change) as changes,
           (select last_value::text from pg_sequences s where s.schemaname = '${name}' order by sequencename limit 1) as next`,
      );
    expect(await sums(other, tenant.schemaName)).toEqual(await sums(test, schema));
    const rows = (at: TestApp, table: string) => at.database.query(`select 1 from shared.${table} where tenant_id = $1`, [tenant.id]);
    expect(await rows(other, 'api_key')).toHaveLength((await rows(test, 'api_key')).length);
    expect(await rows(other, 'job')).toHaveLength(waiting);
    const [placed] = await other.database.query<{ node: number; moving_to: number | null }>(
      'select node, moving_to from shared.tenant where id = $1',
      [tenant.id],
    );
    expect(placed).toEqual({ node: 1, moving_to: null });
    // The copy is used as any tenant.
    await runInTenant({ ...tenant, node: 0 }, () => other.app.get(TenantDb).transaction((tx) => tx.query('select 1 from ticket')));
    await reopen(tenant);
    await test.on(tenant).get('/').expect(200);
  });

  it('is not copied when the tables of both servers differ', async () => {
    const tenant = await test.newTenant();
    await test.database.query(`create index on "${tenant.schemaName}".ticket (first_name)`);
    await close(tenant);
    await connected([other.database.url, test.database.url], async (client, source) => {
      const target = new MoveTarget(client, source, moved(tenant));
      await target.prepare();
      await expect(target.copyTables(await beginReading(source, moved(tenant)))).rejects.toThrow('constraints');
    });
    expect(await reopen(tenant)).toBe(true);
  });
});

describeOnOne('an installation with one database server', () => {
  it('lists it, places tenants on it, and says that there is no other', async () => {
    const guichet = commandLine.run;
    const listed = await guichet(['node', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ number: 0, healthy: true, takes_tenants: true, tenants: expect.any(Number) }]);
    expect((await guichet(['node', 'list'])).stdout).toMatch(/^NODE +HOST/);
    const made = await guichet(['tenant', 'create', '--slug', 'placed-here', '--node', '0']);
    expect([made.code, made.stderr]).toEqual([0, '']);
    const refused = await guichet(['tenant', 'create', '--slug', 'placed-there', '--node', '3']);
    expect([refused.code, refused.stderr]).toEqual([1, 'guichet: There is no database server 3.\n']);
    const move = await guichet(['tenant', 'move', 'placed-here', '--node', '1']);
    expect([move.code, move.stderr]).toEqual([1, 'guichet: There is one database server only: a tenant has nowhere to move to.\n']);
    expect((await guichet(['tenant', 'move', 'placed-here', '--node', 'x'])).code).toBe(2);
  });

  it('refuses to move Root and the first agenda, whose forms and keys are there', async () => {
    const moves = test.app.get(TenantMovesService);
    for (const slug of ['root', 'meta']) {
      const { code, stderr } = await commandLine.run(['tenant', 'move', slug, '--node', '1']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^guichet: Root and the first agenda stay on the first database server: .+\n$/),
      ]);
      const found = await test.app.get(TenantsService).bySlug(slug);
      // What the page of the database servers asks before it notes a move.
      await expect(moves.check(found!.id, 1)).rejects.toThrow('Root and the first agenda');
    }
    expect(await moves.wanted()).toEqual([]);
  });
});
