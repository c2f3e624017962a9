import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { isoInZone, loadServerSecret, readSettings, type Settings } from '#kernel';
import {
  InstallationService,
  Migrator,
  openDatabase,
  runInTenant,
  TenantDb,
  TenantsService,
  tenantUrl,
  type OpenedDatabase,
  type TenantIdentity,
} from '#tenancy';
import { CliModule } from './cli.module.js';
import { Refusal } from './failure.js';
import { guichet, say } from './output.js';
import { watchStopSignals } from './stop-signals.js';

/** An open installation, for the duration of one command. */
export class Session {
  constructor(
    readonly settings: Settings,
    readonly database: OpenedDatabase,
    private readonly app: INestApplicationContext,
  ) {}

  /** A service of the libs. */
  service<Service>(type: Type<Service>): Service {
    return this.app.get(type, { strict: false });
  }

  /** A tenant whose shared rows are needed only. @throws Refusal when there is no such tenant */
  async knownTenant(slug: string): Promise<TenantIdentity> {
    const tenant = await this.service(TenantsService).bySlug(slug.trim().toLowerCase());
    if (!tenant) throw new Refusal(`There is no tenant "${slug}". The known ones: ${guichet} tenant list`);
    return tenant;
  }

  /** A tenant with usable tables. @throws Refusal when there is no such tenant, or it waits for its migration */
  async tenant(slug: string): Promise<TenantIdentity> {
    const tenant = await this.knownTenant(slug);
    if (tenant.schemaState === 'behind') throw new Refusal(`The tenant ${tenant.slug} waits for its migration: run ${guichet} migrate run`);
    if (tenant.schemaState === 'moving') throw new Refusal(`The tenant ${tenant.slug} is being moved: ask ${guichet} doctor`);
    if (tenant.schemaState === 'newer')
      throw new Refusal(`The tenant ${tenant.slug} is newer than this program: install the newer Guichet.`);
    return tenant;
  }

  /** Runs `work` in a tenant. @throws Refusal when there is no such tenant */
  async inTenant<Result>(slug: string, work: (tenant: TenantIdentity) => Promise<Result>): Promise<Result> {
    const tenant = await this.tenant(slug);
    return runInTenant(tenant, () => work(tenant));
  }

  /** A URL on a host of the tenant, as browsers and devices reach it. @throws Refusal when it has no host */
  address(tenant: Pick<TenantIdentity, 'slug' | 'host'>, path: string): string {
    if (!tenant.host) throw new Refusal(`The tenant ${tenant.slug} has no primary domain: give it one in Root's panel.`);
    return tenantUrl(this.settings, tenant, path);
  }

  /** Whether Root, and with it the super-user, exists. Only for migrated databases. */
  async isInstalled(): Promise<boolean> {
    const [root] = await this.service(TenantDb).shared((tx) => tx.query<unknown[]>(`select 1 from tenant where category = 'R'`));
    return root !== undefined;
  }
}

export interface SessionNeeds {
  /** Default: requires an installed and migrated database with this server secret. `bare`: accepts any reachable database. */
  readonly bare?: boolean;
  /** May create the data folder with a secret and a database; otherwise a missing one is refused. */
  readonly creates?: boolean;
  /** The work may take long (migrations of large tables); otherwise DATABASE_TIMEOUT_MS limits statements as on the server. */
  readonly patient?: boolean;
}

/**
 * Opens settings, secret, database and services, runs `work`, and always closes all of it, also after a signal. The embedded PostgreSQL
 * is started, or joined when a server runs; the last process that uses it stops it.
 * @throws StoppedError after a signal; Refusal, SettingsError, DatabaseStartError, EmbeddedPostgresError, NewerSchemaError
 */
export async function withSession<Result>(work: (session: Session) => Promise<Result>, needs: SessionNeeds = {}): Promise<Result> {
  const signals = watchStopSignals();
  try {
    const read = readSettings();
    const settings = needs.patient ? { ...read, databaseTimeoutMs: 24 * 3_600_000 } : read;
    if (!needs.creates) checkNothingIsMissing(settings);
    const serverSecret = loadServerSecret(settings);
    const database = await openDatabase(settings, say);
    try {
      signals.check();
      const module = CliModule.with(settings, serverSecret, database.url);
      const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
      try {
        const session = new Session(settings, database, app);
        return await Promise.race([signals.stopped, checkedWork(session, work, needs)]);
      } finally {
        await app.close();
      }
    } finally {
      await database.release();
    }
  } finally {
    signals.ignoreFromNow();
  }
}

/** The file of the server secret; undefined when SERVER_SECRET contains it. */
export function secretFile(settings: Settings): string | undefined {
  return settings.serverSecret ? undefined : join(settings.dataDir, 'server-secret');
}

/** ISO 8601 in the tenant's time zone, as the API answers it. */
export function iso(instant: Date | null, tenant: Pick<TenantIdentity, 'timeZone'>): string | null {
  return instant && isoInZone(instant, tenant.timeZone);
}

/**
 * Refuses missing files, because opening would create them, and a mistyped DATA_DIR must not become a new, empty installation.
 * @throws Refusal
 */
function checkNothingIsMissing(settings: Settings): void {
  if (!settings.databaseUrl && isMissing(settings.dataDir)) throw notInstalled(settings.dataDir);
  const file = secretFile(settings);
  if (file && isMissing(file)) {
    throw new Refusal(
      `There is no server secret, neither SERVER_SECRET nor ${file}: restore it, or run ${guichet} install on a new installation`,
    );
  }
}

/** False also when it cannot be determined: opening it then reports why. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

async function checkedWork<Result>(session: Session, work: (session: Session) => Promise<Result>, needs: SessionNeeds): Promise<Result> {
  if (!needs.bare) await checkInstalled(session);
  return work(session);
}

/** @throws Refusal, DatabaseStartError */
async function checkInstalled(session: Session): Promise<void> {
  const { shared } = await session.service(Migrator).status();
  if (shared.current === 0) throw notInstalled('the database');
  if (shared.current > shared.latest) {
    throw new Refusal(`The database is at version ${shared.current}, this program knows ${shared.latest}: install the newer Guichet.`);
  }
  if (shared.current < shared.latest) {
    throw new Refusal(`The database waits for migrations: run ${guichet} install`);
  }
  if (!(await session.isInstalled())) throw new Refusal(`The installation is not complete: run ${guichet} install`);
  // With another secret a new tenant's signing key could not be decrypted later.
  await session.service(InstallationService).checkSecret();
}

function notInstalled(where: string): Refusal {
  return new Refusal(`Nothing is installed in ${where}: run ${guichet} install`);
}
