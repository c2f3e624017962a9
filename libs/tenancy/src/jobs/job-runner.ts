import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LOGGER, withoutContext, Problem, type Logger } from '#kernel';
import { DatabaseSignals } from '../database/database-signals.js';
import { runInTenant, type TenantIdentity } from '../context/tenant-context.js';
import { Tenants } from '../tenants/tenants.service.js';
import { JobQueue, renewEveryMs, type ClaimedJob } from './job-queue.service.js';
import { attemptsInAll, failureName, failurePlace, jobRetryDelay } from './job-retries.js';
import { JobRefused, Jobs, jobsChannel } from './jobs.service.js';

/** Jobs that one runner does at the same time, and of these for one tenant. */
const slots = 4;
const slotsOfTenant = 2;
/** Looked at so often without being told to. */
const pollMs = 1000;
/** Jobs of a tenant that waits for its migration are left for so long. */
const migratingPauseSeconds = 5;
/** So many tenants are remembered as served; more would only make turns more even. */
const rememberedTenants = 1000;

/**
 * Does the jobs of all tenants, a few at a time and each tenant in its turn. Any number of runners share the work; what one had begun
 * when it died is done by others once its lease is over.
 */
@Injectable()
export class JobRunner implements BeforeApplicationShutdown {
  private readonly held = new Map<ClaimedJob, { readonly work: Promise<void>; readonly renewing: NodeJS.Timeout }>();
  /** In the order in which they were served last. */
  private readonly served = new Set<string>();
  private stopping: (() => void)[] = [];
  private round: Promise<void> | undefined;
  private again = false;
  private running = false;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly jobs: Jobs,
    private readonly queue: JobQueue,
    private readonly tenants: Tenants,
    private readonly signals: DatabaseSignals,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Begins to work; the second call does nothing. */
  start(): void {
    if (this.running) return;
    this.running = true;
    this.stopped = undefined;
    const poll = setInterval(() => this.wake(), pollMs);
    const listener = this.signals.listen(jobsChannel, () => this.wake());
    const unsubscribe = this.jobs.subscribe(() => this.wake());
    this.stopping = [() => clearInterval(poll), () => listener.stop(), unsubscribe];
    this.wake();
  }

  /**
   * Takes nothing new and waits for what is under way, so long at most. What takes longer is left to another runner, who does it again
   * from its beginning.
   */
  stop(graceMs = 5000): Promise<void> {
    // The program stops it first, and Nest once more: the time of grace is spent once.
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  /** Before the pools are closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async end(graceMs: number): Promise<void> {
    this.running = false;
    for (const end of this.stopping.splice(0)) end();
    await this.round;
    const late = new AbortController();
    await Promise.race([
      Promise.all([...this.held.values()].map(({ work }) => work)).then(() => late.abort()),
      pass(graceMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    for (const { renewing } of this.held.values()) clearInterval(renewing);
  }

  /** One round at a time; being woken during one makes another. */
  private wake(): void {
    if (!this.running) return;
    this.again = true;
    // Whoever added the job may still be inside a request, which is none of the job's business.
    this.round ??= withoutContext(() => this.claim()).finally(() => {
      this.round = undefined;
      if (this.again) this.wake();
    });
  }

  private async claim(): Promise<void> {
    try {
      while (this.again && this.running) {
        this.again = false;
        const kinds = this.jobs.kinds();
        const limit = slots - this.held.size;
        if (limit <= 0 || kinds.length === 0) return;
        const claimed = await this.queue.claim({ kinds, limit, without: this.fullTenants(), served: [...this.served] });
        if (claimed.length === 0) continue;
        this.again = true;
        const tenants = await this.tenants.byIds(claimed.map(({ tenantId }) => tenantId));
        for (const job of claimed) {
          const tenant = tenants.find(({ id }) => id === job.tenantId);
          if (tenant?.schemaState === 'current') this.begin(tenant, job);
          else if (tenant) await this.queue.giveBack(job, migratingPauseSeconds);
        }
      }
    } catch (error) {
      // The database is away: the next poll tries again.
      this.again = false;
      this.logger.warn({ err: error }, 'job runner');
    }
  }

  private fullTenants(): string[] {
    const ids = [...this.held.keys()].map(({ tenantId }) => tenantId);
    return [...new Set(ids)].filter((id) => ids.filter((other) => other === id).length >= slotsOfTenant);
  }

  private begin(tenant: TenantIdentity, job: ClaimedJob): void {
    this.served.delete(tenant.id);
    this.served.add(tenant.id);
    if (this.served.size > rememberedTenants) this.served.delete(this.served.values().next().value as string);
    const renewing = setInterval(() => {
      this.queue
        .renew([job])
        .catch((error: unknown) => this.logger.warn({ err: error, kind: job.kind }, 'job lease not renewed'));
    }, renewEveryMs);
    const work = this.run(tenant, job).finally(() => {
      clearInterval(renewing);
      this.held.delete(job);
      this.wake();
    });
    this.held.set(job, { work, renewing });
  }

  private async run(tenant: TenantIdentity, job: ClaimedJob): Promise<void> {
    try {
      const failure = await this.attempt(tenant, job);
      // Suspended or resumed in the same moment: no attempt at the work.
      if (failure?.error instanceof Problem && failure.error.code === 'tenant.changed')
        await this.queue.giveBack(job, pollMs / 1000);
      else if (failure) await this.fail(tenant, job, failure.error);
      else await this.queue.end(job);
    } catch (error) {
      // It could not be written down how it ended: the lease runs out, and it is done again.
      this.logger.warn({ err: error, kind: job.kind, tenant: tenant.slug }, 'job runner');
    }
  }

  private async attempt(tenant: TenantIdentity, job: ClaimedJob): Promise<{ error: unknown } | undefined> {
    // Only workers that die bring a job so far. It may be what kills them.
    if (job.attempt > 2 * attemptsInAll) return { error: new JobRefused('its workers died') };
    const { attempt: number, kind, subjectId } = job;
    try {
      await runInTenant(tenant, () => this.jobs.workOf(kind)(subjectId, { number, isLast: number >= attemptsInAll }));
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  private async fail(tenant: TenantIdentity, job: ClaimedJob, error: unknown): Promise<void> {
    const { kind, subjectId, attempt } = job;
    const failure = failureName(error);
    const told = { kind, subjectId, tenant: tenant.slug, attempt, failure, at: failurePlace(error) };
    const delay = error instanceof JobRefused ? undefined : jobRetryDelay(attempt);
    if (delay === undefined) {
      this.logger.warn(told, 'job given up');
      await this.queue.end(job);
      return;
    }
    this.logger.info({ ...told, seconds: Math.round(delay) }, 'job failed, is tried again');
    await this.queue.postpone(job, delay, failure);
  }
}
