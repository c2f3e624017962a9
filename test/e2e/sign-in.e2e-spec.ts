import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { JobRunner, TaskSchedulerService } from '#jobs';
import { TenantDb, UsersService, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

let test: TestApp;
let venue: TenantIdentity;
let person: Person;
let people = 0;

beforeAll(async () => {
  test = await startTestApp({ environment: { TRUSTED_PROXIES: '127.0.0.1', SESSION_IDLE_MINUTES: '120' } });
  venue = await test.newTenant();
});
beforeEach(async () => {
  person = await newPerson();
});
afterAll(() => test.close());

async function newPerson(): Promise<Person> {
  people += 1;
  const made = await test.app.get(UsersService).create({ email: `person${people}@example.org`, name: `Person ${people}` });
  await test.app.get(UsersService).grant(made.id, { tenantId: venue.id });
  return made;
}

/** A browser in a network; `cookies` is its only state. */
class Browser extends PanelClient {
  constructor(private readonly from: string) {
    super(test, venue);
  }

  override call(method: 'get' | 'post', path: string): ReturnType<PanelClient['call']> {
    return super.call(method, path).set('X-Forwarded-For', this.from).set('User-Agent', 'Mozilla/5.0 (X11; Linux) Firefox/140.0');
  }

  async isIn(): Promise<boolean> {
    return (await this.call('get', '/api/dashboard')).status === 200;
  }
}

async function signedIn(from = '192.0.2.7'): Promise<Browser> {
  const browser = new Browser(from);
  expect((await browser.signIn(person.email, person.password)).status).toBe(303);
  return browser;
}

async function fails(from: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < times; attempt += 1)
    statuses.push((await new Browser(from).signIn(person.email, 'not the password')).status);
  return statuses;
}

describe('failed sign-ins', () => {
  it('from one network lock that network, and not the person in another one', async () => {
    // If failures were counted by address alone, anybody could lock the person out: 429.
    expect(await fails('198.51.100.9', 7)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await new Browser('198.51.100.200').signIn(person.email, person.password)).status).toBe(429);
    expect((await new Browser('203.0.113.5').signIn(person.email, person.password)).status).toBe(303);
  });

  it('do not lock a browser in which the person signed in before, even in the same network', async () => {
    const known = await signedIn('198.51.100.9');
    expect((await fails('198.51.100.9', 6)).at(-1)).toBe(429);
    await known.call('post', '/logout').expect(303);
    expect((await known.signIn(person.email, person.password)).status).toBe(303);
  });

  it('from a known browser count only for that browser, whatever cookie another person has', async () => {
    const known = await signedIn();
    const mark = known.cookie;
    person = await newPerson();
    const borrowed = new Browser('198.51.100.77');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      borrowed.cookie = mark;
      expect((await borrowed.signIn(person.email, 'not the password')).status).toBe(401);
    }
    borrowed.cookie = mark;
    expect((await borrowed.signIn(person.email, person.password)).status).toBe(429);
  });

  it('cannot extend a lock: attempts during a lock do not count', async () => {
    await fails('198.51.100.9', 5);
    const locks = () =>
      test.database.query<{ until: string; failures: number }>(
        'select max(locked_until)::text as until, max(failures) as failures from shared.sign_in_attempt',
      );
    const before = await locks();
    expect(await fails('198.51.100.9', 10)).toEqual(Array.from({ length: 10 }, () => 429));
    expect((await locks())[0]?.until).toBe(before[0]?.until);
  });

  it('from many networks delay the address after a hundred, but not its known browsers', async () => {
    const known = await signedIn();
    const networks = Array.from({ length: 26 }, (_, index) => `10.${index}.0.1`);
    for (const network of networks) await fails(network, 4);
    expect((await new Browser('203.0.113.99').signIn(person.email, person.password)).status).toBe(429);
    expect((await known.signIn(person.email, person.password)).status).toBe(303);
  });

  it('are cleared by a new password', async () => {
    await fails('198.51.100.9', 6);
    const password = await test.app.get(UsersService).setPassword(person.id);
    expect((await new Browser('198.51.100.9').signIn(person.email, password)).status).toBe(303);
  });

  it('are deleted by the maintenance job', async () => {
    await fails('198.51.100.9', 2);
    await test.database.query(`update shared.sign_in_attempt set last_failure_at = now() - interval '25 hours', locked_until = null`);
    await test.app.get(TaskSchedulerService).run('forget sign-ins that are over');
    expect(await test.database.query('select 1 from shared.sign_in_attempt')).toEqual([]);
  });
});

describe('a flood of sign-ins', () => {
  it('is answered 503 beyond a limit, and the refused attempts do not count', async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) => new Browser(`10.9.${index}.1`).signIn(`nobody${index}@example.org`, 'not the password')),
    );
    const refused = answers.filter(({ status }) => status === 503);
    // Without the limit all of them wait and none is refused.
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
    for (const { headers } of refused) expect(headers['retry-after']).toBe('5');
  });

  it('of one network leaves places for other networks, and one of many networks for known browsers', async () => {
    const known = await signedIn();
    await known.call('post', '/logout').expect(303);
    const attempt = (from: string, index: number) => new Browser(from).signIn(`nobody${index}@example.org`, 'not the password');
    const crowd = Array.from({ length: 80 }, (_, index) => attempt('10.8.1.1', index));
    // With one queue for all networks there is no place left: 503.
    expect((await attempt('203.0.113.9', 0)).status).toBe(401);
    await Promise.all(crowd);
    const networks = Array.from({ length: 120 }, (_, index) => attempt(`10.7.${index}.1`, index));
    expect((await known.signIn(person.email, person.password)).status).toBe(303);
    await Promise.all(networks);
  });
});

describe('a session', () => {
  it('that a slow request saves after a password reset stays ended', async () => {
    const browser = await signedIn();
    const locker = new pg.Client({ connectionString: await test.database.urlOf(venue) });
    await locker.connect();
    await locker.query('begin; lock table shared.api_key in exclusive mode');
    // Creates a key, which the next page shows once, so the session is saved at the end of the request.
    const slow = browser.create('keys', { name: 'Till', scopes: ['event:read'] });
    const done = slow.then(({ redirectUrl }) => redirectUrl);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await test.app.get(UsersService).setPassword(person.id);
    await locker.query('commit');
    await locker.end();
    expect(await done).toBeDefined();
    // A session store that upserts would restore the deleted session here.
    expect(await browser.isIn()).toBe(false);
    expect(await test.database.query('select 1 from shared.panel_session where user_id = $1', [person.id])).toEqual([]);
  });

  it('that starts with the old password while a new one is set is invalid', async () => {
    const browser = await signedIn();
    await test.database.query('update shared.user_account set session_version = session_version + 1 where id = $1', [person.id]);
    expect(await browser.isIn()).toBe(false);
  });

  it('ends after its maximum duration and after its idle time, by the clock of the database', async () => {
    for (const change of [`expires_at = now()`, `seen_at = now() - interval '121 minutes'`]) {
      const browser = await signedIn();
      await test.database.query(`update shared.panel_session set seen_at = now() - interval '119 minutes' where user_id = $1`, [person.id]);
      expect(await browser.isIn()).toBe(true);
      const [{ age } = { age: -1 }] = await test.database.query<{ age: number }>(
        'select extract(epoch from now() - seen_at)::int as age from shared.panel_session where user_id = $1',
        [person.id],
      );
      expect(age).toBeLessThan(60);
      await test.database.query(`update shared.panel_session set ${change} where user_id = $1`, [person.id]);
      expect(await browser.isIn()).toBe(false);
      await test.app.get(TaskSchedulerService).run('forget sign-ins that are over');
      expect(await test.database.query('select 1 from shared.panel_session where user_id = $1', [person.id])).toEqual([]);
    }
  });

  it('is not stored in a form that can be used to sign in', async () => {
    const browser = await signedIn();
    const sid = decodeURIComponent(browser.cookie.split(';')[0]!.split('=')[1]!).slice(2).split('.').slice(0, 2).join('.');
    const rows = await test.database.query<{ row: string }>('select s::text as row from shared.panel_session s where user_id = $1', [
      person.id,
    ]);
    expect(sid).toContain(venue.id);
    expect(JSON.stringify(rows)).not.toContain(sid.split('.')[1]);
  });
});

describe('an API key', () => {
  it('is suspended when its owner loses the right to the place, and works again when a colleague takes it over', async () => {
    const owner = await signedIn();
    const key = await owner.create('keys', { name: 'Website', scopes: ['event:read'] });
    const shown = await owner.act('keys', key.record!.id, 'reveal');
    const secret = /gkey_[\w-]+/.exec(JSON.stringify(shown))![0];
    const read = () => test.on(venue).get('/api/v2/events/').set('Authorization', `Api-Key ${secret}`);
    await read().expect(200);

    await test.app.get(UsersService).revoke(person.id, venue.id);
    // Before, it was always answered 200.
    expect((await read().expect(403)).body.code).toBe('key.suspended');

    person = await newPerson();
    const colleague = await signedIn();
    const [row] = (await colleague.list('keys')).records!;
    expect(row!.params['state']).toBe('suspended');
    expect((await colleague.act('keys', row!.id, 'takeOver')).notice?.message).toBe('takenOver');
    await read().expect(200);
  });

  it('is suspended when its owner loses the super-user right or the permission to create places', async () => {
    const users = test.app.get(UsersService);
    await users.grant(person.id, { isSuperUser: true, mayCreateTenants: true });
    await users.revoke(person.id, venue.id);
    const browser = await signedIn();
    for (const scopes of [['event:read'], ['place:write']]) await browser.create('keys', { name: 'Key', scopes });
    const states = () =>
      test.database.query<{ scopes: string[]; suspended: boolean }>(
        'select scopes, suspended_at is not null as suspended from shared.api_key where owner_id = $1 order by scopes',
        [person.id],
      );
    await users.grant(person.id, { mayCreateTenants: false });
    expect((await states()).map(({ suspended }) => suspended)).toEqual([false, true]);
    await users.grant(person.id, { isSuperUser: false });
    expect((await states()).map(({ suspended }) => suspended)).toEqual([true, true]);
  });
});

describe('the time of the last sign-in', () => {
  it('is noted later when a database server does not answer at the first one', async () => {
    const noted = async () => {
      const [row] = await test.database.query<{ at: Date | null }>('select last_sign_in_at as at from shared.user_account where id = $1', [
        person.id,
      ]);
      return row!.at;
    };
    const jobs = () => test.database.query<{ id: string }>(`select subject_id as id from shared.job where kind = 'first sign-in'`);
    const silent = jest.spyOn(test.app.get(TenantDb), 'silentNodes', 'get').mockReturnValue(['192.0.2.1:5432']);
    await signedIn();
    expect([await noted(), await jobs()]).toEqual([null, [{ id: person.id }]]);
    silent.mockRestore();
    test.app.get(JobRunner).start();
    const first = await until(noted, (at) => at !== null);
    await until(jobs, ({ length }) => length === 0);
    jest.spyOn(test.app.get(TenantDb), 'silentNodes', 'get').mockReturnValue(['192.0.2.1:5432']);
    await signedIn();
    // Later ones are not waited for.
    expect([await noted(), await jobs()]).toEqual([first, []]);
    jest.restoreAllMocks();
  });
});
