import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UsersService, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newDevice, newEvent, newTickets, type PairedDevice } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
/** The same application without a trusted proxy. */
let direct: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;
let networks = 0;

/** A network without earlier requests. */
const newNetwork = (): string => `198.51.${(networks += 1)}.1`;

beforeAll(async () => {
  const environment = {
    RATE_PAGES: '5/10min',
    RATE_PICTURES: '3/10min',
    RATE_SIGN_IN: '3/10min',
    RATE_PAIRING: '2/2s',
    RATE_UNKNOWN_KEYS: '3/10min',
    RATE_KEY_READS: '3/10min',
    RATE_KEY_WRITES: '2/10min',
    RATE_BOOKINGS: '4/10min',
    RATE_SCANS: '6/10min',
    WORKER: 'separate',
  };
  test = await startTestApp({ environment: { ...environment, TRUSTED_PROXIES: '127.0.0.1' } });
  direct = await startTestApp({ environment, database: test.database });
  [venue, other] = [await test.newTenant(), await test.newTenant()];
});
afterAll(async () => {
  await direct.close();
  await test.close();
});

/** Sends the same request several times from a network. @returns the statuses */
async function ask(times: number, send: () => supertest.Test, network = newNetwork()): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const answer = await send().set('X-Forwarded-For', network);
    statuses.push(answer.status);
    if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  return statuses;
}

const page = (tenant = venue): supertest.Test => test.on(tenant).get('/');
const get = (path: string, key: string, tenant = venue): supertest.Test => test.on(tenant).get(path).set('Authorization', key);

/** A device paired from its own network. */
async function pairedDevice(tenant: TenantIdentity): Promise<PairedDevice> {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return newDevice(test, tenant);
}

describe('visitors', () => {
  it('of one network share one bucket; other networks and other limits have their own', async () => {
    const network = newNetwork();
    expect(await ask(7, page, network)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await ask(1, page)).toEqual([200]);
    expect(await ask(4, () => test.on(venue).get('/images/x/fhd.webp'), network)).toEqual([404, 404, 404, 429]);
  });

  it('get a page in their language, programs a problem', async () => {
    const network = newNetwork();
    await ask(5, page, network);
    const french = await page().set({ 'X-Forwarded-For': network, 'Accept-Language': 'fr', Accept: 'text/html' });
    expect([french.status, french.type]).toEqual([429, 'text/html']);
    expect(french.text).toContain('<h1>Trop de requêtes</h1>');
    const events = await test.on(venue).get('/api/events/').set('X-Forwarded-For', network);
    expect([events.status, events.body.code]).toEqual([429, 'rate.limited']);
    const panel = await new PanelClient(test, venue).call('get', '/login').set('X-Forwarded-For', network);
    expect([panel.status, panel.type]).toEqual([429, 'text/html']);
    expect(panel.text).toContain('Too many requests');
  });

  it('are not limited for static files and health checks', async () => {
    const network = newNetwork();
    await ask(6, page, network);
    const [asset] = /\/assets\/[\w.-]+\.css/.exec((await page().set('X-Forwarded-For', newNetwork())).text) ?? [''];
    expect(await ask(8, () => test.on(venue).get(asset), network)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await ask(8, () => test.on(venue).get('/live'), network)).toEqual(Array.from({ length: 8 }, () => 200));
  });

  it('cannot choose their network without a trusted proxy', async () => {
    const statuses = await ask(1, () => direct.on(venue).get('/'));
    for (let time = 0; time < 6; time += 1) statuses.push(...(await ask(1, () => direct.on(venue).get('/'))));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it('cannot guess pairing codes, and are answered after the announced time', async () => {
    const network = newNetwork();
    const guess = () =>
      test
        .on(venue)
        .get(`/scan/${'x'.repeat(43)}/pair`)
        .set('X-Forwarded-For', network);
    const statuses = [await guess(), await guess(), await guess()].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 429]);
    const { headers, body } = await guess();
    expect(body).toMatchObject({ success: false, code: 'rate.limited' });
    await new Promise((resolve) => setTimeout(resolve, Number(headers['retry-after']) * 1000));
    expect((await guess()).status).toBe(404);
  });
});

describe('sign-in', () => {
  it('from one network is limited for all addresses; a known browser is counted separately', async () => {
    const users = test.app.get(UsersService);
    const person = await users.create({ email: 'staff@example.org', name: 'Staff' });
    await users.grant(person.id, { tenantId: venue.id });
    const network = newNetwork();
    class Browser extends PanelClient {
      override call(method: 'get' | 'post', path: string): ReturnType<PanelClient['call']> {
        return super.call(method, path).set('X-Forwarded-For', network);
      }
    }
    const known = new Browser(test, venue);
    expect((await known.signIn(person.email, person.password)).status).toBe(303);
    const others: number[] = [];
    for (let number = 0; number < 4; number += 1)
      others.push((await new Browser(test, venue).signIn(`nobody${number}@example.org`, 'wrong')).status);
    expect(others).toEqual([401, 401, 429, 429]);
    expect((await known.call('post', '/logout')).status).toBe(303);
    expect((await known.signIn(person.email, person.password)).status).toBe(303);
    // A mark that is not this person's is a strange browser.
    const borrowed = new Browser(test, venue);
    borrowed.cookie = known.cookie;
    expect((await borrowed.signIn('nobody5@example.org', 'wrong')).status).toBe(429);
  });

  it('in the known browsers of one person has one limit', async () => {
    const users = test.app.get(UsersService);
    const person = await users.create({ email: 'collector@example.org', name: 'Collector' });
    await users.grant(person.id, { tenantId: venue.id });
    class Browser extends PanelClient {
      private readonly network = newNetwork();
      override call(method: 'get' | 'post', path: string): ReturnType<PanelClient['call']> {
        return super.call(method, path).set('X-Forwarded-For', this.network);
      }
    }
    const browsers = [new Browser(test, venue), new Browser(test, venue)];
    for (const browser of browsers) {
      expect((await browser.signIn(person.email, person.password)).status).toBe(303);
      await browser.call('post', '/logout').expect(303);
    }
    const statuses: number[] = [];
    for (let time = 0; time < 3; time += 1)
      for (const browser of browsers) statuses.push((await browser.signIn(person.email, 'wrong')).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
  });

  it('that is refused costs no statement, and is answered in the reader’s language, to programs as a problem', async () => {
    const network = newNetwork();
    const attempt = (headers: object) => {
      const sent = new PanelClient(test, venue)
        .call('post', '/login')
        .set({ 'X-Forwarded-For': network, 'Accept-Encoding': 'gzip', ...headers });
      return sent.type('form').send({ email: 'nobody@example.org', password: 'wrong' });
    };
    const query = jest.spyOn(pg.Client.prototype, 'query');
    // Background work sends statements, too.
    const ofSignIn = (): string[] => {
      const sent = query.mock.calls.map(([one]) => (typeof one === 'string' ? one : (one as unknown as { text: string }).text));
      return sent.filter((text) => /sign_in|panel_session|shared"?\."?user/.test(text));
    };
    for (let time = 0; time < 3; time += 1) expect((await attempt({})).status).toBe(401);
    expect(ofSignIn()).not.toEqual([]);
    query.mockClear();
    const french = await attempt({ Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'fr' });
    expect([french.status, french.type, french.headers['content-encoding']]).toEqual([429, 'text/html', undefined]);
    expect(french.text).toContain('<h1>Trop de requêtes</h1>');
    const program = await attempt({ Accept: 'application/json', 'Accept-Language': 'fr' });
    expect([program.status, program.type, program.body.code]).toEqual([429, 'application/problem+json', 'rate.limited']);
    expect(program.body.detail).toContain('Réessayez');
    for (const { headers } of [french, program]) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    // The session is not looked up either.
    const session = await attempt({ Cookie: 'guichet=s%3Ax.y; guichet-browser=x' });
    expect(session.status).toBe(429);
    expect(ofSignIn()).toEqual([]);
    query.mockRestore();
  });
});

describe('keys and devices', () => {
  it('have their own buckets, also behind one address, and separate ones for reads, writes and bookings', async () => {
    const scopes = ['reservation:read', 'reservation:write', 'event:write'] as const;
    const [one, two] = [await newKey(test, venue, ...scopes), await newKey(test, venue, ...scopes)];
    const foreign = await newKey(test, other, ...scopes);
    const network = newNetwork();
    const list = (key: string, tenant = venue) => ask(4, () => get('/api/v2/reservations/?page=1', key, tenant), network);
    const three = [200, 200, 200, 429];
    expect([await list(one), await list(two), await list(foreign, other)]).toEqual([three, three, three]);
    const post = (path: string) => () => test.on(venue).post(path).set('Authorization', one).send({});
    expect(await ask(3, post('/api/v2/events/'), network)).toEqual([400, 400, 429]);
    expect(await ask(5, post('/api/v2/reservations/'), network)).toEqual([400, 400, 400, 400, 429]);
  });

  it('scan behind one address without affecting each other', async () => {
    const event = await newEvent(test, venue);
    const tickets = await newTickets(test, venue, { event, count: 10 });
    const [first, second] = [await pairedDevice(venue), await pairedDevice(venue)];
    const network = newNetwork();
    const scan = (device: PairedDevice) => () =>
      test.on(venue).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: tickets.pop()?.code });
    expect(await ask(7, scan(first), network)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(await ask(2, scan(second), network)).toEqual([200, 200]);
  });

  it('that are invalid count for their network, and valid ones of that network are not affected', async () => {
    const good = await newKey(test, venue, 'event:read');
    const network = newNetwork();
    const guess = () => get('/api/v2/events/', `Api-Key gkey_${'a'.repeat(60)}`);
    expect(await ask(1, () => get('/api/v2/events/', good), network)).toEqual([200]);
    expect(await ask(4, guess, network)).toEqual([401, 401, 401, 429]);
    expect(await ask(1, () => get('/api/v2/events/', good), network)).toEqual([200]);
    // A key that was not used recently is limited like the guesses; from another network it is accepted and does not count there.
    const late = await newKey(test, venue, 'event:read');
    expect(await ask(1, () => get('/api/v2/events/', late), network)).toEqual([429]);
    expect(await ask(2, () => get('/api/v2/events/', late))).toEqual([200, 200]);
    expect(await ask(1, () => get('/api/v2/events/', late), network)).toEqual([200]);
  });

  it('that are guessed simultaneously are limited, too', async () => {
    const network = newNetwork();
    const guesses = Array.from({ length: 20 }, () => ask(1, () => get('/api/v2/events/', `Api-Key gkey_${'b'.repeat(60)}`), network));
    const statuses = (await Promise.all(guesses)).flat();
    expect(statuses.filter((status) => status === 401)).toHaveLength(3);
  });
});
