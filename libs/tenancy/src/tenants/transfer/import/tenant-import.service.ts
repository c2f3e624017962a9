import { Inject, Injectable } from '@nestjs/common';
import { SecretBox, SETTINGS, type Language, type Settings } from '#kernel';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { TenantHistoryService } from '../../tenants/tenant-history.service.js';
import { TenantLifeService } from '../../life/tenant-life.service.js';
import { latestTenant, requiredTenant, tenantMigrations } from '../../../migrations/index.js';
import { hashPassword, inventPassword } from '../../../passwords/passwords.js';
import { runInTenant, type TenantIdentity } from '../../../database/context/tenant-context.js';
import { TenantDb } from '../../../database/transactions/tenant-db.js';
import type { Tx } from '../../../database/transactions/tx.js';
import { TenantFoundations } from '../../tenants/tenant-foundations.js';
import { applyStepsIn } from '../../../database/migrating/tenant-migration.js';
import { identityOf, refusalOf } from '../../tenants/tenant-rules.js';
import { TenantsService } from '../../tenants/tenants.service.js';
import { ArchiveReader } from '../archive/archive-reader.js';
import { readExport, refuseOtherSum, type TransferProgress } from '../export-file.js';
import { ImportArrival, type ArrivedUser } from './import-arrival.js';
import { refuseOtherTables, refuseUnfitHeader } from './import-check.js';
import { ImportStaging, lockImport } from './import-staging.js';
import { onOwnConnection } from '../../../database/connections/own-connection.js';
import { SealedColumnsService } from '../sealed-columns.service.js';
import { databaseErrorOf, TransferError } from '../format/transfer-error.js';
import { notAnExport, type ExportHeader, type ExportManifest } from '../format/transfer-format.js';

export interface ImportOptions {
  readonly passphrase: string;
  /** Default: the slug of the exported tenant. */
  readonly slug?: string | undefined;
  /** Primary domain; default `<slug>.BASE_DOMAIN`. */
  readonly host?: string | undefined;
  /** Continues an interrupted import of the same file. */
  readonly resume?: boolean;
  /** Activates the tenant at once; otherwise it is suspended. */
  readonly activate?: boolean;
  readonly progress?: TransferProgress;
}

export interface ImportReport {
  readonly tenant: TenantIdentity;
  readonly manifest: ExportManifest;
  readonly users: readonly ArrivedUser[];
  /** Domains of the tenant on the other server that were not added here. */
  readonly domainsLeft: readonly string[];
  /** Number of parts that an earlier run loaded. */
  readonly partsSkipped: number;
}

interface Begun {
  staging?: ImportStaging;
  identity?: TenantIdentity;
  loaded?: ReadonlySet<string>;
}

/**
 * Imports an exported tenant. The rows are loaded into a staging schema that no request reads, and are compared with the manifest. Then one
 * transaction creates the tenant. Memory use does not depend on the size of the tenant.
 */
@Injectable()
export class TenantImportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly sealed: SealedColumnsService,
    private readonly tenants: TenantsService,
    private readonly foundations: TenantFoundations,
    private readonly life: TenantLifeService,
    private readonly history: TenantHistoryService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @throws TransferError for a file that cannot be read or is too new, and when the tenant exists already
   * @throws RefusedInput on slug or host
   */
  async import(path: string, options: ImportOptions): Promise<ImportReport> {
    const reader = await ArchiveReader.open(path);
    try {
      return await onOwnConnection(this.dataSource, 'guichet-import', (client) =>
        onOwnConnection(this.dataSource, 'guichet-import-lock', (lock) => this.run(reader, client, lock, options)),
      );
    } catch (error) {
      throw databaseErrorOf(error);
    }
  }

  private async run(reader: ArchiveReader, client: pg.Client, lock: pg.Client, options: ImportOptions): Promise<ImportReport> {
    const { passphrase, progress = () => undefined } = options;
    const begun: Begun = {};
    const { header, manifest } = await readExport(reader, passphrase, {
      header: async (header) => {
        refuseUnfitHeader(header);
        begun.identity = this.identityOf(header, options);
        await this.refuseTaken(begun.identity);
        if (!(await lockImport(lock, header.tenant.id))) throw new TransferError(`Another import of ${header.tenant.slug} is running.`);
        begun.staging = new ImportStaging(client, header, this.box);
        begun.loaded = await this.begin(begun.staging, header, options.resume === true);
      },
      part: async (stream, part, rows) => {
        if (!begun.loaded?.has(`${stream.name}/${part}`)) await begun.staging?.load(stream, part, rows);
        progress({ stream: stream.name, done: reader.progress });
      },
    });
    const { staging, identity, loaded } = begun;
    if (!staging || !identity) throw notAnExport();
    await staging.complete();
    for (const expected of manifest.streams) {
      const stream = header.streams.find(({ name }) => name === expected.name);
      progress({ stream: `comparing ${expected.name}`, done: 1 });
      if (stream) refuseOtherSum(expected, await staging.sumOf(stream));
    }
    const arrived = await this.arrive(header, identity, staging.schema);
    this.tenants.forget();
    if (options.activate) await this.life.resume(identity.id, 'imported');
    const [tenant] = await this.tenants.byIds([identity.id]);
    return { tenant: tenant ?? identity, manifest, partsSkipped: loaded?.size ?? 0, ...arrived };
  }

  /** Returns the parts that are loaded already; empty for a new import. */
  private async begin(staging: ImportStaging, header: ExportHeader, resume: boolean): Promise<Set<string>> {
    const begunWith = await staging.begunWith();
    if (begunWith === undefined) {
      await staging.create((shapes) => refuseOtherTables(header, shapes, this.sealed));
      return new Set();
    }
    const rid = 'or remove what it has collected with: doctor --repair';
    if (begunWith !== header.exportId)
      throw new TransferError(`An import of another file of ${header.tenant.slug} was not finished: go on with that file, ${rid}`);
    if (!resume) throw new TransferError(`An import of this file was not finished: go on with --resume, ${rid}`);
    return staging.loadedParts();
  }

  /** The tenant keeps its id, because QR codes contain signed ids and sealed values are bound to the id. */
  private identityOf({ tenant }: ExportHeader, { slug = tenant.slug, host }: ImportOptions): TenantIdentity {
    const { id, name, category, timeZone } = tenant;
    const language = tenant.language as Language;
    const wanted = identityOf({ slug, name, category, language, timeZone, ...(host && { host }) }, this.settings);
    return { ...wanted, id, schemaName: `t_${id.replaceAll('-', '')}`, state: 'suspended' };
  }

  /** An early check, before the long import. The last transaction decides. */
  private async refuseTaken({ id, slug, host }: TenantIdentity): Promise<void> {
    const [known] = await this.tenants.byIds([id]);
    if (known) throw new TransferError(`This tenant is on this server already, as ${known.slug}.`);
    if (await this.tenants.bySlug(slug)) throw new TransferError(`A tenant "${slug}" exists already: give another name with --slug.`);
    const owner = await this.tenants.ofHost(host);
    if (owner) throw new TransferError(`The host ${host} belongs to ${owner.slug}: give another one with --host.`);
  }

  private async arrive(
    header: ExportHeader,
    identity: TenantIdentity,
    staging: string,
  ): Promise<Pick<ImportReport, 'users' | 'domainsLeft'>> {
    const passwordHash = await hashPassword(inventPassword(), { kind: 'staff' });
    try {
      return await this.db.shared(async (tx) => {
        // The record of changes arrives with the tenant: its keys are not created here.
        const recordsNothing = `set local guichet.migrating to 'on'`;
        await tx.query(`set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0; ${recordsNothing}`);
        const arrival = new ImportArrival(tx, identity, staging, this.settings);
        const required = Math.max(header.requiredVersion, requiredTenant);
        await arrival.addTenant(header, { schema: latestTenant, required });
        const domainsLeft = await arrival.addDomains(header);
        const users = await arrival.addUsersAndKeys(passwordHash);
        await arrival.addWaiting();
        await arrival.takeSchema();
        await this.furnish(tx, identity, header.schemaVersion);
        const { exportId, exportedAt, baseDomain } = header;
        const details = { export_id: exportId, exported_at: exportedAt, from: baseDomain };
        const { id, slug } = identity;
        await this.history.record(tx, { tenantId: id, slug, action: 'imported', details });
        return { users, domainsLeft };
      });
    } catch (error) {
      throw refusalOf(error, identity) ?? error;
    }
  }

  /** Migrates the tables of an older version and writes the derived data of other libs. */
  private async furnish(tx: Tx, tenant: TenantIdentity, schemaVersion: number): Promise<void> {
    await tx.query(`set local search_path to "${tenant.schemaName}"`);
    if (schemaVersion < latestTenant) await applyStepsIn(tx, tenantMigrations.slice(schemaVersion));
    await runInTenant(tenant, () => this.foundations.restore(tx, tenant));
    await tx.query('set local search_path to shared');
  }
}
