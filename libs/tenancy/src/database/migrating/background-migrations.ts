import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { withoutContext, LOGGER, SETTINGS, type Logger, type Settings } from '#kernel';
import { limits } from '../../limits.js';
import { Migrator, type MigrationReport } from './migrator.js';

/** Maximum pause; pauses grow with every unsuccessful pass. */
const longestPauseMs = 15_000;

/**
 * Migrates tenants while the process serves requests: tenants that were busy at the start, and tenants that an older process created
 * during a rolling upgrade. Several processes may run this; the migrator works in one process at a time.
 */
@Injectable()
export class BackgroundMigrations implements BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private pause = new AbortController();
  private stopping = false;
  private unsuccessfulPasses = 0;
  /** Logged reasons by tenant, so that each reason is logged once. */
  private readonly logged = new Map<string, string>();

  constructor(
    private readonly migrator: Migrator,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'migrationRetryMs'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Starts checking for tenants with pending migrations, every `MIGRATION_RETRY_MS`. A second call does nothing. */
  start(): void {
    this.running ??= withoutContext(() => this.checkRepeatedly());
  }

  /** Checks at once, because a request arrived for a tenant with pending migrations. Ignored after unsuccessful passes. */
  wake(): void {
    if (this.unsuccessfulPasses === 0) this.pause.abort();
  }

  /** Reasons of pending migrations by slug, from the last pass of this process. */
  reasons(): ReadonlyMap<string, string> {
    return this.migrator.lastReasons;
  }

  /** Stops after the current tenant, before the pools are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.pause.abort();
    await Promise.race([this.running, pass(limits.stopGrace.ms, undefined, { ref: false })]);
  }

  private async checkRepeatedly(): Promise<void> {
    while (!this.stopping) {
      const { migrationRetryMs } = this.settings;
      const longest = Math.max(longestPauseMs, migrationRetryMs);
      const pauseMs = Math.min(longest, migrationRetryMs * 2 ** Math.min(this.unsuccessfulPasses, 10));
      this.pause = new AbortController();
      // Random variation, so that processes do not check at the same time.
      await pass(pauseMs * (0.9 + 0.2 * Math.random()), undefined, { signal: this.pause.signal }).catch(() => undefined);
      if (!this.stopping) await this.migratePending();
    }
  }

  private async migratePending(): Promise<void> {
    try {
      const report = await this.migrator.migrateTenants(
        (line) => this.logger.info(line),
        () => this.stopping,
      );
      this.unsuccessfulPasses = report.behind.length > 0 && report.tenants === 0 ? this.unsuccessfulPasses + 1 : 0;
      this.log(report);
    } catch (error) {
      this.logger.warn({ err: error }, 'tenants not migrated');
    }
  }

  private log({ behind, newer }: MigrationReport): void {
    const states = new Map([
      ...behind.map(({ slug, reason }) => [slug, `waits for its migration: ${reason}`] as const),
      ...newer.map((slug) => [slug, 'is newer than this program: install the newer Guichet'] as const),
    ]);
    for (const [tenant, state] of states) if (this.logged.get(tenant) !== state) this.logger.warn({ tenant, state }, 'tenant answers 503');
    this.logged.clear();
    for (const [tenant, state] of states) this.logged.set(tenant, state);
  }
}
