import type { Command } from 'commander';
import {
  ArchiveReader,
  readHeader,
  rowsIn,
  TenantExportService,
  TenantImportService,
  verifyExport,
  type ExportHeader,
  type ExportManifest,
} from '#tenancy';
import { documented, fields, guichet, say, show } from '../terminal/output.js';
import { readPassphrase } from '../terminal/passphrase.js';
import { progressBar } from '../terminal/progress.js';
import { withSession } from '../terminal/session.js';
import { describeTenant } from './tenant-description.js';

interface Options {
  readonly passphraseFile?: string;
  readonly json?: boolean;
}

interface ExportOptions extends Options {
  readonly file: string;
}

interface ImportOptions extends Options {
  readonly slug?: string;
  readonly host?: string;
  readonly resume?: boolean;
  readonly activate?: boolean;
}

/** `tenant export`, `import` and `inspect`. */
export function tenantTransferCommands(noun: Command): void {
  documented(
    encrypted(noun.command('export'))
      .description('Exports a tenant to one encrypted file: a consistent snapshot, taken while the tenant keeps working.')
      .argument('<slug>', 'the tenant')
      .requiredOption('--file <path>', 'the new file; it appears when it is complete'),
    { 'tenant export lune --file lune.guichet': 'asks for a passphrase; prints file, rows and SHA-256' },
  ).action(exportTenant);

  documented(
    encrypted(noun.command('import'))
      .description('Imports an exported tenant into this server. It is suspended until "tenant resume", unless --activate is given.')
      .argument('<file>', 'what tenant export wrote')
      .option('--slug <slug>', 'another short name')
      .option('--host <host>', 'primary domain (default: <slug>.BASE_DOMAIN)')
      .option('--resume', 'go on with an import of this file that was stopped')
      .option('--activate', 'let it work at once: mails, webhooks and refunds that wait go out'),
    {
      'tenant import lune.guichet': 'prints the host, and who may sign in',
      'tenant import lune.guichet --resume': 'goes on behind the last part that was loaded',
    },
  ).action(importTenant);

  documented(
    encrypted(noun.command('inspect'))
      .description('Shows what an export file contains. Needs no database.')
      .argument('<file>', 'what tenant export wrote')
      .option('--verify', 'read all of it, and compare counts and SHA-256 of every table'),
    { 'tenant inspect lune.guichet --verify': 'exit code 1 when the file is damaged' },
  ).action(inspect);
}

function encrypted(command: Command): Command {
  return command.option('--passphrase-file <path>', 'its first line is the passphrase (default: GUICHET_PASSPHRASE, else asked)');
}

async function exportTenant(slug: string, options: ExportOptions): Promise<void> {
  const passphrase = await readPassphrase({ file: options.passphraseFile, twice: true });
  await withSession(async (session) => {
    const { id } = await session.knownTenant(slug);
    const progress = progressBar();
    const exporting = session.service(TenantExportService).export(id, options.file, { passphrase, progress: progress.report });
    const { header, manifest, bytes, sha256 } = await exporting.finally(() => progress.end());
    const document = { file: options.file, bytes, sha256, ...describe(header, manifest) };
    show(options, document, fields({ File: options.file, Bytes: bytes, 'SHA-256': sha256, Rows: document.rows }));
  });
}

async function importTenant(file: string, options: ImportOptions): Promise<void> {
  const { slug, host, resume = false, activate = false } = options;
  const passphrase = await readPassphrase({ file: options.passphraseFile });
  await withSession(
    async (session) => {
      const progress = progressBar();
      const importing = session
        .service(TenantImportService)
        .import(file, { passphrase, slug, host, resume, activate, progress: progress.report });
      const { tenant, manifest, users, domainsLeft, partsSkipped } = await importing.finally(() => progress.end());
      const created = users.filter((user) => user.created).map(({ email }) => email);
      const document = {
        ...describeTenant(session, tenant),
        rows: rowsIn(manifest.streams),
        parts_skipped: partsSkipped,
        administrators: users,
        domains_left: domainsLeft,
      };
      const facts = { Host: tenant.host, Slug: tenant.slug, State: tenant.state, Rows: document.rows };
      const people = {
        Administrators: users.map(({ email }) => email).join(' '),
        'Domains left': domainsLeft.join(' '),
      };
      show(options, document, fields({ ...facts, Panel: document.panel_url, ...people }));
      for (const email of created) say(`${email} is new here and needs a password: ${guichet} user password --email ${email}`);
      if (tenant.state === 'suspended') say(`It is suspended: ${guichet} tenant resume ${tenant.slug}`);
    },
    { patient: true },
  );
}

async function inspect(file: string, options: Options & { readonly verify?: boolean }): Promise<void> {
  const passphrase = await readPassphrase({ file: options.passphraseFile });
  const reader = await ArchiveReader.open(file);
  if (!options.verify) {
    const header = await readHeader(reader, passphrase);
    show(options, describe(header), factsOf(header));
    return;
  }
  const progress = progressBar();
  const verified = verifyExport(reader, passphrase, progress.report).finally(() => progress.end());
  const { header, manifest } = await verified;
  const document = { ...describe(header, manifest), streams: manifest.streams };
  show(options, document, [...factsOf(header), `Rows, all as in the manifest: ${rowsIn(manifest.streams)}`]);
}

function factsOf({ tenant, exportedAt, schemaVersion, baseDomain, streams }: ExportHeader): string[] {
  return fields({
    Tenant: tenant.name,
    Slug: tenant.slug,
    Category: tenant.category,
    State: tenant.state,
    'From server': baseDomain,
    Exported: exportedAt,
    Version: schemaVersion,
    Tables: streams.length,
  });
}

function describe({ tenant, exportId, exportedAt, schemaVersion, baseDomain }: ExportHeader, manifest?: ExportManifest) {
  const { id: uuid, slug, name, category, state } = tenant;
  return {
    uuid,
    slug,
    name,
    category,
    state,
    export_id: exportId,
    exported_at: exportedAt,
    schema_version: schemaVersion,
    from: baseDomain,
    ...(manifest && { rows: rowsIn(manifest.streams) }),
  };
}
