import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { withoutContext, LOGGER, SETTINGS, type Logger, type Settings } from '#kernel';
import { Migrator, type MigrationReport } from './migrator.js';

/** Pauses grow with every pass that achieved nothing, up to this. */
const longestPauseMs = 15_000;
/** A stop waits so long for the tenant at hand; PostgreSQL takes back what is not committed. */
const stopGraceMs = 5000;

/**
 * Migrates, while the process serves, what its start could not: tenants that were busy, and those that an older process of a rolling
 * upgrade made meanwhile. Any number of processes may do so; the migrator lets one work at a time.
 */
@Injectable()
export class BackgroundMigrations implements BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private pause = new AbortController();
  private stopping = false;
  private fruitless = 0;
  /** What the log was told last, so that it is told once. */
  private readonly told = new Map<string, string>();

  constructor(
    private readonly migrator: Migrator,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'migrationRetryMs'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Begins to look for tenants that are behind, every `MIGRATION_RETRY_MS`; the second call does nothing. */
  start(): void {
    this.running ??= withoutContext(() => this.lookAgainAndAgain());
  }

  /** Somebody noticed a tenant that is behind: looks now, unless the last passes achieved nothing. */
  wake(): void {
    if (this.fruitless === 0) this.pause.abort();
  }

  /** Why tenants stay behind, by slug, as this process saw it last. */
  reasons(): ReadonlyMap<string, string> {
    return this.migrator.lastReasons;
  }

  /** Ends after the tenant at hand, before the pools are closed. */
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
    for (const [tenant, state] of states) if (this.told.get(tenant) !== state) this.logger.warn({ tenant, state }, 'tenant answers 503');
    this.told.clear();
    for (const [tenant, state] of states) this.told.set(tenant, state);
  }
}
