import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { newEvent, newTickets } from '../support/builders.js';
import { openCommandLine, type CommandLine } from '../support/command-line.js';
import { joinNetwork, listsWith, networkLists, publicEvent } from '../support/federation.js';
import { pairPhone } from '../support/team-codes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let commandLine: CommandLine;
let program: CommandLine['program'];
let guichet: CommandLine['run'];

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Quay' });
  commandLine = await openCommandLine(test);
  ({ program, run: guichet } = commandLine);
});
afterAll(async () => {
  await commandLine.close();
  await test.close();
});

const json = async (words: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await guichet([...words, '--json']);
  expect([code, stderr.includes('guichet:')]).toEqual([0, false]);
  return JSON.parse(stdout);
};

describe('the command line beside a running server', () => {
  it('creates a device, pairs it, lists tickets and scans one', async () => {
    const device = await guichet(['device', 'create', '--tenant', venue.slug, '--name', 'Door 1']);
    expect(device.stdout).toMatch(new RegExp(`^http://${venue.host}:3000/scan/[A-Za-z0-9_-]{43}/pair\n$`));
    const path = new URL(device.stdout.trim()).pathname;
    const { body } = await test.on(venue).get(path).expect(200);

    const event = await newEvent(test, venue);
    const [valid] = await newTickets(test, venue, { event, count: 2 });
    await newTickets(test, venue, { event, status: 'R' });
    const tickets = (await json(['ticket', 'list', '--tenant', venue.slug, '--event', event.slug, '--status', 'K'])) as Record<
      string,
      string
    >[];
    expect(tickets).toHaveLength(2);
    expect(tickets.find(({ uuid }) => uuid === valid?.id)).toMatchObject({ status: 'K', qrcode_data: valid?.code });
    const byId = (await json(['ticket', 'list', '--tenant', venue.slug, '--event', event.id.toUpperCase()])) as unknown[];
    expect(byId).toHaveLength(3);
    const scan = await test
      .on(venue)
      .post('/scan/ticket/')
      .set('Authorization', `Api-Key ${body.api_key}`)
      .send({ qrcode_data: tickets[0]?.['qrcode_data'] });
    expect(scan.body.success).toBe(true);
  });

  it('creates a team code, prints it again, lists and ends it', async () => {
    const event = await newEvent(test, venue);
    const gate = await test.inside(venue, () => test.app.get(GatesService).create({ name: 'Balcony' }));
    const words = ['--tenant', venue.slug, '--name', 'Main door', '--places', '2', '--event', event.slug, '--gate', 'Balcony'];
    const printed = await guichet(['team-code', 'create', ...words, '--allow-gate', 'Balcony', '--role', 'search']);
    expect(printed.stdout).toMatch(new RegExp(`^http://${venue.host}:3000/door/#pair=[0-9A-Z]{5}-[0-9A-Z]{5}\n$`));
    const code = printed.stdout.trim().slice(-11);
    expect(printed.stderr).toContain(code);
    expect(printed.stderr).toContain('▄');
    const { body } = await pairPhone(test, venue, code).expect(200);
    expect(body).toMatchObject({ role: 'search', event: event.id, gate: gate.id, gates: [gate.id] });
    const [listed] = (await json(['team-code', 'list', '--tenant', venue.slug])) as Record<string, unknown>[];
    expect(listed).toMatchObject({ name: 'Main door', state: 'open', places: 2, places_taken: 1, event: event.name, gate: 'Balcony' });
    const uuid = String(listed!['uuid']);
    expect(await json(['team-code', 'show', uuid, '--tenant', venue.slug])).toMatchObject({ code, uuid });
    const change = ['team-code', 'change', uuid, '--tenant', venue.slug];
    expect(await json([...change, '--places', '9', '--closes-after', '45', '--hours', '5'])).toEqual({ uuid });
    const [changed] = (await json(['team-code', 'list', '--tenant', venue.slug])) as Record<string, unknown>[];
    expect(changed).toMatchObject({ uuid, places: 9, role: 'search' });
    expect((await guichet([...change, '--places', '0'])).code).toBe(1);
    expect(await json(['team-code', 'end', uuid, '--tenant', venue.slug])).toEqual({ uuid });
    await pairPhone(test, venue, code).expect(410);
    expect((await guichet(['team-code', 'show', uuid, '--tenant', venue.slug])).code).toBe(1);
    const faults = ['--event nothing', '--gate Nowhere', `--allow-gate ${event.id}`, '--places 501'];
    for (const wrong of faults.map((words) => words.split(' '))) {
      const refused = await guichet(['team-code', 'create', '--tenant', venue.slug, '--name', 'x', ...wrong]);
      expect([wrong, refused.code, refused.stdout]).toEqual([wrong, 1, '']);
    }
    expect((await guichet(['team-code', 'end', event.id, '--tenant', venue.slug])).code).toBe(1);
  });

  it('adds origins of web pages to a key, and refuses invalid origins', async () => {
    const create = ['key', 'create', '--tenant', venue.slug, '--name', 'Page', '--scopes', 'event:read', '--origin'];
    const { id } = (await json([...create, 'https://app.example.org', '--origin', 'http://localhost:5173'])) as { id: string };
    const keys = (await json(['key', 'list', '--tenant', venue.slug])) as { id: string; allowed_origins: string[] }[];
    expect(keys.find((key) => key.id === id)?.allowed_origins).toEqual(['https://app.example.org', 'http://localhost:5173']);
    const refused = await guichet([...create, '*']);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringContaining('“*” is not an origin')]);
  });

  it('prints only the key, which works until it is revoked', async () => {
    const created = await guichet(['key', 'create', '--tenant', venue.slug, '--name', 'Shop', '--scopes', 'all']);
    expect(created.code).toBe(0);
    expect(created.stdout).toMatch(/^gkey_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}\n$/);
    const key = created.stdout.trim();
    const ask = async (): Promise<string> =>
      (await test.on(venue).get('/scan/test_api/').set('Authorization', `Api-Key ${key}`)).body.code as string;
    expect(await ask()).toBe('key.kind');
    expect((await guichet(['key', 'revoke', key.split('_')[1] as string, '--tenant', venue.slug])).code).toBe(0);
    expect(await ask()).toBe('key.revoked');
    const wrong = await guichet(['key', 'create', '--tenant', venue.slug, '--name', 'Shop', '--scopes', 'everything']);
    expect([wrong.code === 0, wrong.stderr]).toEqual([false, expect.stringContaining('everything')]);
  });

  it('creates tenants and users, and grants rights', async () => {
    expect(await json(['tenant', 'create', '--slug', 'lighthouse', '--name', 'Lighthouse', '--category', 'F'])).toMatchObject({
      slug: 'lighthouse',
      host: 'lighthouse.localhost',
    });
    await test.on('lighthouse.localhost').get('/scan/keys').expect(401);
    const again = await guichet(['tenant', 'create', '--slug', 'lighthouse', '--name', 'Lighthouse', '--category', 'F']);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('lighthouse');
    expect(again.stderr.trim().split('\n')).toHaveLength(1);
    const user = (await json(['user', 'create', '--email', 'Zoe@Example.org'])) as { email: string; password: string };
    expect(user).toMatchObject({ email: 'zoe@example.org', password: expect.stringMatching(/^\S{24}$/) });
    expect((await guichet(['user', 'grant', '--email', 'zoe@example.org', '--tenant', 'lighthouse', '--create-tenants'])).code).toBe(0);
    const [row] = await test.database.query(
      `select u.may_create_tenants, count(a.tenant_id)::int as tenants from shared.user_account u
       left join shared.tenant_administrator a on a.user_id = u.id where u.email = 'zoe@example.org' group by u.id`,
    );
    expect(row).toEqual({ may_create_tenants: true, tenants: 1 });
    const revoked = await json(['user', 'revoke', '--email', 'zoe@example.org', '--tenant', 'lighthouse', '--create-tenants']);
    expect(revoked).toMatchObject({ tenants: [], create_tenants: false });
    expect((await guichet(['tenant', 'domain', 'add', 'Müsik.example', '--tenant', 'lighthouse'])).code).toBe(0);
    expect(await json(['tenant', 'domain', 'list', '--tenant', 'lighthouse'])).toEqual([
      { host: 'lighthouse.localhost', unicode: null, primary: true },
      { host: 'xn--msik-0ra.example', unicode: 'müsik.example', primary: false },
    ]);
    expect(await json(['tenant', 'suspend', 'lighthouse', '--reason', 'Check'])).toMatchObject({ state: 'suspended' });
    expect((await guichet(['tenant', 'delete', 'lighthouse', '--confirm', 'lantern'])).code).toBe(1);
    expect(await json(['tenant', 'show', 'lighthouse'])).toMatchObject({
      state_reason: 'Check',
      changes: [
        { actor: 'command line', action: 'suspended', reason: 'Check' },
        { action: 'domain_added' },
        { action: 'administrator_revoked' },
        { action: 'administrator_granted' },
      ],
    });
    expect((await guichet(['tenant', 'edit', 'lighthouse', '--category', 'S', '--name', 'The Lighthouse'])).code).toBe(0);
    expect(await json(['tenant', 'invite', 'ana@example.org', '--language', 'fr'])).toMatchObject({
      email: 'ana@example.org',
      url: expect.stringMatching(/^http:\/\/meta\.localhost:3000\/tenant\/new\/\?invitation=/),
    });
    const list = (await json(['tenant', 'list'])) as { slug: string }[];
    expect(list.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['root', 'meta', 'lighthouse', venue.slug]));
  });

  it('rotates signing keys', async () => {
    expect(await json(['key', 'rotate-signing', '--tenant', venue.slug])).toMatchObject({ signing_key_id: 2 });
  });

  it('reports counters that differ from the rows, and repairs them', async () => {
    const quay = await test.newTenant();
    const event = await newEvent(test, quay);
    await newTickets(test, quay, { event, count: 3 });
    const sound = { repaired: false, drift: [], money: [], agenda: [], inside: [] };
    const agreeing = { ...sound, tenants: [quay.slug], changes: [expect.objectContaining({ tenant: quay.slug, broken: [] })] };
    expect(await json(['audit', '--tenant', quay.slug])).toEqual(agreeing);
    const all = (await json(['audit'])) as { tenants: string[] };
    const agenda = await test.newTenant({ category: 'M' });
    expect(all.tenants).toEqual(expect.arrayContaining([quay.slug, venue.slug]));
    expect(((await json(['audit'])) as { tenants: string[] }).tenants).toContain(agenda.slug);

    await test.database.query(`update "${quay.schemaName}".event set booked = 7 where id = $1`, [event.id]);
    const drift = [{ tenant: quay.slug, kind: 'event', uuid: event.id, event: null, name: event.name, counted: 7, rows: 3 }];
    const found = await guichet(['audit', '--json']);
    expect([found.code, JSON.parse(found.stdout).drift]).toEqual([1, drift]);
    const read = await guichet(['audit', '--tenant', quay.slug]);
    expect([read.code, read.stdout]).toEqual([1, expect.stringContaining(event.id)]);
    expect(read.stderr).toContain('--repair');
    expect((await guichet(['audit', '--tenant', venue.slug, '--repair'])).code).toBe(0);
    expect(await json(['audit', '--repair', '--tenant', quay.slug])).toMatchObject({ repaired: true, drift });
    expect(await json(['audit', '--tenant', quay.slug])).toEqual(agreeing);
  });

  it('reports agenda rows of a network without an event, and repairs them', async () => {
    const [hall, network] = [await test.newTenant(), await test.newTenant({ category: 'M' })];
    await joinNetwork(test, network, hall);
    const event = await publicEvent(test, hall);
    expect((await guichet(['audit', '--tenant', hall.slug])).code).toBe(0);
    await test.database.query('delete from shared.federated_event where event_id = $1', [event.id]);
    const missing = { tenant: hall.slug, kind: 'missing', uuid: event.id, network: network.id, name: event.name };
    const found = await guichet(['audit', '--tenant', hall.slug, '--json']);
    expect([found.code, JSON.parse(found.stdout).agenda]).toEqual([1, [missing]]);
    expect(await json(['audit', '--tenant', hall.slug, '--repair'])).toMatchObject({ agenda: [missing] });
    expect(await listsWith(test, network, event)).toEqual(networkLists);
  });

  it('counts rows that are too old and deletes them', async () => {
    const quay = await test.newTenant();
    await test.database.query(
      `insert into "${quay.schemaName}".scan_log (action, outcome, device_id, recorded_at)
       select 'scan', 'forged', gen_random_uuid(), now() - make_interval(days => days) from unnest(array[700, 731, 732]) days`,
    );
    const old = { tenant: quay.slug, kind: 'scan log', days: 730, rows: 2 };
    expect((await guichet(['prune', '--dry-run'])).stdout).toMatch(/scan log +730 days +2/);
    expect(await json(['prune', '--tenant', quay.slug])).toContainEqual(old);
  });

  it('finds no fault in this installation, and reports the faults of another one', async () => {
    const report = (await json(['doctor'])) as { healthy: boolean; checks: { name: string; state: string }[] };
    expect(report.healthy).toBe(true);
    expect(report.checks.length).toBeGreaterThan(8);
    expect(report.checks).toContainEqual(expect.objectContaining({ name: 'mail', state: 'ok' }));
    const broken = await guichet(['doctor'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/fail +database/);
    expect(broken.stdout + broken.stderr).not.toMatch(/\n {4}at /);
    const unmailed = await guichet(['doctor'], { SMTP_URL: 'smtp://clerk:hunter2@127.0.0.1:1' });
    expect(unmailed.code).toBe(1);
    expect(unmailed.stdout).toMatch(/fail +mail +.*ECONNREFUSED/);
    expect(unmailed.stdout + unmailed.stderr).not.toContain('hunter2');
    const unfit = await guichet(['doctor'], { PORT: 'many' });
    expect(unfit.code).toBe(1);
    expect(unfit.stdout).toContain('PORT');
  });

  it('removes what a broken restore left, and lists what it removed', async () => {
    await test.database.query('create schema t_00000000000000000000000000000001');
    const found = await guichet(['doctor']);
    expect(found.stdout).toContain('t_00000000000000000000000000000001');
    const repaired = await guichet(['doctor', '--repair']);
    expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining('dropped schema t_00000000000000000000000000000001')]);
    expect(await test.database.query("select 1 from pg_namespace where nspname = 't_00000000000000000000000000000001'")).toEqual([]);
  });

  it('uses exit code 2 for wrong usage and 1 for refusals, and keeps standard output clean', async () => {
    expect(await program(['nonsense'])).toMatchObject({ code: 2, stdout: '' });
    for (const wrong of ['device create', 'device paint', 'ticket list --tenant']) {
      const { code, stdout } = await guichet(wrong.split(' '));
      expect([wrong, code, stdout]).toEqual([wrong, 2, '']);
    }
    const unknown = await program(['device', 'create', '--tenant', 'atlantis', '--name', 'x']);
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('atlantis');
    const { code, stdout } = await guichet(['--help']);
    expect(code).toBe(0);
    for (const noun of ['install', 'migrate', 'demo', 'tenant', 'user', 'key', 'device', 'team-code', 'ticket', 'audit', 'prune', 'doctor'])
      expect(stdout).toContain(noun);
  });

  it('prints help and version on standard output with exit code 0', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await program(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    for (const words of [['help'], ['--help'], ['help', 'device'], ['device', '--help'], ['device', 'help', 'create']]) {
      const { code, stdout, stderr } = await guichet(words);
      expect([words.join(' '), code, stderr]).toEqual([words.join(' '), 0, '']);
      expect(stdout).toContain(words.length === 1 ? 'Usage: guichet <noun>' : 'Usage: guichet device');
    }
    for (const words of [[], ['help', 'nonsense']]) {
      const { code, stdout } = await guichet(words);
      expect([words.join(' '), code, stdout]).toEqual([words.join(' '), 2, '']);
    }
  }, 120_000);

  it('reports whether migrations are outstanding', async () => {
    expect((await guichet(['migrate', 'status'])).code).toBe(0);
    await test.database.query(`update shared.tenant set schema_version = schema_version - 1 where id = $1`, [venue.id]);
    const behind = await guichet(['migrate', 'status', '--json']);
    expect(behind.code).toBe(1);
    expect(JSON.parse(behind.stdout)).toMatchObject({ up_to_date: false });
    expect(await json(['migrate', 'run'])).toMatchObject({ tenants: 1 });
    expect((await guichet(['migrate', 'status'])).code).toBe(0);
  });
});

describe('the command line without a server', () => {
  it('installs once', async () => {
    const { createTestDatabase } = await import('../support/test-database.js');
    const database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url };
    const early = await guichet(['tenant', 'list'], environment);
    expect(early.code).toBe(1);
    expect(early.stderr).toContain('install');
    const first = await guichet(['install', '--json'], environment);
    expect(JSON.parse(first.stdout)).toMatchObject({
      created: ['root', 'meta'],
      super_user: { email: 'admin@localhost' },
    });
    const second = await guichet(['install', '--json'], environment);
    expect(JSON.parse(second.stdout)).toMatchObject({ created: [], super_user: null });
    const password = await program(
      ['user', 'password', '--email', 'admin@localhost', '--password-stdin'],
      environment,
      'a longer password\n',
    );
    expect([password.code, password.stdout]).toEqual([0, '']);
    await database.drop();
  });
});
