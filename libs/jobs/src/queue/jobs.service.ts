import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { currentTenant, DatabaseSignals, queryPrepared, TenantDb, type PreparedStatement, type Tx } from '#tenancy';
import { Job } from './job.entity.js';

/** The notification channel by which processes without a runner announce new jobs. */
export const jobsChannel = 'guichet_jobs';

/** Thrown by a job's work when a retry would not help; the job ends. */
export class JobRefused extends Error {}

/** Thrown by a job's work that cannot be done before some seconds have passed; it does not count as an attempt. */
export class JobPostponed extends Error {
  constructor(readonly seconds: number) {
    super(`Not before ${seconds} seconds have passed`);
  }
}

/** The number of the attempt, from 1; no retry follows the last one. */
export interface JobAttempt {
  readonly number: number;
  readonly isLast: boolean;
}

/**
 * Runs a job in the context of its tenant, outside of any transaction. It may run more than once for the same subject (after a crash, for
 * example), so it first checks whether the work is still needed.
 */
export type JobWork = (subjectId: string, attempt: JobAttempt) => Promise<void>;

/** When a job is due: at a time, or some seconds after the start of the transaction. */
export type JobTime = { readonly dueAt: Date } | { readonly afterSeconds: number };

/** A job to add. */
export interface NewJob {
  /** Readable for operators, for example `mail`. */
  readonly kind: string;
  readonly subjectId: string;
  /** Default: now. */
  readonly time?: JobTime;
}

/**
 * SQL that adds jobs of the current tenant, as a statement or a data-modifying CTE; a job that already waits gets the earlier of both
 * times. Call `notifyAfter`.
 * @param first the number of its first parameter; `jobValues` returns the values
 * @param rule name of a CTE that has a row when they may be added; default: always
 */
export function jobsInsert(first: number, rule?: string): string {
  const [tenant, kinds, subjects, times, delays] = [0, 1, 2, 3, 4].map((index) => `$${first + index}`);
  return `insert into shared.job (tenant_id, kind, subject_id, due_at)
    select ${tenant}::uuid, kind, subject_id, coalesce(due_at, (select now()) + make_interval(secs => seconds))
    from ${rule ? `${rule}, ` : ''}unnest(${kinds}::text[], ${subjects}::uuid[], ${times}::timestamptz[], ${delays}::float8[])
      as added (kind, subject_id, due_at, seconds)
    on conflict (tenant_id, kind, subject_id) do update set
      due_at = least(job.due_at, excluded.due_at), attempts = 0, revision = job.revision + 1, last_error = null`;
}

/** The values of the parameters of `jobsInsert`. */
export function jobValues(jobs: readonly NewJob[]): unknown[] {
  return [
    currentTenant().id,
    jobs.map(({ kind }) => kind),
    jobs.map(({ subjectId }) => subjectId),
    jobs.map(({ time }) => (time && 'dueAt' in time ? time.dueAt : null)),
    jobs.map(({ time }) => (time && 'afterSeconds' in time ? time.afterSeconds : 0)),
  ];
}

const addStatement: PreparedStatement = { name: 'jobs-add', text: jobsInsert(1) };

/**
 * Background jobs of tenants. A job is added in the transaction that requires it and runs at least once if that transaction commits, else
 * never. Any process with a runner and a handler for its kind may run it.
 */
@Injectable()
export class JobsService {
  private readonly events = new EventEmitter();
  private readonly works = new Map<string, JobWork>();
  private readonly bulk = new Set<string>();

  constructor(
    private readonly db: TenantDb,
    private readonly signals: DatabaseSignals,
  ) {}

  /**
   * Adds a job of the current tenant. A job that already waits gets the earlier of both times and its attempts are reset; a job that runs
   * is repeated afterwards.
   * @param kind readable for operators, for example `mail`
   */
  add(tx: Tx, kind: string, subjectId: string, time?: JobTime): Promise<void> {
    return this.addAll(tx, [{ kind, subjectId, ...(time && { time }) }]);
  }

  /** Adds jobs with one statement, see `add`; each kind and subject once at most. */
  async addAll(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await queryPrepared(tx, addStatement, jobValues(jobs));
    this.notifyAfter(tx);
  }

  /** Wakes the runners after the commit. Call it in a transaction that adds jobs with `jobsInsert`. */
  notifyAfter(tx: Tx): void {
    this.db.afterCommit(tx, () => this.notify());
  }

  /** Deletes a job of the current tenant. A running job is not stopped. */
  async cancel(tx: Tx, kind: string, subjectId: string): Promise<void> {
    await tx.delete(Job, { tenantId: currentTenant().id, kind, subjectId });
  }

  /**
   * Registers the handler of a kind; call it in `onModuleInit`. When it throws, it is retried, eight attempts in all over about 33 hours.
   * @param options.isBulk there are many at once, for which nobody waits: other kinds are claimed first, and these take few slots
   * @throws TypeError when the kind already has a handler
   */
  handle(kind: string, work: JobWork, { isBulk = false } = {}): void {
    if (this.works.has(kind)) throw new TypeError(`Jobs of the kind "${kind}" are handled already`);
    this.works.set(kind, work);
    if (isBulk) this.bulk.add(kind);
  }

  /** The kinds that this process handles, bulk ones or all others; it does not claim other kinds. */
  kinds({ isBulk }: { readonly isBulk: boolean }): string[] {
    return [...this.works.keys()].filter((kind) => this.isBulk(kind) === isBulk);
  }

  isBulk(kind: string): boolean {
    return this.bulk.has(kind);
  }

  /** @throws TypeError for a kind without a handler */
  workOf(kind: string): JobWork {
    const work = this.works.get(kind);
    if (!work) throw new TypeError(`No handler for jobs of the kind "${kind}"`);
    return work;
  }

  /** Calls `listener` whenever this process adds a job. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void {
    this.events.on('notify', listener);
    return () => void this.events.off('notify', listener);
  }

  /** Wakes the runner of this process, or, without one, those of other processes by a database notification; call it after the commit. */
  notify(): void {
    if (!this.events.emit('notify')) this.signals.send(jobsChannel);
  }
}
