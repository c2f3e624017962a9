import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  latestTenant,
  LeftoversService,
  TenantExportService,
  TenantImportService,
  tenantMigrations,
  TenantsService,
  type TenantIdentity,
} from '#tenancy';
import pg from 'pg';
import { newEvent, newTickets } from '../support/builders.js';
import { openCommandLine, type CommandLine } from '../support/command-line.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { tenantPrints, tenantShape } from '../support/transfer.js';

const passphrase = 'a passphrase of the tests';
const serverSecret = 'the secret of another server, long enough';

let old: TestApp;
let target: TestApp;
let cli: CommandLine;
let folder: string;
/** Settings of the command line for each server. */
let [there, here]: NodeJS.ProcessEnv[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-transfer-'));
  old = await startTestApp();
  target = await startTestApp({ serverSecret });
  cli = await openCommandLine(old);
  there = { GUICHET_PASSPHRASE: passphrase };
  here = { ...there, DATABASE_URL: target.database.url, SERVER_SECRET: serverSecret };
});
afterAll(async () => {
  await cli?.close();
  await target?.close();
  await old?.close();
  await rm(folder, { recursive: true, force: true });
});

const importing = (file: string, options: object = {}) => target.app.get(TenantImportService).import(file, { passphrase, ...options });
const staging = ({ id }: TenantIdentity): string => `i_${id.replaceAll('-', '')}`;

async function exportOf(tenant: TenantIdentity, name: string): Promise<string> {
  const file = join(folder, name);
  await old.app.get(TenantExportService).export(tenant.id, file, { passphrase, workFactor: 10, partBytes: 64 * 1024 });
  return file;
}

/** A tenant with a scan log of a few megabytes. */
async function largeTenant(): Promise<TenantIdentity> {
  const tenant = await old.newTenant();
  await newTickets(old, tenant, { event: await newEvent(old, tenant), count: 3 });
  await old.database.query(
    `insert into "${tenant.schemaName}".scan_log (action, outcome, device_id, facts)
     select 'scan', 'forged', gen_random_uuid(), json_build_object('padding', repeat(md5(n::text), 12)) from generate_series(1, 12000) n`,
  );
  return tenant;
}

describe('an import', () => {
  it('that is killed shows nothing, and continues after the last loaded part', async () => {
    const tenant = await largeTenant();
    const file = await exportOf(tenant, 'large.guichet');
    const client = new pg.Client({ connectionString: target.database.url });
    await client.connect();
    const { NODE_OPTIONS: _options, ...inherited } = process.env;
    const child = spawn(process.execPath, ['scripts/guichet.js', 'tenant', 'import', file], {
      env: { ...inherited, NODE_ENV: 'production', DATA_DIR: folder, DEMO: 'off', ...here },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const parts = `"${staging(tenant)}".import_part`;
    const loaded = async (): Promise<number> =>
      client.query<{ count: number }>(`select count(*)::int as count from ${parts} where stream = 'tenant.scan_log'`).then(
        ({ rows }) => rows[0]?.count ?? 0,
        () => 0,
      );
    while ((await loaded()) < 3 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    // The import waits at its next part, in the middle of the table.
    await client.query(`begin; lock table ${parts} in exclusive mode`);
    await expect(importing(file, { resume: true })).rejects.toThrow(`Another import of ${tenant.slug} is running.`);
    expect(await target.app.get(LeftoversService).find()).toEqual([]);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await client.query('commit');
    const there = await loaded();
    await client.end();

    expect(there).toBeGreaterThan(2);
    expect(await target.app.get(TenantsService).bySlug(tenant.slug)).toBeUndefined();
    expect((await target.on(tenant).get('/')).status).toBe(404);
    expect(await target.app.get(LeftoversService).find()).toEqual([{ kind: 'unfinished import', name: staging(tenant) }]);
    await expect(importing(file)).rejects.toThrow('An import of this file was not finished: go on with --resume');
    const resumed = await cli.run(['tenant', 'import', file, '--resume', '--slug', 'moved', '--json'], here);
    expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining('tenant resume moved') });
    const report = JSON.parse(resumed.stdout) as { parts_skipped: number };
    expect(report).toMatchObject({ slug: 'moved', host: 'moved.localhost', state: 'suspended', uuid: tenant.id });
    expect(report.parts_skipped).toBeGreaterThanOrEqual(there);
    expect(await tenantPrints(target, tenant.id)).toEqual(await tenantPrints(old, tenant.id));
    expect(await target.app.get(LeftoversService).find()).toEqual([]);
  });

  it('of a damaged copy shows nothing; the intact file continues, or doctor removes the loaded rows', async () => {
    const tenant = await largeTenant();
    const file = await exportOf(tenant, 'good.guichet');
    const copy = join(folder, 'copy.guichet');
    const bytes = await readFile(file);
    await writeFile(copy, bytes);
    await truncate(copy, bytes.length - 1);
    await expect(importing(copy)).rejects.toThrow('The file is damaged');
    expect(await target.app.get(TenantsService).bySlug(tenant.slug)).toBeUndefined();
    const doctor = await cli.run(['doctor'], here);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`unfinished import: ${staging(tenant)}`)]);
    // A later export of the same tenant may contain other rows.
    const later = await exportOf(tenant, 'later.guichet');
    await expect(importing(later, { resume: true })).rejects.toThrow('An import of another file');
    expect(await target.app.get(LeftoversService).repair()).toEqual([`dropped the unfinished import ${staging(tenant)}`]);
    const report = await importing(later);
    expect(report.partsSkipped).toBe(0);
    expect(await tenantPrints(target, tenant.id)).toEqual(await tenantPrints(old, tenant.id));
  });

  it('of an older file migrates the tenant', async () => {
    const tenant = await old.newTenant();
    const steps = tenantMigrations.slice(0, 27).map(({ sql }) => sql);
    await old.database.query(`begin; drop schema "${tenant.schemaName}" cascade; create schema "${tenant.schemaName}";
      set local search_path to "${tenant.schemaName}"; ${steps.join('\n')}
      insert into configuration (city) values ('Lyon'); insert into product (name, category) values ('Seat', 'B');
      update shared.tenant set schema_version = 27, required_version = 27, language = 'fr' where id = '${tenant.id}'; commit`);
    const file = await exportOf(tenant, 'older.guichet');
    await importing(file);
    const [row] = await target.database.query(
      `select t.schema_version, p.city, (select count(*)::int from "${tenant.schemaName}".product where built_in is not null) as built_in
       from shared.tenant t join shared.place p on p.tenant_id = t.id where t.id = $1`,
      [tenant.id],
    );
    expect(row).toEqual({ schema_version: latestTenant, city: 'Lyon', built_in: 1 });
    const created = await target.newTenant();
    expect(await tenantShape(target, tenant.id)).toEqual(await tenantShape(target, created.id));
  });

  it('is refused when its name or host is used, and for Root', async () => {
    const tenant = await old.newTenant();
    const file = await exportOf(tenant, 'taken.guichet');
    const { slug } = await target.newTenant({ slug: tenant.slug });
    await expect(importing(file)).rejects.toThrow(`A tenant "${slug}" exists already: give another name with --slug.`);
    await expect(importing(file, { slug: 'free', host: `${slug}.localhost` })).rejects.toThrow('belongs to');
    await expect(importing(file, { slug: 'www' })).rejects.toThrow('www is reserved');
    await expect(importing(file, { passphrase: 'another passphrase' })).rejects.toThrow('The passphrase is not');
    expect(await target.app.get(LeftoversService).find()).toEqual([]);
    const root = (await old.app.get(TenantsService).bySlug('root'))!;
    await expect(exportOf(root, 'root.guichet')).rejects.toThrow('Root belongs to its server');
  });
});

describe('an export', () => {
  it('that fails during a table ends and leaves no file', async () => {
    // For example when the disk is full. Before, it waited forever for a rollback that was sent after the unfinished COPY.
    const { id } = await largeTenant();
    const progress = ({ stream }: { stream: string }): void => {
      if (stream === 'tenant.scan_log') throw new Error('no more');
    };
    const file = join(folder, 'half.guichet');
    const options = { passphrase, workFactor: 10, partBytes: 64 * 1024, progress };
    await expect(old.app.get(TenantExportService).export(id, file, options)).rejects.toThrow('no more');
    expect((await readdir(folder)).filter((name) => name.startsWith('half'))).toEqual([]);
  });
});

describe('the command line', () => {
  it('exports a tenant and prints the content of a file', async () => {
    const { slug, id } = await old.newTenant();
    const file = join(folder, 'cli.guichet');
    const short = await cli.run(['tenant', 'export', slug, '--file', file], { GUICHET_PASSPHRASE: 'too short' });
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('at least 12 characters') });
    const { code, stdout, stderr } = await cli.run(['tenant', 'export', slug, '--file', file, '--json'], there);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ uuid: id, file, sha256: expect.any(String) })]);
    expect(stderr).toContain('100 % shared.domain');
    const secretFile = join(folder, 'passphrase');
    await writeFile(secretFile, `${passphrase}\n`);
    const inspected = await cli.run(['tenant', 'inspect', file, '--verify', '--json', '--passphrase-file', secretFile]);
    expect(JSON.parse(inspected.stdout)).toMatchObject({
      slug,
      schema_version: latestTenant,
      rows: JSON.parse(stdout).rows,
    });
    await truncate(file, 3000);
    expect(await cli.run(['tenant', 'inspect', file, '--verify'], there)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The file is damaged'),
    });
  });
});
