import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { currentTenant, DatabaseSignals, TenantDb, type Tx } from '#tenancy';
import { Job } from './job.entity.js';

/** The channel on which processes without a runner tell the others that something is due. */
export const jobsChannel = 'guichet_jobs';

/** Thrown by a job's work: trying again would not help, so the job ends here. */
export class JobRefused extends Error {}

/** Which try this is, from 1; after the last one nobody comes back to it. */
export interface JobAttempt {
  readonly number: number;
  readonly isLast: boolean;
}

/**
 * Does the job in its tenant, outside of any transaction. May be called more than once for the same thing: a worker that dies is followed
 * by another, so the work looks first whether it is still wanted.
 */
export type JobWork = (subjectId: string, attempt: JobAttempt) => Promise<void>;

/** When: a moment, or so many seconds after the transaction began; at once by default. */
export type JobTime = { readonly dueAt: Date } | { readonly afterSeconds: number };

/**
 * Background work of tenants, written in the transaction that wants it done: it is done if and only if that is committed, at least once,
 * by whichever process has a runner and knows its kind.
 */
@Injectable()
export class JobsService {
  private readonly bell = new EventEmitter();
  private readonly works = new Map<string, JobWork>();

  constructor(
    private readonly db: TenantDb,
    private readonly signals: DatabaseSignals,
  ) {}

  /**
   * Adds a job of the current tenant. One that waits already keeps the earlier of both times and its tries are counted from the start; one
   * that runs is done once more.
   * @param kind in words for operators: `mail`
   */
  async add(tx: Tx, kind: string, subjectId: string, time: JobTime = { afterSeconds: 0 }): Promise<void> {
    const [dueAt, seconds] = 'dueAt' in time ? [time.dueAt, 0] : [null, time.afterSeconds];
    await tx.query(
      `insert into shared.job (tenant_id, kind, subject_id, due_at)
       values ($1, $2, $3, coalesce($4::timestamptz, (select now() + make_interval(secs => $5::float8))))
       on conflict (tenant_id, kind, subject_id) do update set
         due_at = least(job.due_at, excluded.due_at), attempts = 0, revision = job.revision + 1, last_error = null`,
      [currentTenant().id, kind, subjectId, dueAt, seconds],
    );
    this.db.afterCommit(tx, () => this.notify());
  }

  /** Takes a job of the current tenant back. One that a worker has begun is not stopped. */
  async cancel(tx: Tx, kind: string, subjectId: string): Promise<void> {
    await tx.delete(Job, { tenantId: currentTenant().id, kind, subjectId });
  }

  /**
   * Says how jobs of a kind are done; to be called when the module is initialised. A work that throws is called again later, eight times
   * in all over a day and a half.
   */
  handle(kind: string, work: JobWork): void {
    if (this.works.has(kind)) throw new TypeError(`Jobs of the kind "${kind}" are handled already`);
    this.works.set(kind, work);
  }

  /** The kinds that this process knows; others are left to those that do. */
  kinds(): string[] {
    return [...this.works.keys()];
  }

  /** @throws TypeError for a kind that nobody handles here */
  workOf(kind: string): JobWork {
    const work = this.works.get(kind);
    if (!work) throw new TypeError(`Nobody handles jobs of the kind "${kind}"`);
    return work;
  }

  /** @returns how to stop hearing */
  subscribe(heard: () => void): () => void {
    this.bell.on('notify', heard);
    return () => void this.bell.off('notify', heard);
  }

  /** A runner in this process hears it at once, others by a signal. */
  private notify(): void {
    if (!this.bell.emit('notify')) this.signals.send(jobsChannel);
  }
}
