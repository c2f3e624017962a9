import { randomUUID } from 'node:crypto';
import { ServerLoad } from '#http';
import { DeviceKeysService, DomainsService, TenantDb, TenantsService, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;
let device: PairedDevice;
let networks = 0;

/** A network that asked for nothing yet. */
const newNetwork = (): string => `198.51.${(networks += 1)}.1`;

beforeAll(async () => {
  const environment = {
    DATABASE_POOL_SIZE: '8',
    DATABASE_WAIT_MS: '5000',
    DATABASE_TIMEOUT_MS: '10000',
    RATE_KEY_READS: '3/10min',
    RATE_UNKNOWN_KEYS: '5/10min',
    RATE_UNKNOWN_HOSTS: '3/10min',
    RATE_PANEL: '10/10min',
    DEFAULT_TENANT: 'answers-all',
    TRUSTED_PROXIES: '127.0.0.1',
    WORKER: 'separate',
  };
  test = await startTestApp({ environment });
  [venue, other] = [await test.newTenant({ node: 0 }), await test.newTenant({ node: 0, slug: 'answers-all' })];
  device = await newDevice(test, venue);
});
afterAll(() => test.close());

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: test.database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('connections', () => {
  it('of the pool are shared by tenants also for shared tables, and a door has one of its own', async () => {
    const ticket = await newTicket(test, venue, { event: await newEvent(test, venue) });
    const sleep = { name: 'test-sleep', text: 'select pg_sleep(2)' };
    const flood = Promise.allSettled(
      Array.from({ length: 12 }, () => test.inside(venue, () => test.app.get(TenantDb).sharedStatement(sleep, []))),
    );
    await withClient(async (client) => {
      const sleeping = async (): Promise<number> => {
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and state = 'active' and query = $1`,
          [sleep.text],
        );
        return rows[0]!.count;
      };
      await eventually(async () => expect(await sleeping()).toBeGreaterThan(0));
      // Without the share all eight connections sleep, and these wait for too long.
      expect(await sleeping()).toBeLessThanOrEqual(3);
    });
    await test.on(other).get('/').expect(200);
    const scan = test.on(venue).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: ticket.code });
    expect((await scan).body).toMatchObject({ success: true });
    await flood;
  });

  it('are left for other tenants when all scans of one wait for a locked row', async () => {
    const waiting = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const attempt = async (): Promise<void> => {
      const tickets = await newTickets(test, venue, { event: await newEvent(test, venue), count: 34 });
      const scanAll = (scanned: typeof tickets): Promise<object[]> =>
        Promise.all(
          scanned.map(({ code }) =>
            test
              .on(venue)
              .post('/scan/ticket/')
              .set('Authorization', device.authorization)
              .send({ qrcode_data: code })
              .then(({ body }) => body as object),
          ),
        );
      // Opens connections and prepares the statement: those below reach the lock at once.
      await scanAll(tickets.slice(24));
      await withClient(async (client) => {
        await client.query('begin');
        await client.query(`lock table "${venue.schemaName}".ticket`);
        // Up to four share a connection, so these need all that the tenant may have.
        const scans = scanAll(tickets.slice(0, 24));
        const held = (): Promise<number> => client.query<{ count: number }>(waiting).then(({ rows }) => rows[0]!.count);
        // More than half of the eight connections.
        await eventually(async () => expect(await held()).toBe(5), { timeout: 5000 });
        await test.on(other).get('/').expect(200);
        expect(await held()).toBe(5);
        await client.query('rollback');
        for (const scan of await scans) expect(scan).toMatchObject({ success: true });
      });
    };
    // On a busy machine the first scans may give the lock up before the last ones reach it.
    await eventually(attempt, { timeout: 40_000 });
  });

  it('are left for scans when several tenants use their shares', async () => {
    const third = await test.newTenant({ node: 0 });
    const ticket = await newTicket(test, venue, { event: await newEvent(test, venue) });
    const lock = { name: 'test-lock', text: 'select pg_advisory_xact_lock(4711)' };
    await withClient(async (client) => {
      await client.query('select pg_advisory_lock(4711)');
      const flood = [venue, other, third].flatMap((tenant) =>
        Array.from({ length: 4 }, () => test.inside(tenant, () => test.app.get(TenantDb).sharedStatement(lock, []))),
      );
      const waiting = async (): Promise<number> => {
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
        );
        return rows[0]!.count;
      };
      await eventually(async () => expect(await waiting()).toBeGreaterThanOrEqual(6));
      // Without a limit for all tenants together they use all eight connections, and this waits for too long.
      const scan = test.on(venue).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: ticket.code });
      expect((await scan).body).toMatchObject({ success: true });
      expect(await waiting()).toBe(6);
      await client.query('select pg_advisory_unlock(4711)');
      await Promise.all(flood);
    });
  });

  it('that are kept for scans are not used for made-up keys of devices', async () => {
    const keys = Array.from({ length: 5 }, () => `Api-Key ${test.app.get(DeviceKeysService).mint().key}`);
    await withClient(async (client) => {
      await client.query('begin; lock table shared.api_key in access exclusive mode');
      const network = newNetwork();
      const guesses = keys.map((key) =>
        test.on(venue).post('/scan/check_ticket/').set({ Authorization: key, 'X-Forwarded-For': network }).send({}),
      );
      const answers = Promise.all(guesses);
      const load = test.app.get(ServerLoad);
      await eventually(() => expect(Reflect.get(load, 'underWay')).toBe(keys.length));
      const lookedUp = async (): Promise<number> => {
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'relation'`,
        );
        return rows[0]!.count;
      };
      await eventually(async () => expect(await lookedUp()).toBeGreaterThan(0));
      await new Promise((resolve) => setTimeout(resolve, 100));
      // Without the limit they use all four connections of the tenant.
      expect(await lookedUp()).toBe(1);
      await client.query('rollback');
      expect((await answers).map(({ status }) => status)).toEqual(keys.map(() => 401));
    });
  });

  it('have time limits for single statements, too', async () => {
    const read = { name: 'test-limits', text: `select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l` };
    expect(await test.app.get(TenantDb).sharedStatement(read, [])).toEqual([{ s: '9s', l: '5s' }]);
  });
});

describe('keys', () => {
  const ask = (authorization: string, network: string) =>
    test.on(venue).get('/api/v2/events/?page=1').set({ Authorization: authorization, 'X-Forwarded-For': network });
  const statuses = async (count: number, authorization: string, network: string): Promise<number[]> => {
    const all: number[] = [];
    for (let time = 0; time < count; time += 1) all.push((await ask(authorization, network)).status);
    return all;
  };

  it('beyond their limit are refused without a query, and an error of the database does not make them unknown', async () => {
    const [spent, good] = [await newKey(test, venue, 'event:read'), await newKey(test, venue, 'event:read')];
    const network = newNetwork();
    expect(await statuses(4, spent, network)).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, good, network)).toEqual([200]);
    expect(await statuses(6, `Api-Key gkey_${'a'.repeat(60)}`, network)).toEqual([401, 401, 401, 401, 401, 429]);
    await withClient(async (client) => {
      await client.query('begin; lock table shared.api_key in access exclusive mode');
      // With a query it waits for the lock, and is 503.
      expect(await statuses(1, spent, network)).toEqual([429]);
      expect(await statuses(1, good, network)).toEqual([503]);
    });
    // Counted as a guess it is 429, because the network's guesses are used up.
    expect(await statuses(1, good, network)).toEqual([200]);
  });

  it('in another scheme count as guesses', async () => {
    expect(await statuses(6, 'Basic dXNlcjpwYXNz', newNetwork())).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('unknown host names', () => {
  const unknown = (): string => `${randomUUID()}.example.org`;
  const ask = async (host: string, network: string) => (await test.on(host).get('/robots.txt').set('X-Forwarded-For', network)).status;

  it('count for the network that sends them; hosts of tenants do not', async () => {
    const network = newNetwork();
    expect(await ask(venue.host, newNetwork())).toBe(200);
    const answers = [
      await ask(unknown(), network),
      await ask(unknown(), network),
      await ask(unknown(), network),
      await ask(unknown(), network),
    ];
    expect(answers).toEqual([404, 404, 404, 429]);
    expect([await ask(venue.host, network), await ask(unknown(), newNetwork())]).toEqual([200, 404]);
  });

  it('of one label, for which the default tenant answers, count when they are new, and only a few are remembered', async () => {
    let names = 0;
    const newName = (): string => `made-up-${(names += 1)}`;
    const network = newNetwork();
    const own = ['own-1', 'own-2', 'own-3'];
    expect([await ask(own[0]!, network), await ask(own[1]!, network), await ask(own[2]!, network)]).toEqual([200, 200, 200]);
    // What is known of hosts for a second does not matter here.
    test.app.get(TenantsService).forget();
    // They may be addresses of the machine.
    expect([await ask(newName(), network), await ask(own[0]!, network), await ask(own[1]!, newNetwork())]).toEqual([429, 200, 200]);
    await Promise.all(
      Array.from({ length: 17 }, async () => {
        const other = newNetwork();
        for (let time = 0; time < 3; time += 1) expect(await ask(newName(), other)).toBe(200);
      }),
    );
    test.app.get(TenantsService).forget();
    // Without a bound, each one stays free for minutes, and a client asks the database with a million of them.
    expect([await ask(own[2]!, network), await ask(venue.host, network)]).toEqual([429, 200]);
  });

  it('answer within a second when they become a domain', async () => {
    const host = unknown();
    expect(await ask(host, newNetwork())).toBe(404);
    await test.app.get(DomainsService).add(venue.id, host);
    await eventually(async () => expect(await ask(host, newNetwork())).toBe(302), { timeout: 2000 });
  });

  it('may be asked for by a proxy on this machine, and are limited for others', async () => {
    const tls = () => test.on(venue).get(`/tls/ask?domain=${unknown()}`);
    for (let time = 0; time < 5; time += 1) await tls().expect(404);
    const network = newNetwork();
    const foreign: number[] = [];
    for (let time = 0; time < 4; time += 1) foreign.push((await tls().set('X-Forwarded-For', network)).status);
    expect(foreign).toEqual([404, 404, 404, 429]);
  });
});

describe('a panel session', () => {
  it('has a bucket of its own, and is not looked up when it is empty', async () => {
    const [one, two] = [await staffOf(test, other), await staffOf(test, other)];
    const ask = async ({ cookie }: { cookie: string }) => (await test.on(other).get('/admin/api/dashboard').set('Cookie', cookie)).status;
    const answers: number[] = [];
    for (let time = 0; time < 12; time += 1) answers.push(await ask(one));
    expect([answers[0], answers.at(-1)]).toEqual([200, 429]);
    const query = jest.spyOn(pg.Client.prototype, 'query');
    expect([await ask(one), JSON.stringify(query.mock.calls).includes('panel_session')]).toEqual([429, false]);
    expect([await ask(two), JSON.stringify(query.mock.calls).includes('panel_session')]).toEqual([200, true]);
    query.mockRestore();
  });
});
