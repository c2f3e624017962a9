import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignInService, UsersService, type TenantIdentity } from '#tenancy';
import supertest from 'supertest';
import { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const lines: string[] = [];
let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;
let people = 0;

beforeAll(async () => {
  test = await startTestApp({ log: (line) => lines.push(line) });
  venue = await test.newTenant({ name: '</script><script>alert("place")</script>' });
  other = await test.newTenant();
});
afterAll(() => test.close());

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** A new user; default: an administrator of the venue. */
async function newPerson(rights: { tenantId?: string; isSuperUser?: boolean } = { tenantId: venue.id }): Promise<Person> {
  people += 1;
  const users = test.app.get(UsersService);
  const person = await users.create({ email: `staff${people}@example.org`, name: `Staff ${people}` });
  await users.grant(person.id, rights);
  return person;
}

async function signedIn(person: Person, where: string | TenantIdentity = venue): Promise<PanelClient> {
  const client = new PanelClient(test, where);
  const answer = await client.signIn(person.email, person.password);
  expect(answer.status).toBe(303);
  return client;
}

const deviceNames = async (): Promise<string[]> =>
  (await test.database.query<{ name: string }>(`select name from "${venue.schemaName}".scanning_device`)).map(({ name }) => name);

describe('signing in', () => {
  it('opens the panel with the right password, and answers wrong passwords and unknown users alike', async () => {
    const person = await newPerson();
    const wrong = await new PanelClient(test, venue).signIn(person.email, 'not the password');
    const nobody = await new PanelClient(test, venue).signIn('nobody@example.org', 'not the password');
    expect([wrong.status, nobody.status]).toEqual([401, 401]);
    expect(wrong.text.replaceAll(person.email, '')).toBe(nobody.text.replaceAll('nobody@example.org', ''));
    const client = await signedIn(person);
    await client.call('get', '').expect(200);
    const { body } = await client.call('get', '/api/dashboard').expect(200);
    expect(body).toMatchObject({ kind: 'tonight', events: [] });
  });

  it('protects the cookie from scripts and other sites', async () => {
    const person = await newPerson();
    const answer = await new PanelClient(test, venue).signIn(person.email, person.password);
    const cookies = [answer.headers['set-cookie']].flat();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/^guichet(-browser)?=.*; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/);
  });

  it('locks after five failures, for the right password too, and shows how long', async () => {
    const person = await newPerson();
    const guess = (password: string) => new PanelClient(test, venue).signIn(person.email, password);
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await guess('not the password')).status).toBe(401);
    const locked = await guess(person.password);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(30);
  });

  it('accepts no more than five of twenty simultaneous guesses', async () => {
    const person = await newPerson();
    const guesses = Array.from({ length: 20 }, (_, index) => new PanelClient(test, venue).signIn(person.email, `guess number ${index}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    // The password queue takes twelve of one network at once and refuses the others.
    expect(statuses.filter((status) => status === 429 || status === 503)).toHaveLength(15);
  });

  it('gives administrators access to their own place only, and super-users to all', async () => {
    const administrator = await newPerson();
    for (const where of [other, 'localhost']) {
      const answer = await new PanelClient(test, where).signIn(administrator.email, administrator.password);
      expect(answer.status).toBe(401);
    }
    const superUser = await newPerson({ isSuperUser: true });
    for (const where of [venue, other, 'localhost', 'meta.localhost']) await signedIn(superUser, where);
  });

  it('refuses an administrator of Root without the super-user right', async () => {
    const [root] = await test.database.query<{ id: string }>(`select id from shared.tenant where category = 'R'`);
    const person = await newPerson({ tenantId: root!.id });
    expect((await new PanelClient(test, 'localhost').signIn(person.email, person.password)).status).toBe(401);
  });
});

describe('the session', () => {
  it('belongs to one place: on another host it does not work, and it stays valid at home', async () => {
    const client = await signedIn(await newPerson({ isSuperUser: true }));
    for (const where of [other, 'localhost']) {
      const thief = new PanelClient(test, where);
      thief.cookie = client.cookie;
      const page = await thief.call('get', '');
      expect([page.status, page.headers['location']]).toEqual([302, '/admin/login']);
      await thief.call('get', '/api/dashboard').expect(401);
      await thief.call('post', '/logout').expect(303);
    }
    await client.call('get', '/api/dashboard').expect(200);
  });

  it('gets a new id at the sign-in', async () => {
    const person = await newPerson();
    const client = new PanelClient(test, venue);
    client.cookie = 'guichet=s%3Aplanted';
    await client.signIn(person.email, person.password);
    const first = client.cookie;
    await client.call('post', '/logout').expect(303);
    await client.call('get', '/api/dashboard').expect(401);
    await client.signIn(person.email, person.password);
    expect(client.cookie).not.toBe(first);
  });

  it('is stored in PostgreSQL and works in other processes', async () => {
    const client = await signedIn(await newPerson());
    const second = await startTestApp({ database: test.database });
    try {
      const there = new PanelClient(second, venue);
      there.cookie = client.cookie;
      await there.call('get', '/api/dashboard').expect(200);
    } finally {
      await second.close();
    }
    await client.call('get', '/api/dashboard').expect(200);
  });

  it('ends when the right is removed', async () => {
    const revoked = await newPerson();
    const first = await signedIn(revoked);
    await test.app.get(UsersService).revoke(revoked.id, venue.id);
    await first.call('get', '/api/dashboard').expect(401);

    // Also when the row is deleted without the service, which would end the sessions.
    const removed = await newPerson();
    const second = await signedIn(removed);
    await test.database.query('delete from shared.tenant_administrator where user_id = $1', [removed.id]);
    await second.call('get', '/api/dashboard').expect(401);

    const superUser = await newPerson({ isSuperUser: true });
    const third = await signedIn(superUser, 'localhost');
    await test.app.get(UsersService).grant(superUser.id, { isSuperUser: false });
    await third.call('get', '/api/resources/tenants/actions/list').expect(401);
  });

  it('ends everywhere with a new password', async () => {
    const person = await newPerson();
    const client = await signedIn(person);
    await test.app.get(UsersService).setPassword(person.id);
    await client.call('get', '/api/dashboard').expect(401);
    expect(await test.inside(venue, () => test.app.get(SignInService).authenticate(person))).toEqual({
      ok: false,
      reason: 'invalid',
    });
  });
});

describe('the protection against requests of other sites', () => {
  const foreign: Record<string, string>[] = [
    {},
    { Origin: 'http://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://localhost' },
  ];
  it.each(foreign)('refuses a form with %j, as JSON and multipart', async (headers) => {
    const client = await signedIn(await newPerson());
    const post = (path: string) =>
      supertest(`http://127.0.0.1:${test.port}`).post(`/admin${path}`).set('Host', venue.host).set('Cookie', client.cookie).set(headers);
    await post('/api/resources/devices/actions/new').send({ name: 'Foreign door' }).expect(403);
    await post('/api/resources/devices/actions/new').field('name', 'Foreign door').expect(403);
    await post('/login').type('form').send({ email: 'a@example.org', password: 'x' }).expect(403);
    await post('/logout').expect(403);
    await client.call('get', '/api/dashboard').expect(200);
    expect(await deviceNames()).not.toContain('Foreign door');
  });

  it('accepts a page of this host by its origin', async () => {
    const client = await signedIn(await newPerson());
    await supertest(`http://127.0.0.1:${test.port}`)
      .post('/admin/api/resources/devices/actions/new')
      .set({ Host: venue.host, Cookie: client.cookie, Origin: `http://${venue.host}` })
      .field('name', 'Own door')
      .expect(200);
    expect(await deviceNames()).toContain('Own door');
  });
});

describe('the content of pages and log', () => {
  it('is not changed by markup in the name of a place', async () => {
    const client = await signedIn(await newPerson());
    const { text } = await client.call('get', '').expect(200);
    expect(text).not.toContain('<script>alert');
    expect(text.match(/<\/script>/g)).toHaveLength(text.match(/<script/g)!.length);
    const form = await new PanelClient(test, venue).call('get', '/login').expect(200);
    expect(form.text.match(/<script[^>]*>/g)).toEqual([expect.stringMatching(/^<script defer src="\/admin\/[^"]*passkeys[^"]*">$/)]);
  });

  it('uses the requested language, else that of the place', async () => {
    const french = await test.newTenant({ language: 'fr' });
    const page = (language: string) => new PanelClient(test, french).call('get', '/login').set('Accept-Language', language);
    expect((await page('it')).text).toContain('<html lang="fr">');
    expect((await page('en')).text).toContain('<html lang="en">');
  });

  it('answers its data in the language that was chosen, as its pages', async () => {
    const client = await signedIn(await newPerson());
    client.cookie += '; guichet-language=de';
    const form = await client.call('get', '/api/resources/people/actions/invite').set('Accept-Language', 'en').expect(200);
    expect((form.body as { view: { submit: string } }).view.submit).toBe('Einladen');
  });

  it('keeps passwords, cookies, pairing codes and keys out of the log', async () => {
    const person = await newPerson();
    const client = await signedIn(person);
    const { record } = await client.create('devices', { name: 'Door of the log' });
    const { view } = await client.look('devices', record!.id, 'pair');
    const token = /\/scan\/([\w-]{43})\/pair$/.exec(String(view!['address']))![1]!;
    const key = await client.create('keys', { name: 'Site', scopes: ['event:read'] });
    const shown = await client.act('keys', key.record!.id, 'reveal');
    await test.on(venue).get(`/scan/${token}/pair`).expect(200);
    const log = lines.join('\n');
    expect(lines.length).toBeGreaterThan(20);
    for (const secret of [token, String(shown.view!['text']), person.password, client.cookie.slice(-40)]) expect(log).not.toContain(secret);
  });

  it('logs errors with the request id, and shows users only that an error happened', async () => {
    const client = await signedIn(await newPerson());
    await test.database.query(`alter table "${venue.schemaName}".product rename to product_gone`);
    try {
      const answer = await client.call('get', '/api/resources/products/actions/list').set('X-Request-Id', 'broken-list').expect(500);
      expect(answer.text).not.toMatch(/product|relation|select/i);
    } finally {
      await test.database.query(`alter table "${venue.schemaName}".product_gone rename to product`);
    }
    const line = lines.map((each) => JSON.parse(each) as Record<string, unknown>).find(({ msg }) => msg === 'panel');
    expect(line).toMatchObject({ level: 'error', requestId: 'broken-list' });
  });
});
