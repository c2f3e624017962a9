import { Injectable } from '@nestjs/common';
import { TooSlowError, withinMilliseconds } from '#kernel';
import { BackgroundMigrations, Migrator, TenantDb } from '#tenancy';

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
}

/** Time limit of a check of the database, in milliseconds. */
const lookMs = 1000;
const writeMs = 2000;
/** Time for which the result of a write check or of a migration check is cached, in milliseconds. */
const keptMs = 3000;

/**
 * Whether this process can serve. Concurrent callers share one running check of each kind, and a check that hangs is not started again
 * before it ends, so that a slow database does not get more and more queries.
 */
@Injectable()
export class ReadinessService {
  private readonly ping: Look<void>;
  private readonly write: Look<void>;
  private readonly migrations: Look<Awaited<ReturnType<Migrator['status']>>>;

  constructor(
    db: TenantDb,
    migrator: Migrator,
    private readonly background: BackgroundMigrations,
  ) {
    this.ping = new Look(() => db.ping(), 0);
    this.write = new Look(() => db.confirmCommits(), keptMs);
    // Repeated, because older processes of a rolling upgrade may still create tenants.
    this.migrations = new Look(() => migrator.status(), keptMs);
  }

  /** Never throws, and answers within seconds in every state of the database. */
  async look(): Promise<Readiness> {
    try {
      await withinMilliseconds(lookMs, this.ping.result());
    } catch (error) {
      return { reason: error instanceof TooSlowError ? 'database does not answer' : 'database unreachable' };
    }
    try {
      const { shared, tenants } = await withinMilliseconds(lookMs, this.migrations.result());
      if (tenants.behind > 0) this.background.wake();
      // Tenants with problems must not make the server unavailable for all others.
      const allUnfit = tenants.total > 0 && tenants.behind + tenants.newer === tenants.total;
      if (shared.current < shared.latest || allUnfit) return { reason: 'migrations pending' };
      await withinMilliseconds(writeMs, this.write.result());
      const { behind, newer } = tenants;
      return behind + newer > 0 ? { tenants: { behind, newer } } : {};
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  }
}

/** A query of the database that runs once at a time and whose result is cached for a while. */
class Look<Answer> {
  private asked: { readonly answer: Promise<Answer>; readonly at: number; ended: boolean } | undefined;

  constructor(
    private readonly ask: () => Promise<Answer>,
    private readonly keptMs: number,
  ) {}

  result(): Promise<Answer> {
    const { asked } = this;
    if (asked && (!asked.ended || performance.now() - asked.at < this.keptMs)) return asked.answer;
    const answer = this.ask();
    const now = { answer, at: performance.now(), ended: false };
    this.asked = now;
    const end = (): void => {
      now.ended = true;
    };
    answer.then(end, end);
    return answer;
  }
}

function reasonOf(error: unknown): DatabaseReason {
  if (error instanceof TooSlowError) return 'commits hang';
  const { code } = ((error as { driverError?: unknown }).driverError ?? error) as { code?: string };
  if (code === '25006') return 'database is read-only';
  if (code === '53100' || code === '58030') return 'database disk is full';
  return code && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P0)/.test(code) ? 'database refuses writes' : 'database unreachable';
}
