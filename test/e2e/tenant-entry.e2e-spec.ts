import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runInRequest, type RequestContext } from '#kernel';
import { queryPrepared, runInTenant, TenantDb, TenantLifeService, type TenantIdentity, type Tx } from '#tenancy';
import { lockKeyOf } from '../../libs/tenancy/src/database/transactions/tenant-lock.js';
import { eventually } from '../support/eventually.js';
import { roundTripsOf, tripsOfTransaction } from '../support/round-trips.js';
import { connectionsBack, outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate' } });
  tenant = await test.newTenant();
});
beforeEach(async () => {
  await test.database.query(`update shared.tenant set state = 'active' where id = $1`, [tenant.id]);
  await test.database.query(`delete from "${tenant.schemaName}".verified_email`);
});
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));

const insert = { name: 'entry-spec-insert', text: 'insert into verified_email (email_key) values ($1) returning email_key as key' };
const count = { name: 'entry-spec-count', text: 'select count(*)::int as count from verified_email' };
const row = (key: unknown) => ({ statement: insert, values: [key] });

const db = (): TenantDb => test.app.get(TenantDb);
const write = (...keys: readonly unknown[]): Promise<unknown> => db().atOnce(keys.map(row));
/** The rows that are written, also while the tenant is suspended. */
async function keys(): Promise<string[]> {
  const rows = await test.database.query<{ key: string }>(`select email_key as key from "${tenant.schemaName}".verified_email order by 1`);
  return rows.map(({ key }) => key);
}

/** The ways in which a transaction sends its statement and COMMIT. */
const ways: readonly [name: string, add: (key: string) => Promise<unknown>][] = [
  ['transaction', (key) => db().transaction((tx) => queryPrepared(tx, insert, [key]))],
  ['atOnce', (key) => write(key)],
];

describe.each(ways)('the entry of a tenant with %s', (_way, add) => {
  /** Expects that the connections work on and that nothing was written. */
  async function expectNothingWritten(): Promise<void> {
    await connectionsBack(test);
    expect(await keys()).toEqual([]);
    for (const key of ['1', '2', '3']) await inside(() => add(key));
    expect(await keys()).toEqual(['1', '2', '3']);
  }

  const cached: readonly [what: string, known: () => Partial<TenantIdentity>, status: number, code: string, extras: object][] = [
    [
      'has another state than the process knows',
      () => ({ state: 'suspended' }),
      503,
      'tenant.changed',
      { headers: { 'Retry-After': '1' } },
    ],
    ['has another category than the process knows', () => ({ category: 'F' }), 503, 'tenant.changed', { headers: { 'Retry-After': '1' } }],
    ['does not exist any more', () => ({ id: randomUUID() }), 410, 'tenant.deleted', {}],
  ];

  it.each(cached)('is refused when it %s, and nothing is written', async (_what, known, status, code, extras) => {
    const error = await outcome(runInTenant({ ...tenant, ...known() }, () => add('refused')));
    expect(error).toMatchObject({ status, code, extras });
    await expectNothingWritten();
  });

  const fates: readonly [what: string, text: string, status: number, code: string][] = [
    ['is revoked', 'update shared.api_key set revoked_at = now(), suspended_at = now() where tenant_id = $1', 401, 'key.revoked'],
    ['has expired', `update shared.api_key set expires_at = now() - interval '1 second' where tenant_id = $1`, 401, 'key.expired'],
    ['is suspended', 'update shared.api_key set suspended_at = now() where tenant_id = $1', 403, 'key.suspended'],
    ['is deleted', 'delete from shared.api_key where tenant_id = $1', 401, 'key.revoked'],
  ];

  it.each(fates)('is refused when the key of the request %s, and nothing is written', async (_what, text, status, code) => {
    const [, keyId] = (await newKey(test, tenant, 'reservation:write')).split('_') as [string, string];
    const request = (): RequestContext => ({ requestId: randomUUID(), actor: { kind: 'key', keyId }, keyUnchecked: true });
    const adding = (key: string, as = tenant) => outcome(runInRequest(request(), () => runInTenant(as, () => add(key))));
    expect(await adding('kept')).not.toBeInstanceOf(Error);
    await sql('delete from verified_email');
    await test.database.query(text, [tenant.id]);
    expect(await adding('refused')).toMatchObject({ status, code });
    expect(await adding('refused', { ...tenant, state: 'archived' })).toMatchObject({ code: 'tenant.changed' });
    await expectNothingWritten();
  });

  // Seen to fail when the function is `stable`, and when it reads the tenant before it takes the lock.
  it('waits for a change of the tenant, and then sees it', async () => {
    const lock = `select pg_advisory_xact_lock(7263, ${lockKeyOf(tenant.id)});
      update shared.tenant set state = 'suspended' where id = '${tenant.id}'`;
    const error = await test.database.race(lock, [], async () => {
      const adding = outcome(inside(() => add('refused')));
      await eventually(async () => expect(await test.database.waiting()).toBe(1));
      return adding;
    });
    expect(error).toMatchObject({ code: 'tenant.changed' });
    expect(await keys()).toEqual([]);
  });

  it('makes a change of the tenant wait for transactions that have begun', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const running = inside(() =>
      db().transaction(async (tx: Tx) => {
        await queryPrepared(tx, insert, ['running']);
        await finished;
      }),
    );
    await eventually(async () => expect(await idleTransactions()).toBe(1));
    const suspending = test.app.get(TenantLifeService).suspend(tenant.id, 'Check');
    await eventually(async () => expect(await test.database.waiting()).toBe(1));
    const later = outcome(inside(() => add('later')));
    await eventually(async () => expect(await test.database.waiting()).toBe(2));
    finish();
    await Promise.all([running, suspending]);
    expect(await later).toMatchObject({ code: 'tenant.changed' });
    expect(await keys()).toEqual(['running']);
  });

  const idleTransactions = async (): Promise<number> => {
    const text = `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
    return (await test.database.query(text)).length;
  };
});

describe('statements that are written together', () => {
  it('are one transaction in one round trip, and return the rows of the last one', async () => {
    let rows: unknown;
    const trips = await tripsOfTransaction('entry-spec', async () => {
      rows = await inside(() =>
        db().atOnce([row('a'), row('b'), { statement: { ...count, text: `${count.text} -- entry-spec` }, values: [] }]),
      );
    });
    expect(trips.map((texts) => texts.map((text) => text.split(/[ (]/, 2).join(' ')))).toEqual([
      ['select shared.enter_tenant', 'insert into', 'insert into', 'select count'],
    ]);
    expect(rows).toEqual([{ count: 2 }]);
    expect(await keys()).toEqual(['a', 'b']);
  });

  it('are written to the tables of their tenant, also when the connection has prepared them for another tenant', async () => {
    const other = await test.newTenant();
    const keysOf = ['a', 'b', 'c'].map((key, index) => ({ key, of: index === 1 ? other : tenant }));
    for (const { key, of } of keysOf) expect(await runInTenant(of, () => write(key))).toEqual([{ key }]);
    expect(await keys()).toEqual(['a', 'c']);
  });

  const faults: readonly [what: string, statement: ReturnType<typeof row>, error: object][] = [
    ['violates a constraint', row('a'), { code: '23505' }],
    ['is no SQL', { statement: { name: 'entry-spec-wrong', text: 'selec 1' }, values: [] }, { code: '42601' }],
  ];

  it.each(faults)('write nothing when one of them %s, and its error is the first', async (_what, statement, error) => {
    const { open } = db().poolState();
    expect(await outcome(inside(() => db().atOnce([row('a'), statement, row('b')])))).toMatchObject(error);
    await connectionsBack(test);
    expect(db().poolState().open).toBeGreaterThanOrEqual(open);
    expect(await keys()).toEqual([]);
    for (const key of ['1', '2', '3']) await inside(() => write(key));
    expect(await keys()).toEqual(['1', '2', '3']);
  });

  it('are not sent when a value of one of them cannot become text', async () => {
    const trips = await roundTripsOf(async () => {
      expect(await outcome(inside(() => write('a', { number: 1n }, 'b')))).toMatchObject({
        message: expect.stringMatching(/BigInt/) as unknown,
      });
    });
    expect(trips.flatMap(({ texts }) => texts).filter((text) => text === insert.text || text.includes('enter_tenant'))).toEqual([]);
    expect(await keys()).toEqual([]);
  });

  it('need a tenant whose tables match the program', async () => {
    await expect(db().atOnce([row('a')])).rejects.toThrow('No tenant in context');
    await expect(runInTenant({ ...tenant, schemaState: 'behind' }, () => write('a'))).rejects.toMatchObject({ code: 'tenant.migrating' });
  });
});
