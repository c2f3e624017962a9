import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, runAsJob, type Logger } from '#kernel';
import { runInTenant, ScheduledTasks, TenantDb, TenantsService } from '#tenancy';
import { LoopService } from '../engine/loop-service.js';
import { WorkLoop } from '../engine/work-loop.js';

const everySeconds = 60 * 60;
/** Checks four times per interval whether a task is due. */
const pollMs = (everySeconds * 1000) / 4;

/** Runs scheduled tasks about once an hour, each in one process only. */
@Injectable()
export class TaskSchedulerService extends LoopService {
  protected readonly loop = new WorkLoop({
    round: () => this.runDue(),
    onError: (error) => this.logger.warn({ err: error }, 'scheduled tasks'),
    pollMs,
  });
  private stopping = false;

  constructor(
    private readonly tasks: ScheduledTasks,
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  override start(): void {
    this.stopping = false;
    super.start();
  }

  /** Stops before the next tenant; the remaining tenants are done in the next run. */
  override stop(): Promise<void> {
    this.stopping = true;
    return super.stop();
  }

  /**
   * Runs one task now, regardless of its last run: once, or for each tenant. The failure of a tenant is logged and the next one follows.
   */
  async run(name: string): Promise<void> {
    const { work, scope } = this.tasks.find(name);
    if (scope === 'server') return work();
    if (scope === 'node') return void (await this.db.onEachNode(work));
    for (const tenant of await this.tenants.list()) {
      if (this.stopping) return;
      if (tenant.schemaState !== 'current' || tenant.state === 'deleting') continue;
      try {
        await runInTenant(tenant, () => runAsJob(name, work));
      } catch (error) {
        this.logger.warn({ err: error, tenant: tenant.slug, task: name }, 'scheduled task failed');
      }
    }
  }

  private async runDue(): Promise<boolean> {
    for (const name of this.tasks.names()) {
      try {
        if (!this.stopping && (await this.claim(name))) await this.run(name);
      } catch (error) {
        this.logger.warn({ err: error, task: name }, 'scheduled task failed');
      }
    }
    return false;
  }

  /** Claims a task for this process. @returns false when it was started within the last hour */
  private async claim(name: string): Promise<boolean> {
    const rows = await this.db.sharedStatement(claimStatement, [name, everySeconds]);
    return rows.length > 0;
  }
}

// A conditional upsert: it returns a row to only one of several concurrent processes.
const claimStatement = {
  name: 'chore-begin',
  text: `insert into shared.chore (name) values ($1)
    on conflict (name) do update set begun_at = excluded.begun_at
      where chore.begun_at < (select now() - make_interval(secs => $2))
    returning name`,
};
