import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AuditService, LedgerAuditService } from '#tickets';
import { ArchiveReader, BackupService, latestShared, Migrator, readBackup, ScheduledBackups, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import { newEvent, newTicket } from '../support/builders.js';
import { openCommandLine, type CommandLine } from '../support/command-line.js';
import { databasePrints } from '../support/database-prints.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, testSecret, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { fillEmptyTables, tenantShape } from '../support/transfer.js';
import { fullTenant, type TwinIds, type TwinKeys } from '../support/twin-places.js';

const passphrase = 'a passphrase of the tests';
const quick = { passphrase, workFactor: 10, partBytes: 64 * 1024 };

let test: TestApp;
let cli: CommandLine;
let folder: string;
let file: string;
let tenant: TenantIdentity;
let ids: TwinIds;
let keys: TwinKeys;
let code: string;
let prints: Record<string, string>;
const databases: TestDatabase[] = [];

/** With several database servers there are no backups. */
const isCluster = process.env['TEST_DATABASE_NODES'] !== undefined;
const describeOnOne = (name: string, work: () => void): void =>
  isCluster ? describe.skip(`${name} (refused with several database servers)`, work) : describe(name, work);

if (isCluster)
  describe('a backup of several database servers', () => {
    it('is refused with the reason', async () => {
      await expect(test.app.get(BackupService).write(file, quick)).rejects.toThrow('this installation has several');
      expect(await readdir(folder)).toEqual([]);
    });
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-backup-'));
  file = join(folder, 'server.backup');
  test = await startTestApp({
    tenants: 'demo',
    environment: { BACKUP_FOLDER: join(folder, 'daily'), BACKUP_PASSPHRASE: passphrase, BACKUP_KEEP: '2' },
  });
  if (isCluster) return;
  cli = await openCommandLine(test);
  ({ tenant, ids, keys } = await fullTenant(test));
  ({ code } = await newTicket(test, tenant, { event: await newEvent(test, tenant) }));
  await fillEmptyTables(test, tenant.id);
  prints = await printsOf(test);
  await test.app.get(BackupService).write(file, quick);
}, 120_000);
afterAll(async () => {
  await cli?.close();
  for (const database of databases) await database.drop();
  await test?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The prints of all tables that a backup has. */
async function printsOf(at: Pick<TestApp, 'database'>): Promise<Record<string, string>> {
  const all = Object.entries(await databasePrints(at));
  return Object.fromEntries(all.filter(([name]) => !/^(shared\.(backup|spare_schema)|spare_)/.test(name)));
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: Error) => error.message,
  );

describeOnOne('the daily backup', () => {
  it('is made once after its hour, keeps the newest files, and health shows its age', async () => {
    const scheduled = test.app.get(ScheduledBackups);
    // The encryption of three files would take most of the time of this test.
    const backups = test.app.get(BackupService);
    const { write } = BackupService.prototype;
    jest.spyOn(backups, 'write').mockImplementation((path, options) => write.call(backups, path, { ...options, workFactor: 10 }));
    await test.database.query('delete from shared.backup');
    const before = await cli.run(['doctor'], { BASE_DOMAIN: 'localhost' });
    expect(before.stdout).toMatch(/ok +backup +none was made/);
    expect(await scheduled.writeDue()).toBeDefined();
    expect(await scheduled.writeDue()).toBeUndefined();
    for (const days of [1, 2]) {
      await test.database.query(`update shared.backup set finished_at = now() - interval '25 hours'`);
      expect(await scheduled.writeDue(new Date(Date.now() + days * 1000))).toBeDefined();
    }
    expect(await readdir(join(folder, 'daily'))).toHaveLength(2);
    expect((await cli.run(['doctor'])).stdout).toMatch(/ok +backup +the last one was complete 0 h ago/);
    const metrics = await test.on('localhost').get('/metrics').expect(200);
    expect(Number(/^guichet_backup_age_seconds (\S+)$/m.exec(metrics.text)?.[1])).toBeLessThan(60);
    await test.database.query(`update shared.backup set finished_at = now() - interval '30 hours'`);
    expect((await cli.run(['doctor'])).stdout).toMatch(/warn +backup +the last one was complete 30 h ago/);
  });

  it('needs a passphrase, and is written by the command too', async () => {
    const without = await cli.run(['backup'], { BACKUP_FOLDER: folder });
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('BACKUP_PASSPHRASE')]);
    const nowhere = await cli.run(['backup']);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('Set BACKUP_FOLDER, or name a file')]);
    const own = join(folder, 'by-hand');
    const made = await cli.run(['backup', '--json'], { BACKUP_FOLDER: own, BACKUP_PASSPHRASE: passphrase });
    expect(made.code).toBe(0);
    const { file: path, rows } = JSON.parse(made.stdout) as { file: string; rows: number };
    expect([await readdir(own), rows]).toEqual([[path.slice(own.length + 1)], expect.any(Number)]);
  });
});

describeOnOne('a restored server', () => {
  let database: TestDatabase;
  let restored: TestApp;

  beforeAll(async () => {
    database = await emptyDatabase();
    const environment = { DATABASE_URL: database.url, GUICHET_PASSPHRASE: passphrase };
    const outcome = await cli.run(['restore', file, '--json'], environment);
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringContaining('then start the server')]);
    const slugs = JSON.parse(outcome.stdout).tenants as string[];
    expect(slugs.toSorted()).toEqual(slugs);
    expect(slugs).toEqual(expect.arrayContaining(['root', 'meta', tenant.slug]));
    expect(await printsOf({ database })).toEqual(prints);
    restored = await startTestApp({ database });
  }, 120_000);
  afterAll(() => restored?.close());

  it('has the tables, keys, triggers and indexes of the server', async () => {
    expect(await tenantShape(restored, tenant.id)).toEqual(await tenantShape(test, tenant.id));
  });

  it('accepts devices, keys and codes, shows pictures, and continues its numbers', async () => {
    const scan = await restored.on(tenant).post('/scan/ticket/').set('Authorization', keys.device).send({ qrcode_data: code });
    expect([scan.status, scan.body.success]).toEqual([200, true]);
    const picture = await restored.on(tenant).get(`/images/${ids.image}/med.webp`).expect(200);
    expect(picture.headers['content-type']).toBe('image/webp');
    const address = { streetAddress: '2 quai', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
    await restored.on(tenant).post('/api/v2/postal-addresses/').set('Authorization', keys.integration).send(address).expect(201);
    for (const Audit of [AuditService, LedgerAuditService])
      expect(await restored.inside(tenant, () => restored.app.get(Audit).drifts())).toEqual([]);
  });

  it('is not overwritten by another restore', async () => {
    const outcome = await cli.run(['restore', file], { DATABASE_URL: database.url, GUICHET_PASSPHRASE: passphrase });
    expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining('The database is not empty')]);
  });
});

// Seen to fail when each schema has a snapshot of its own.
describeOnOne('a backup of all tenants', () => {
  it('has one moment, while they sell', async () => {
    const [one, other] = [await test.newTenant(), await test.newTenant()];
    const writing = { underWay: true };
    const writes = (async () => {
      for (let count = 0; writing.underWay; count += 1)
        for (const { schemaName } of count % 2 === 0 ? [one, other] : [other, one])
          await test.database.query(`insert into "${schemaName}".tag (name, key) values ($1, $1)`, [`tag ${count}`]);
    })();
    const path = join(folder, 'busy.backup');
    await test.app
      .get(BackupService)
      .write(path, quick)
      .finally(() => {
        writing.underWay = false;
      });
    await writes;
    const { manifest } = await readBackup(await ArchiveReader.open(path), passphrase);
    const tags = [one, other].map(({ schemaName }) => manifest.sums.find(({ name }) => name === `${schemaName}.tag`)?.rows ?? 0);
    expect(Math.abs(tags[0]! - tags[1]!)).toBeLessThanOrEqual(1);
  });
});

describeOnOne('a backup', () => {
  let loaded: TestDatabase;

  it('is refused with another passphrase, when it is damaged, and when it is something else', async () => {
    const verify = (path: string, secret = passphrase) =>
      cli.run(['restore', path, '--verify'], { GUICHET_PASSPHRASE: secret, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(await verify(file)).toMatchObject({ code: 0, stderr: expect.stringContaining('complete and undamaged') });
    expect(await verify(file, 'another passphrase')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('passphrase is not the one'),
    });
    const copy = join(folder, 'copy.backup');
    await copyFile(file, copy);
    await truncate(copy, (await stat(file)).size - 1000);
    expect(await verify(copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged') });
    await writeFile(copy, 'something else');
    expect(await verify(copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('neither an export of a tenant nor a backup') });
    const exported = join(folder, 'one.guichet');
    await cli.run(['tenant', 'export', tenant.slug, '--file', exported], { GUICHET_PASSPHRASE: passphrase });
    expect(await verify(exported)).toMatchObject({ code: 1, stderr: expect.stringContaining('not a backup of a server') });
  });

  it('has the server secret, which a restore keeps in the data folder, and never exchanges for another one', async () => {
    const printed = await cli.run(['restore', file, '--secret'], { GUICHET_PASSPHRASE: passphrase });
    expect(printed).toMatchObject({ code: 0, stdout: `${testSecret}\n` });
    loaded = await emptyDatabase();
    const given = { DATABASE_URL: loaded.url, GUICHET_PASSPHRASE: passphrase, DATA_DIR: join(folder, 'new') };
    const other = await cli.run(['restore', file], { ...given, SERVER_SECRET: 'the secret of another server, long enough' });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('SERVER_SECRET is not that of the backup')]);
    expect(await cli.run(['restore', file], { ...given, SERVER_SECRET: '' })).toMatchObject({ code: 0 });
    const kept = join(folder, 'new', 'server-secret');
    expect([await readFile(kept, 'utf8'), (await stat(kept)).mode & 0o777]).toEqual([`${testSecret}\n`, 0o600]);
    expect(await cli.run(['doctor'], { ...given, SERVER_SECRET: '' })).toMatchObject({ code: 0 });
  });

  it('that was not loaded completely is refused by every program, and can be loaded again', async () => {
    const database = loaded;
    const target = { DATABASE_URL: database.url, GUICHET_PASSPHRASE: passphrase };
    // What a restore leaves that is killed after its first schema.
    await database.query(`create table shared.unfinished_restore as select now() as begun_at; drop schema "${tenant.schemaName}" cascade`);
    for (const words of [['migrate', 'run'], ['install'], ['tenant', 'list']])
      expect(await cli.run(words, target)).toMatchObject({ code: 1, stderr: expect.stringContaining('was not loaded completely') });
    expect(await cli.run(['restore', file], target)).toMatchObject({ code: 0 });
    expect(await printsOf({ database })).toEqual(prints);
  });

  it('of a newer program is refused before anything is written', async () => {
    await test.database.query('update shared.installation set schema_version = $1', [latestShared + 1]);
    const newer = join(folder, 'newer.backup');
    await test.app.get(BackupService).write(newer, quick);
    await test.database.query('update shared.installation set schema_version = $1', [latestShared]);
    const database = await emptyDatabase();
    const outcome = await cli.run(['restore', newer], { DATABASE_URL: database.url, GUICHET_PASSPHRASE: passphrase });
    expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining('install the newer Guichet')]);
    expect(await database.query(`select 1 from pg_namespace where nspname = 'shared'`)).toEqual([]);
  });

  it('of an older program is migrated', async () => {
    // Undoes the migrations 20 to 34. The foreign keys that the 27th drops are dropped again, triggers are made again.
    await test.database.query(
      'drop table shared.network_card; alter table shared.network_member drop column takes_cards, drop column gives_cards',
    );
    await test.database.query('drop table shared.invitation, shared.role_grant, shared.venue_role, shared.node');
    await test.database.query('alter table shared.tenant drop column node, drop column moving_to, drop column moving_since');
    await test.database.query(
      'drop table shared.factor_rule, shared.passkey, shared.passkey_use, shared.recovery_code, shared.second_factor, shared.password_link',
    );
    await test.database.query('alter table shared.tenant_welcome drop column dismissed_at, drop column is_free');
    await test.database.query(
      'alter table shared.federated_event drop column doors_at, drop column duration_minutes, drop column age_range, drop column access',
    );
    await test.database.query('drop function shared.enter_tenant');
    await test.database.query('drop table shared.backup');
    await test.database.query('alter table shared.place_request drop column confirmed_at, drop column told_at');
    await test.database.query('update shared.installation set schema_version = 19');
    const older = join(folder, 'older.backup');
    // The record has no table; the file is complete.
    expect(await messageOf(test.app.get(BackupService).write(older, quick))).toContain('shared.backup');
    await test.app.get(Migrator).run();
    const database = await emptyDatabase();
    // The passphrase of the daily backups.
    const settings = { BACKUP_FOLDER: folder, BACKUP_PASSPHRASE: passphrase };
    const outcome = await cli.run(['restore', older], { DATABASE_URL: database.url, ...settings });
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringContaining(`version 19 → ${latestShared}`)]);
  });

  it('fails as a whole when a tenant is migrated meanwhile, and leaves no file', async () => {
    const late = await test.newTenant({ slug: 'zz-late' });
    const path = join(folder, 'late.backup');
    const migrator = new pg.Client({ connectionString: test.database.url });
    await migrator.connect();
    await migrator.query(`begin; lock table "${late.schemaName}".tag in access exclusive mode`);
    await migrator.query('update shared.tenant set schema_version = schema_version - 1 where id = $1', [late.id]);
    const writing = messageOf(test.app.get(BackupService).write(path, quick));
    // The snapshot is taken by then.
    await eventually(async () => expect(await test.database.waiting()).toBe(1));
    await migrator.query('commit');
    await migrator.end();
    expect(await writing).toContain('was deleted or migrated meanwhile');
    await test.database.query('update shared.tenant set schema_version = schema_version + 1 where id = $1', [late.id]);
    expect((await readdir(folder)).filter((name) => name.startsWith('late'))).toEqual([]);
  });
});
