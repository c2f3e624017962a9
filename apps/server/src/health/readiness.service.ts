import { Injectable } from '@nestjs/common';
import { RecentReadings, TooSlowError, withinMilliseconds } from '#kernel';
import { BackgroundMigrations, Migrator, TenantDb } from '#tenancy';
import { limits } from '../limits.js';

/** Why the database cannot be used. */
type DatabaseReason =
  | 'database unreachable'
  | 'database does not answer'
  | 'database is read-only'
  | 'database disk is full'
  | 'commits hang'
  | 'database refuses writes';

export interface Readiness {
  /** Why the process cannot serve; undefined when it can. */
  readonly reason?: DatabaseReason | 'migrations pending';
  /** Number of tenants that answer 503 because of their migration; undefined when there are none. */
  readonly tenants?: { readonly behind: number; readonly newer: number };
  /** Database servers that do not answer, by host and port: their tenants answer 503. Undefined when all answer. */
  readonly silent?: readonly string[];
}

const lookMs = limits.look.ms;

/**
 * Whether this process can serve. Concurrent callers share one running check of each kind, and a check that hangs is not started again
 * before it ends, so that a slow database does not get more and more queries.
 */
@Injectable()
export class ReadinessService {
  private readonly pings = new RecentReadings<void>(limits.pings.kept, true);
  private readonly writes = new RecentReadings<void>(limits.writes.kept, true);
  private readonly migrations = new RecentReadings<Awaited<ReturnType<Migrator['status']>>>(limits.migrations.kept, true);

  constructor(
    private readonly db: TenantDb,
    private readonly migrator: Migrator,
    private readonly background: BackgroundMigrations,
  ) {}

  /** Never throws, and answers within seconds in every state of the database. */
  async look(): Promise<Readiness> {
    try {
      await withinMilliseconds(
        lookMs,
        this.pings.read('ping', () => this.db.ping()),
      );
    } catch (error) {
      return { reason: error instanceof TooSlowError ? 'database does not answer' : 'database unreachable' };
    }
    try {
      // Repeated, because older processes of a rolling upgrade may still create tenants.
      const status = this.migrations.read('status', () => this.migrator.status());
      const { shared, tenants } = await withinMilliseconds(lookMs, status);
      if (tenants.behind > 0) this.background.wake();
      // Tenants with problems must not make the server unavailable for all others.
      const allUnfit = tenants.total > 0 && tenants.behind + tenants.newer === tenants.total;
      if (shared.current < shared.latest || allUnfit) return { reason: 'migrations pending' };
      await withinMilliseconds(
        limits.write.ms,
        this.writes.read('write', () => this.db.confirmCommits()),
      );
      const { behind, newer } = tenants;
      const silent = this.db.silentNodes;
      return { ...(behind + newer > 0 && { tenants: { behind, newer } }), ...(silent.length > 0 && { silent }) };
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  }
}

function reasonOf(error: unknown): DatabaseReason {
  if (error instanceof TooSlowError) return 'commits hang';
  const { code } = ((error as { driverError?: unknown }).driverError ?? error) as { code?: string };
  if (code === '25006') return 'database is read-only';
  if (code === '53100' || code === '58030') return 'database disk is full';
  return code && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P0)/.test(code) ? 'database refuses writes' : 'database unreachable';
}
