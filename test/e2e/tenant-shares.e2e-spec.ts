import { randomUUID } from 'node:crypto';
import { DomainsService, TenantDb, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
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
    DATABASE_WAIT_MS: '1500',
    DATABASE_TIMEOUT_MS: '3000',
    RATE_KEY_READS: '3/10min',
    RATE_UNKNOWN_KEYS: '5/10min',
    RATE_UNKNOWN_HOSTS: '3/10min',
    RATE_PANEL: '10/10min',
    TRUSTED_PROXIES: '127.0.0.1',
    WORKER: 'separate',
  };
  test = await startTestApp({ environment });
  [venue, other] = [await test.newTenant(), await test.newTenant()];
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
      await vi.waitFor(async () => expect(await sleeping()).toBeGreaterThan(0));
      // Without the share all eight connections sleep, and these wait for too long.
      expect(await sleeping()).toBeLessThanOrEqual(3);
    });
    await test.on(other).get('/').expect(200);
    const scan = test.on(venue).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: ticket.code });
    expect((await scan).body).toMatchObject({ success: true });
    await flood;
  });

  it('have time limits for single statements, too', async () => {
    const read = { name: 'test-limits', text: `select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l` };
    expect(await test.app.get(TenantDb).sharedStatement(read, [])).toEqual([{ s: '2700ms', l: '1500ms' }]);
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

  it('answer within a second when they become a domain', async () => {
    const host = unknown();
    expect(await ask(host, newNetwork())).toBe(404);
    await test.app.get(DomainsService).add(venue.id, host);
    await vi.waitFor(async () => expect(await ask(host, newNetwork())).toBe(302), { timeout: 2000 });
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
  it('has a bucket of its own', async () => {
    const [one, two] = [await staffOf(test, other), await staffOf(test, other)];
    const ask = async ({ cookie }: { cookie: string }) => (await test.on(other).get('/admin/api/dashboard').set('Cookie', cookie)).status;
    const answers: number[] = [];
    for (let time = 0; time < 12; time += 1) answers.push(await ask(one));
    expect([answers[0], answers.at(-1)]).toEqual([200, 429]);
    expect(await ask(two)).toBe(200);
  });
});
