import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UsersService } from '#tenancy';
import { PanelClient, recordFaults, type PanelAnswer } from '../support/panel-client.js';
import { giveRight } from '../support/role-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let root: PanelClient;
let rootUserId: string;

beforeAll(async () => {
  test = await startTestApp();
  const { id, email, password } = await test.app.get(UsersService).create({ email: 'super@example.org', name: 'Super', isSuperUser: true });
  rootUserId = id;
  root = new PanelClient(test, 'localhost');
  expect((await root.signIn(email, password)).status).toBe(303);
});
afterAll(() => test.close());

const newUser = async (fields: object = {}): Promise<PanelAnswer> =>
  root.create('users', { email: `${randomUUID()}@example.org`, ...fields });
const reveal = async (userId: string): Promise<string> => String((await root.act('users', userId, 'reveal')).view!['text']);
/** Processes cache hosts for a second. */
const afterASecond = () => new Promise((resolve) => setTimeout(resolve, 1100));

describe('the Root panel', () => {
  it('starts with the figures of the server', async () => {
    const { body } = await root.call('get', '/api/dashboard').expect(200);
    expect(body).toMatchObject({
      kind: 'server',
      figures: [
        { resource: 'tenants', count: expect.any(Number) },
        { resource: 'users', count: expect.any(Number) },
      ],
      migrations: { behind: 0 },
      newest: expect.arrayContaining([expect.objectContaining({ name: 'Root', host: 'localhost' })]),
    });
    expect((body as { categories: unknown[] }).categories).toContainEqual(expect.objectContaining({ label: 'Root', count: 1 }));
  });

  it('has no section of a place, and a place none of Root', async () => {
    for (const resource of ['events', 'tickets', 'devices', 'keys']) {
      await root.call('get', `/api/resources/${resource}/actions/list`).expect(404);
    }
    const venue = await test.newTenant();
    const there = new PanelClient(test, venue);
    const { email, password } = await test.app.get(UsersService).create({ email: 'also@example.org', isSuperUser: true });
    await there.signIn(email, password);
    for (const resource of ['tenants', 'domains', 'users', 'administrators']) {
      await there.call('get', `/api/resources/${resource}/actions/list`).expect(404);
      await there.call('post', `/api/resources/${resource}/actions/new`).send({ name: 'x' }).expect(404);
    }
  });

  it('lists, filters and sorts every kind of record', async () => {
    await test.newTenant({ name: 'Filtered place', category: 'F' });
    for (const resource of ['tenants', 'domains', 'users', 'administrators']) {
      const { records } = await root.list(resource);
      for (const name of Object.keys(records?.[0]?.params ?? {})) await root.list(resource, { sortBy: name, direction: 'desc' });
      for (const { id } of records ?? []) expect((await root.look(resource, id)).record!.title).not.toBe('');
      expect(await root.look(resource, randomUUID())).toMatchObject({ notice: { message: 'error404Record' } });
    }
    const { records } = await root.list('tenants', { 'filters.name': 'filtered', 'filters.category': 'F' });
    expect(records!.map(({ title }) => title)).toEqual(['Filtered place']);
    expect(JSON.stringify(await root.list('users'))).not.toMatch(/password_?hash|argon2/i);
  });
});

describe('a tenant', () => {
  it('is created with its first administrator, and its panel opens', async () => {
    const user = await newUser();
    const password = await reveal(user.record!.id);
    const slug = `made-${Math.random().toString(36).slice(2, 8)}`;
    const made = await root.create('tenants', {
      name: 'Made here',
      slug,
      category: 'S',
      language: 'fr',
      timeZone: 'Indian/Reunion',
      ownerId: user.record!.id,
    });
    const { record } = await root.look('tenants', made.record!.id);
    expect(record!.params).toMatchObject({
      slug,
      host: `${slug}.localhost`,
      language: 'fr',
      timeZone: 'Indian/Reunion',
      'domains.items.0.title': `${slug}.localhost`,
      'administrators.items.0.details': user.record!.params['email'],
    });
    const there = new PanelClient(test, `${slug}.localhost`);
    expect((await there.signIn(String(user.record!.params['email']), password)).status).toBe(303);
    await there.list('events');
  });

  it('is refused with an invalid or used name, and as a second Root', async () => {
    const fields = { name: 'Unfit', slug: 'unfit', category: 'S', language: 'en', timeZone: 'Europe/Paris' };
    expect(recordFaults(await root.create('tenants', { ...fields, slug: 'not fit' }))).toEqual({
      slug: expect.stringContaining('sub-domain'),
    });
    expect(recordFaults(await root.create('tenants', { ...fields, slug: 'meta' }))).toEqual({
      slug: expect.stringContaining('already a tenant'),
    });
    expect(recordFaults(await root.create('tenants', { ...fields, timeZone: 'Mars/Olympus' }))).toEqual({
      timeZone: expect.any(String),
    });
    expect(recordFaults(await root.create('tenants', { ...fields, category: 'R' }))).toEqual({
      category: expect.stringContaining('only one'),
    });
    expect(recordFaults(await root.create('tenants', { ...fields, host: 'localhost' }))).toEqual({
      host: expect.stringContaining('reserved'),
    });
    expect(recordFaults(await root.create('tenants', { ...fields, ownerId: randomUUID() }))).toEqual({
      ownerId: expect.any(String),
    });
    expect(recordFaults(await root.create('tenants', {}))).toMatchObject({ name: 'fieldRequired', slug: 'fieldRequired' });
    const { records } = await root.list('tenants', { 'filters.name': 'Unfit' });
    expect(records).toEqual([]);
  });
});

describe('a domain', () => {
  it('is added, becomes primary and is removed', async () => {
    const venue = await test.newTenant();
    const host = `tickets-${venue.slug}.example.org`;
    expect((await root.create('domains', { host: host.toUpperCase(), tenantId: venue.id })).record!.id).toBe(host);
    await afterASecond();
    const redirect = await test.on(host).get('/admin').expect(302);
    expect(redirect.headers['location']).toBe(`http://${venue.host}/admin`);

    const refused = await root.act('domains', venue.host, 'delete');
    expect(refused.notice).toEqual({ type: 'error', message: expect.stringContaining('primary domain') });
    expect((await root.act('domains', host, 'makePrimary')).notice?.type).toBe('success');
    await afterASecond();
    expect((await test.on(venue).get('/admin').expect(302)).headers['location']).toBe(`http://${host}/admin`);
    await root.act('domains', venue.host, 'delete');
    await afterASecond();
    await test.on(venue).get('/admin').expect(404);
    await test.on(host).get('/admin/login').expect(200);
  });

  it('is refused when it is used, invalid or without a tenant', async () => {
    const venue = await test.newTenant();
    const add = async (host: string, tenantId = venue.id) => recordFaults(await root.create('domains', { host, tenantId }));
    expect(await add('meta.localhost')).toEqual({ host: expect.stringContaining('reserved') });
    expect(await add(venue.host)).toEqual({ host: expect.stringContaining('taken') });
    for (const host of [
      'https://a.example',
      'a.example:80',
      'a..example',
      '-a.example',
      'a b',
      '‍.example',
      '192.0.2.1',
      'a/b',
      `${'a'.repeat(64)}.example`,
    ]) {
      expect(await add(host)).toEqual({ host: expect.stringContaining('host name') });
    }
    expect(await add('fine.example.org', randomUUID())).toEqual({ tenantId: expect.any(String) });
  });

  it('is primary at most once per tenant, also in simultaneous requests', async () => {
    const venue = await test.newTenant();
    const hosts = ['one', 'two', 'three', 'four'].map((name) => `${name}-${venue.slug}.example.org`);
    for (const host of hosts) await root.create('domains', { host, tenantId: venue.id });
    const answers = await Promise.all(hosts.map((host) => root.act('domains', host, 'makePrimary')));
    expect(answers.map(({ notice }) => notice?.type)).toEqual(hosts.map(() => 'success'));
    const rows = await test.database.query('select host from shared.domain where tenant_id = $1 and is_primary', [venue.id]);
    expect(rows).toHaveLength(1);
  });
});

describe('a user', () => {
  it('gets a generated password, shown once, or the entered one', async () => {
    const invented = await newUser();
    const id = invented.record!.id;
    expect(invented.redirectUrl).toBe(`/admin/resources/users/records/${id}/reveal`);
    expect(await reveal(id)).toMatch(/^([a-zX2-9]{4}-){4}[a-zX2-9]{4}$/);
    expect((await root.act('users', id, 'reveal')).view).toEqual({ state: 'gone' });
    const typed = await newUser({ password: 'a typed password', name: 'Typed', isSuperUser: 'true' });
    expect(typed.redirectUrl).toMatch(/\/show$/);
    expect(JSON.stringify(typed)).not.toContain('"a typed password"');
    expect((await new PanelClient(test, 'localhost').signIn(String(typed.record!.params['email']), 'a typed password')).status).toBe(303);
    expect(recordFaults(await newUser({ password: 'short' }))).toEqual({
      password: expect.stringContaining('10'),
    });
    expect(recordFaults(await root.create('users', { email: 'not an address' }))).toEqual({ email: expect.any(String) });
    expect(recordFaults(await root.create('users', { email: 'SUPER@example.org' }))).toEqual({
      email: expect.stringContaining('already'),
    });
  });

  it('gets a new password, which ends the old one and its sessions', async () => {
    const { record } = await newUser({ password: 'the first password', isSuperUser: 'true' });
    const email = String(record!.params['email']);
    const client = new PanelClient(test, 'localhost');
    await client.signIn(email, 'the first password');
    const answer = await root.act('users', record!.id, 'newPassword');
    expect(answer.redirectUrl).toBe(`/admin/resources/users/records/${record!.id}/reveal`);
    await client.call('get', '/api/dashboard').expect(401);
    expect((await client.signIn(email, 'the first password')).status).toBe(401);
    expect((await client.signIn(email, await reveal(record!.id))).status).toBe(303);
    await root.act('users', record!.id, 'edit', { password: 'the third password' });
    expect((await client.signIn(email, 'the third password')).status).toBe(303);
  });

  it('gets a new name and address, and signs in with the new address', async () => {
    const { record } = await newUser({ password: 'a typed password', isSuperUser: 'true' });
    const email = `${randomUUID()}@example.org`;
    const edit = (change: object) => root.act('users', record!.id, 'edit', change);
    expect((await edit({ name: 'Corrected', email: email.toUpperCase() })).notice?.type).toBe('success');
    expect((await root.look('users', record!.id)).record!.params).toMatchObject({
      name: 'Corrected',
      email,
      isSuperUser: true,
    });
    expect((await new PanelClient(test, 'localhost').signIn(email, 'a typed password')).status).toBe(303);
    expect(recordFaults(await edit({ email: 'super@example.org' }))).toEqual({ email: expect.stringContaining('already') });
  });

  it('gets and loses the permission to create tenants and the super-user right', async () => {
    const { record } = await newUser({ password: 'a typed password' });
    const rights = async () => (await root.look('users', record!.id)).record!.params;
    expect(await rights()).toMatchObject({ mayCreateTenants: false, isSuperUser: false });
    await root.act('users', record!.id, 'edit', { mayCreateTenants: 'true' });
    expect(await rights()).toMatchObject({ mayCreateTenants: true, isSuperUser: false });
    await root.act('users', record!.id, 'edit', { mayCreateTenants: 'false', isSuperUser: 'true' });
    expect(await rights()).toMatchObject({ mayCreateTenants: false, isSuperUser: true });
    expect(recordFaults(await root.act('users', rootUserId, 'edit', { isSuperUser: 'false' }))).toEqual({
      isSuperUser: 'notYourself',
    });
    await root.call('get', '/api/dashboard').expect(200);
  });

  it('gets and loses access to places', async () => {
    const venue = await test.newTenant();
    const { record } = await newUser({ password: 'a typed password' });
    const there = new PanelClient(test, venue);
    const signIn = () => there.signIn(String(record!.params['email']), 'a typed password');
    expect((await signIn()).status).toBe(401);
    const granted = await root.create('administrators', { userId: record!.id, tenantId: venue.id });
    expect((await signIn()).status).toBe(303);
    expect((await root.look('users', record!.id)).record!.params['tenants.items.0.title']).toBe(venue.name);
    await root.act('administrators', granted.record!.id, 'delete');
    await there.call('get', '/api/dashboard').expect(401);
    // Also a right with limits.
    await giveRight(test, venue, record!.id, { role: 'boxOffice' });
    expect((await signIn()).status).toBe(303);
    expect((await root.look('administrators', granted.record!.id)).record!.params).toMatchObject({ role: 'Box office' });
    expect((await root.look('users', record!.id)).record!.params['tenants.items.0.title']).toBe(venue.name);
    await root.act('administrators', granted.record!.id, 'delete');
    await there.call('get', '/api/dashboard').expect(401);
    expect(recordFaults(await root.create('administrators', { userId: randomUUID(), tenantId: venue.id }))).toEqual({
      userId: 'fieldReference',
    });
    expect(recordFaults(await root.create('administrators', { userId: record!.id, tenantId: randomUUID() }))).toEqual({
      tenantId: 'fieldReference',
    });
  });
});
