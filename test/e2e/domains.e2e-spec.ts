import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RefusedInput } from '#kernel';
import { ApiKeysService, DomainsService, TenantHistoryService, TenantsService, UsersService, type TenantIdentity } from '#tenancy';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Two processes on one database. */
let test: TestApp;
let other: TestApp;
let root: PanelClient;
let domains: DomainsService;
let superUser: { email: string; password: string };

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some', environment: { DOMAINS_PER_TENANT: '4', RATE_PAGES: '100000/min' } });
  other = await startTestApp({ database: test.database, environment: { RATE_PAGES: '20/h' } });
  domains = test.app.get(DomainsService);
  superUser = await test.app.get(UsersService).create({ email: 'super@example.org', isSuperUser: true });
  root = new PanelClient(test, 'localhost');
  await root.signIn(superUser.email, superUser.password);
});
afterAll(async () => {
  await other.close();
  await test.close();
});

const faults = ({ record }: PanelAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(record?.errors ?? {}).map(([name, { message }]) => [name, message]));
const rowsOf = (host: string) =>
  test.database.query<{ tenant_id: string; is_primary: boolean }>('select tenant_id, is_primary from shared.domain where host = $1', [
    host,
  ]);
const primaries = (tenant: TenantIdentity) =>
  test.database.query('select host from shared.domain where tenant_id = $1 and is_primary', [tenant.id]);
/** Processes cache hosts for a second. */
const aSecond = () => pass(1050);

describe('a domain', () => {
  it('may be entered in Unicode, is stored in ASCII, and is shown in both forms where that is safe', async () => {
    const venue = await test.newTenant();
    const made = await root.create('domains', { host: ' Müsik.Example. ', tenantId: venue.id });
    expect(made.record!.id).toBe('xn--msik-0ra.example');
    expect((await root.look('domains', 'xn--msik-0ra.example')).record!.params).toMatchObject({
      host: 'xn--msik-0ra.example',
      unicode: 'müsik.example',
    });
    await test.on('xn--msik-0ra.example').get('/').expect(302);
    const lookAlike = await domains.add(venue.id, 'аррӏе.example');
    const { records } = await root.list('domains', { 'filters.host': lookAlike.host });
    expect(records![0]!.params['unicode'] ?? null).toBeNull();
    expect(JSON.stringify((await root.look('tenants', venue.id)).record!.params)).toContain('müsik.example');
  });

  it('is refused below a reserved name, like a slug; a tenant keeps such a name that it already has', async () => {
    const venue = await test.newTenant();
    const { tenantId, ...values } = { tenantId: venue.id, name: 'x', category: 'S', language: 'en', timeZone: 'UTC' };
    for (const host of ['www.localhost', 'deep.admin.localhost', 'localhost'])
      expect(faults(await root.create('domains', { host, tenantId }))).toEqual({ host: expect.stringContaining('reserved') });
    expect(faults(await root.create('tenants', { ...values, slug: 'www' }))).toEqual({ slug: expect.stringContaining('reserved') });
    expect(faults(await root.create('tenants', { ...values, slug: 'fine', host: 'mail.localhost' }))).toEqual({ host: expect.any(String) });
    await test.database.query(`update shared.domain set host = 'status.localhost' where tenant_id = $1`, [tenantId]);
    await domains.add(tenantId, `more-${venue.slug}.example`);
    await test.on('status.localhost').get('/').expect(200);
    await domains.makePrimary('status.localhost');
  });

  it('is limited in number, also when many are added at once', async () => {
    const venue = await test.newTenant();
    const added = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => domains.add(venue.id, `n${index}-${venue.slug}.example`)),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await domains.list(venue.id)).toHaveLength(4);
  });
});

describe('a move to another tenant', () => {
  it('is applied by every process within a second; sessions and keys stay with their tenant', async () => {
    const [from, to] = [await test.newTenant({ name: 'From' }), await test.newTenant({ name: 'To' })];
    const host = `moves-${from.slug}.example`;
    await domains.add(from.id, host);
    await domains.makePrimary(host);
    const { key } = await test.inside(from, () =>
      test.app.get(ApiKeysService).createIntegrationKey({ name: 'Agenda', scopes: ['event:read'] }),
    );
    const authorization = `Api-Key ${key}`;
    const staff = new PanelClient(test, host);
    expect((await staff.signIn(superUser.email, superUser.password)).status).toBe(303);
    await staff.call('get', '/api/dashboard').expect(200);
    await test.on(host).get('/api/v2/events/').set('Authorization', authorization).expect(200);
    await other.on(host).get('/api/v2/events/').set('Authorization', authorization).expect(200);

    const form = (await root.look('domains', host, 'move')).view as { fields: { name: string }[] };
    expect(form.fields.map(({ name }) => name)).toEqual(['slug', 'newPrimary']);
    expect(faults(await root.act('domains', host, 'move', { slug: 'nobody' }))).toEqual({ slug: expect.any(String) });
    expect(faults(await root.act('domains', host, 'move', { slug: to.slug }))).toEqual({ newPrimary: expect.any(String) });
    expect(faults(await root.act('domains', host, 'move', { slug: to.slug, newPrimary: to.host }))).toEqual({
      newPrimary: expect.any(String),
    });
    expect(faults(await root.act('domains', host, 'move', { slug: from.slug, newPrimary: from.host }))).toEqual({
      slug: expect.any(String),
    });
    expect(await rowsOf(host)).toEqual([{ tenant_id: from.id, is_primary: true }]);
    const moved = await root.act('domains', host, 'move', { slug: to.slug, newPrimary: from.host });
    expect(moved.notice?.type).toBe('success');
    expect(await rowsOf(host)).toEqual([{ tenant_id: to.id, is_primary: false }]);
    expect(await primaries(from)).toEqual([{ host: from.host }]);
    await aSecond();
    for (const app of [test, other]) {
      await app.on(host).get('/api/v2/events/').set('Authorization', authorization).expect(401);
      expect((await app.on(host).get('/').expect(302)).headers['location']).toBe(`http://${to.host}/`);
      await app.on(from).get('/api/v2/events/').set('Authorization', authorization).expect(200);
    }
    await domains.makePrimary(host);
    await aSecond();
    await staff.call('get', '/api/dashboard').expect(401);
    const history = await test.database.query(
      `select actor, action, details->>'to' as to from shared.tenant_change where tenant_id = $1 and action = 'domain_moved'`,
      [from.id],
    );
    expect(history).toEqual([{ actor: 'super@example.org', action: 'domain_moved', to: to.slug }]);
    for (const { id, schemaName } of [from, to]) {
      const changes = await test.app.get(TenantHistoryService).list(id);
      expect(changes.filter(({ action }) => action === 'domain_moved')).toHaveLength(1);
      const own = `select from "${schemaName}".change where object = 'tenant' and action = 'domain_moved'`;
      expect(await test.database.query(own)).toHaveLength(1);
    }
    await expect(test.database.query(`delete from shared.tenant_change`)).rejects.toThrow('append-only');
  });

  it('has one winner of many simultaneous moves, and both tenants keep one primary domain', async () => {
    const from = await test.newTenant();
    const targets = await Promise.all(Array.from({ length: 6 }, () => test.newTenant()));
    const host = `raced-${from.slug}.example`;
    await domains.add(from.id, host);
    await domains.makePrimary(host);
    const processes = [domains, other.app.get(DomainsService)];
    const moves = await Promise.allSettled(
      targets.map(({ id }, index) => processes[index % 2]!.move(host, id, { from: from.id, newPrimary: from.host })),
    );
    const winners = moves.flatMap(({ status }, index) => (status === 'fulfilled' ? [targets[index]!.id] : []));
    expect(winners).toHaveLength(1);
    for (const move of moves) if (move.status === 'rejected') expect(move.reason).toBeInstanceOf(RefusedInput);
    expect(await rowsOf(host)).toEqual([{ tenant_id: winners[0], is_primary: false }]);
    for (const tenant of [from, ...targets]) expect(await primaries(tenant)).toHaveLength(1);
    // Concurrent moves and changes of the primary domain: every tenant keeps exactly one primary domain.
    const [a, b] = [targets[0]!, targets[1]!];
    const extra = [`e1-${a.slug}.example`, `e2-${a.slug}.example`];
    for (const name of extra) await domains.add(a.id, name);
    await Promise.allSettled([
      domains.makePrimary(extra[0]!),
      other.app.get(DomainsService).move(extra[0]!, b.id, { newPrimary: extra[1]! }),
      domains.makePrimary(extra[1]!),
      other.app.get(DomainsService).remove(extra[1]!),
    ]);
    for (const tenant of [a, b]) expect(await primaries(tenant)).toHaveLength(1);
  });
});

describe('GET /tls/ask', () => {
  it('tells a proxy which hosts may get a certificate, on any host and without one', async () => {
    const venue = await test.newTenant();
    for (const host of [venue.host, venue.host.toUpperCase(), `${venue.host}.`, 'localhost', 'meta.localhost'])
      await test.on('guichet:3000').get(`/tls/ask?domain=${host}`).expect(200);
    await test.on('unknown.example').get(`/tls/ask/?domain=${venue.host}`).expect(200, { domain: venue.host });
    const strange = [
      '',
      'nobody.example',
      'a..b',
      '*.localhost',
      '127.0.0.1',
      '[::1]',
      '%00',
      '%ff%fe',
      'a%2fb',
      `${venue.host}%00`,
      `x.${venue.host}`,
      'a'.repeat(5000),
      '%F0%9F%98%80.example',
      '%C3%A9'.repeat(400),
      `${venue.host}:443`,
      `https://${venue.host}/`,
      'a&domain=b',
    ];
    for (const domain of strange) {
      const { status, body } = await test.on('localhost').get(`/tls/ask?domain=${domain}`);
      // Bytes that are not text are refused before the look-up.
      const [expected, code] = /%00|%ff/.test(domain) ? [400, 'request.text'] : [404, 'tenant.unknown'];
      expect([domain, status, body.code]).toEqual([domain, expected, code]);
    }
    await test.on('localhost').get('/tls/ask').expect(404);
    await test.on('localhost').get(`/tls/ask?domain[]=${venue.host}`).expect(404);
    await test.on('localhost').post(`/tls/ask?domain=${venue.host}`).expect(405);
    const { id } = await test.app.get(TenantsService).create({ slug: `gone-${randomUUID().slice(0, 8)}`, name: 'x', category: 'S' });
    const [gone] = await test.database.query<{ host: string }>('select host from shared.domain where tenant_id = $1', [id]);
    await test.database.query(`update shared.tenant set state = 'deleting', delete_after = now() where id = $1`, [id]);
    await test.on('localhost').get(`/tls/ask?domain=${gone!.host}`).expect(404);
  });

  it('does not use up the rate limit of a proxy on this machine', async () => {
    const statuses = new Set<number>();
    for (let asked = 0; asked < 30; asked += 1) statuses.add((await other.on('localhost').get('/tls/ask?domain=localhost')).status);
    expect([...statuses]).toEqual([200]);
  });
});

describe('requests whose host is being looked up', () => {
  // Verified to fail when `forget` clears the cache: the look-up ends with the error "deleted", which is answered 500.
  it('are answered when another tenant is created or a domain changes meanwhile', async () => {
    const venue = await test.newTenant();
    const tenants = test.app.get(TenantsService);
    const lookUps = [tenants.ofHost(venue.host), tenants.ofHost(venue.host), tenants.ofHost('nobody.example')];
    tenants.forget();
    expect((await Promise.all(lookUps)).map((tenant) => tenant?.id)).toEqual([venue.id, venue.id, undefined]);
  });
});
