import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { withoutContext, LOGGER, SETTINGS, type Logger, type Settings } from '#kernel';
import { Migrator, type MigrationReport } from './migrator.js';

/** Longest pause; pauses grow with every unsuccessful pass. */
const longestPauseMs = 15_000;
/** Longest wait of a stop for the current tenant; then PostgreSQL rolls back. */
const stopGraceMs = 5000;

/**
 * Migrates, while the process serves, tenants that the start could not: busy ones, and those that an older process of a rolling upgrade
 * created meanwhile. Any number of processes may do so; the migrator lets one work at a time.
 */
@Injectable()
export class BackgroundMigrations implements BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private pause = new AbortController();
  private stopping = false;
  private fruitless = 0;
  /** The last logged reasons, so that each is logged once. */
  private readonly logged = new Map<string, string>();

  constructor(
    private readonly migrator: Migrator,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'migrationRetryMs'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Starts looking for tenants that are behind, every `MIGRATION_RETRY_MS`; a second call does nothing. */
  start(): void {
    this.running ??= withoutContext(() => this.lookAgainAndAgain());
  }

  /** Looks at once, because a tenant that is behind was requested; ignored when the last passes were unsuccessful. */
  wake(): void {
    if (this.fruitless === 0) this.pause.abort();
  }

  /** Why tenants are behind, by slug, from this process's last pass. */
  reasons(): ReadonlyMap<string, string> {
    return this.migrator.lastReasons;
  }

  /** Ends after the current tenant, before the pools are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.pause.abort();
    await Promise.race([this.running, pass(stopGraceMs, undefined, { ref: false })]);
  }

  private async lookAgainAndAgain(): Promise<void> {
    while (!this.stopping) {
      const { migrationRetryMs } = this.settings;
      const longest = Math.max(longestPauseMs, migrationRetryMs);
      const pauseMs = Math.min(longest, migrationRetryMs * 2 ** Math.min(this.fruitless, 10));
      this.pause = new AbortController();
      // Jitter keeps the processes apart.
      await pass(pauseMs * (0.9 + 0.2 * Math.random()), undefined, { signal: this.pause.signal }).catch(() => undefined);
      if (!this.stopping) await this.look();
    }
  }

  private async look(): Promise<void> {
    try {
      const report = await this.migrator.migrateTenants(
        (line) => this.logger.info(line),
        () => this.stopping,
      );
      this.fruitless = report.behind.length > 0 && report.tenants === 0 ? this.fruitless + 1 : 0;
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
