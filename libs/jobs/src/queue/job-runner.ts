import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, Problem, type Logger } from '#kernel';
import { DatabaseSignals, runInTenant, TenantsService, type TenantIdentity } from '#tenancy';
import { LoopService } from '../engine/loop-service.js';
import { tenantsAtLimit, WorkLoop } from '../engine/work-loop.js';
import { JobQueueService, renewEveryMs, type ClaimedJob } from './job-queue.service.js';
import { attemptsInAll, failureName, failurePlace, jobRetryDelay } from './job-retries.js';
import { JobRefused, JobsService, jobsChannel } from './jobs.service.js';

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
export class JobRunner extends LoopService {
  private readonly held = new Set<ClaimedJob>();
  /** In the order in which they were served last. */
  private readonly served = new Set<string>();
  protected readonly loop: WorkLoop;

  constructor(
    private readonly jobs: JobsService,
    private readonly queue: JobQueueService,
    private readonly tenants: TenantsService,
    signals: DatabaseSignals,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
    this.loop = new WorkLoop({
      round: () => this.claim(),
      onError: (error) => this.logger.warn({ err: error }, 'job runner'),
      pollMs,
      wakers: [(wake) => signals.listen(jobsChannel, wake), (wake) => this.jobs.subscribe(wake)],
      renewal: { everyMs: renewEveryMs, renew: () => this.renew() },
    });
  }

  private async claim(): Promise<boolean> {
    const kinds = this.jobs.kinds();
    const limit = slots - this.held.size;
    if (limit <= 0 || kinds.length === 0) return false;
    const without = tenantsAtLimit(
      [...this.held].map(({ tenantId }) => tenantId),
      slotsOfTenant,
    );
    const claimed = await this.queue.claim({ kinds, limit, without, served: [...this.served] });
    if (claimed.length === 0) return false;
    const tenants = await this.tenants.byIds(claimed.map(({ tenantId }) => tenantId));
    for (const job of claimed) {
      const tenant = tenants.find(({ id }) => id === job.tenantId);
      if (tenant?.schemaState === 'current') this.begin(tenant, job);
      else if (tenant) await this.queue.giveBack(job, migratingPauseSeconds);
    }
    return true;
  }

  private begin(tenant: TenantIdentity, job: ClaimedJob): void {
    this.served.delete(tenant.id);
    this.served.add(tenant.id);
    if (this.served.size > rememberedTenants) this.served.delete(this.served.values().next().value as string);
    this.held.add(job);
    this.loop.track(this.run(tenant, job).finally(() => this.held.delete(job)));
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) return;
    try {
      await this.queue.renew([...this.held]);
    } catch (error) {
      this.logger.warn({ err: error }, 'job leases not renewed');
    }
  }

  private async run(tenant: TenantIdentity, job: ClaimedJob): Promise<void> {
    try {
      const failure = await this.attempt(tenant, job);
      // Suspended or resumed in the same moment: no attempt at the work.
      if (failure?.error instanceof Problem && failure.error.code === 'tenant.changed') await this.queue.giveBack(job, pollMs / 1000);
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
