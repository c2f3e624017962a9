import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, Problem, runAsJob, type Logger } from '#kernel';
import { DatabaseSignals, runInTenant } from '#tenancy';
import { limits } from '../limits.js';
import { LoopService } from '../engine/loop-service.js';
import { tenantsAtLimit, WorkLoop } from '../engine/work-loop.js';
import { JobQueueService, renewEveryMs, type ClaimedJob } from './job-queue.service.js';
import { attemptsInAll, failureName, failurePlace, jobRetryDelay } from './job-retries.js';
import { JobPostponed, JobRefused, JobsService, jobsChannel } from './jobs.service.js';

const slots = limits.jobs.number;
const slotsOfTenant = limits.jobsOfTenant.number;
const bulkSlots = limits.bulkJobs.number;
const pollMs = limits.poll.ms;

/**
 * Runs the jobs of all tenants, a few at a time, with tenants taking turns. Any number of runners share the work; when one dies, others
 * repeat its jobs after their leases have expired.
 */
@Injectable()
export class JobRunner extends LoopService {
  private readonly held = new Set<ClaimedJob>();
  /** Tenants, least recently served first. */
  private readonly served = new Set<string>();
  protected readonly loop: WorkLoop;

  constructor(
    private readonly jobs: JobsService,
    private readonly queue: JobQueueService,
    signals: DatabaseSignals,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
    this.loop = new WorkLoop({
      round: () => this.claim(),
      onError: (error) => this.logger.warn({ err: error }, 'jobs not claimed'),
      pollMs,
      wakers: [(wake) => signals.listen(jobsChannel, wake), (wake) => this.jobs.subscribe(wake)],
      renewal: { everyMs: renewEveryMs, renew: () => this.renew() },
    });
  }

  /** Bulk jobs get slots that no other job takes, and never all of them. */
  private async claim(): Promise<boolean> {
    const isMore = await this.claimOf({ isBulk: false });
    return (await this.claimOf({ isBulk: true })) || isMore;
  }

  private async claimOf({ isBulk }: { readonly isBulk: boolean }): Promise<boolean> {
    const kinds = this.jobs.kinds({ isBulk });
    const free = slots - this.held.size;
    const limit = isBulk ? Math.min(free, bulkSlots - this.heldOf(true).length) : free;
    if (limit <= 0 || kinds.length === 0) return false;
    const claimed = await this.queue.claim({ kinds, limit, without: this.tenantsAtLimit(isBulk), served: [...this.served] });
    for (const job of claimed) {
      // It was claimed while the runner began to stop.
      if (!this.loop.running) await this.queue.giveBack(job, 0);
      else if (job.tenant.schemaState === 'current') this.begin(job);
      else await this.queue.giveBack(job, limits.migratingPause.number);
    }
    // With fewer jobs than slots each tenant with due jobs got one. Another claim finds more only of those below their limit.
    const atLimit = this.tenantsAtLimit(isBulk);
    return claimed.length === limit || claimed.some(({ tenantId }) => !atLimit.includes(tenantId));
  }

  private tenantsAtLimit(isBulk: boolean): string[] {
    const holders = this.heldOf(isBulk).map(({ tenantId }) => tenantId);
    return tenantsAtLimit(holders, isBulk ? 1 : slotsOfTenant);
  }

  private heldOf(isBulk: boolean): ClaimedJob[] {
    return [...this.held].filter(({ kind }) => this.jobs.isBulk(kind) === isBulk);
  }

  private begin(job: ClaimedJob): void {
    const { tenant } = job;
    this.served.delete(tenant.id);
    this.served.add(tenant.id);
    if (this.served.size > limits.servedTenants.number) this.served.delete(this.served.values().next().value as string);
    this.held.add(job);
    this.loop.track(this.run(job).finally(() => this.held.delete(job)));
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) return;
    try {
      await this.queue.renew([...this.held]);
    } catch (error) {
      this.logger.warn({ err: error }, 'job leases not renewed');
    }
  }

  private async run(job: ClaimedJob): Promise<void> {
    try {
      const failure = await this.attempt(job);
      // The tenant was suspended or resumed at this moment: it does not count as an attempt.
      if (failure?.error instanceof Problem && failure.error.code === 'tenant.changed') await this.queue.giveBack(job, pollMs / 1000);
      else if (failure?.error instanceof JobPostponed) await this.queue.giveBack(job, failure.error.seconds);
      else if (failure) await this.fail(job, failure.error);
      else await this.queue.end(job);
    } catch (error) {
      // The outcome could not be stored: the lease expires and the job is repeated.
      this.logger.warn({ err: error, kind: job.kind, tenant: job.tenant.slug }, 'job outcome not stored');
    }
  }

  private async attempt(job: ClaimedJob): Promise<{ error: unknown } | undefined> {
    // Only repeated worker crashes reach this count; the job may be their cause.
    if (job.attempt > 2 * attemptsInAll) return { error: new JobRefused('its workers died') };
    const { attempt: number, kind, subjectId, tenant } = job;
    try {
      const work = () => this.jobs.workOf(kind)(subjectId, { number, isLast: number >= attemptsInAll });
      await runInTenant(tenant, () => runAsJob(kind, work));
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  private async fail(job: ClaimedJob, error: unknown): Promise<void> {
    const { kind, subjectId, attempt, tenant } = job;
    const failure = failureName(error);
    const details = { kind, subjectId, tenant: tenant.slug, attempt, failure, at: failurePlace(error) };
    const delay = error instanceof JobRefused ? undefined : jobRetryDelay(attempt);
    if (delay === undefined) {
      this.logger.warn(details, 'job given up');
      await this.queue.end(job);
      return;
    }
    this.logger.info({ ...details, seconds: Math.round(delay) }, 'job failed, will be retried');
    await this.queue.postpone(job, delay, failure);
  }
}
