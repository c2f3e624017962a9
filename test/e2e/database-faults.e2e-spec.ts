import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import { expectNoDrift } from '../support/booking.js';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { openLossyDatabase, type LossyDatabase } from '../support/lossy-database.js';
import { installedDatabase, startTestApp, type TestApp } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { newKey } from '../support/webhooks.js';

const timeoutMs = 2000;

let database: TestDatabase;
let lossy: LossyDatabase;
let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  database = await installedDatabase('some');
  lossy = await openLossyDatabase(database.url);
  const environment = {
    DATABASE_TIMEOUT_MS: String(timeoutMs),
    DATABASE_WAIT_MS: '1500',
    DATABASE_POOL_SIZE: '6',
    WORKER: 'separate',
  };
  test = await startTestApp({ database: { ...database, url: lossy.url }, environment });
});
beforeEach(async () => {
  tenant = await test.newTenant({ node: 0 });
  authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write');
  event = await newEvent(test, tenant);
});
afterAll(async () => {
  await test.close();
  await lossy.close();
  await database.drop();
});

function book() {
  return test
    .on(tenant)
    .post('/api/v2/reservations/')
    .set('Authorization', authorization)
    .send({
      reservationFor: { identifier: event.id },
      underName: { email: `${randomUUID()}@example.org`, givenName: 'Ada', familyName: 'Martin' },
      reservedTicket: [{ identifier: event.priceId }],
      confirmed: true,
    });
}

/** The text of the statement, or its name on a connection that sent it before. */
const inTransaction = /insert into reservation |sale-write/i;

describe('a connection that fails inside a transaction', () => {
  it('between two statements is answered 503, not 500, and leaves nothing', async () => {
    lossy.fail('cut after', inTransaction);
    const { status, body, headers } = await book();
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'server.unavailable', '2']);
    expect(lossy.faults).toBeGreaterThan(0);
    await book().expect(201);
    await expectNoDrift(test, tenant);
  });

  it('is answered 503, too, when it fails between statements of the work', async () => {
    // Was 500 `server.failure`: TypeORM reports that its query runner is already released.
    lossy.fail('cut after', /select 1 as cut/);
    const work = test.inside(tenant, () =>
      test.app.get(TenantDb).transaction(async (tx) => {
        await tx.query('select 1 as cut');
        await new Promise((resolve) => setTimeout(resolve, 300));
        await tx.query('select 2');
      }),
    );
    const error: unknown = await work.catch((caught: unknown) => caught);
    expect([error, isDatabaseUnavailable(error)]).toEqual([expect.any(Error), true]);
  });

  it.each([
    ['BEGIN', /begin\0/],
    ['a statement', inTransaction],
    ['COMMIT', /commit\0/],
  ])('hanging at %s is given up after one time-out, not after another one for ROLLBACK', async (_at, statement) => {
    const started = performance.now();
    lossy.fail('hang', statement);
    const { status, headers } = await book();
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    // A ROLLBACK on the same connection would take at least a second time-out.
    expect(performance.now() - started).toBeLessThan(timeoutMs * 1.9);
    await book().expect(201);
  });
});

describe('a row that another transaction keeps locked', () => {
  it('causes a 503 for its tenant and does not affect other tenants', async () => {
    const other = await test.newTenant({ node: 0 });
    const device = await newDevice(test, other);
    const tickets = await newTickets(test, other, { event: await newEvent(test, other), count: 5 });
    const own = await newDevice(test, tenant);
    const locked = await newTicket(test, tenant, { event });
    const scan = (at: TenantIdentity, by: PairedDevice, code: string) =>
      test.on(at).post('/scan/ticket/').set('Authorization', by.authorization).send({ qrcode_data: code });
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    try {
      await locker.query('begin');
      await locker.query(`select 1 from "${tenant.schemaName}".ticket where id = $1 for update`, [locked.id]);
      const ended = Promise.all(Array.from({ length: 12 }, async () => (await scan(tenant, own, locked.code)).status));
      await new Promise((resolve) => setTimeout(resolve, 200));
      // Without the limit of half the pool, the first of these gets 503, because all connections wait for the row.
      for (const { code } of tickets) expect((await scan(other, device, code)).body).toMatchObject({ success: true });
      expect(new Set(await ended)).toEqual(new Set([503]));
    } finally {
      await locker.end();
    }
  });

  it('makes PostgreSQL end the statement by its own time limit', async () => {
    const settings = await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction(async (tx) => {
        const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
        const rows = await Promise.all(names.map((name) => tx.query<object[]>(`show ${name}`)));
        return Object.assign({}, ...rows.flat()) as object;
      }),
    );
    expect(settings).toEqual({
      statement_timeout: '1800ms',
      lock_timeout: '1s',
      idle_in_transaction_session_timeout: '2s',
    });
  });
});
