import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#kernel';
import { runInTenant } from '../context/tenant-context.js';
import { TenantDb } from '../database/tenant-db.js';
import { Tenants } from '../tenants/tenants.service.js';

const everyMs = 60 * 60_000;

/** Housekeeping of the current tenant, in small steps: it runs beside people's requests. */
type Work = () => Promise<void>;

/** What libs do for every tenant about once an hour (forgetting what is old), each chore in one process for all. */
@Injectable()
export class ScheduledTasks implements BeforeApplicationShutdown {
  private readonly chores = new Map<string, Work>();
  private readonly ofServer = new Map<string, Work>();
  private nextLookAt = 0;
  private round: Promise<void> | undefined;
  private stopping = false;

  constructor(
    private readonly db: TenantDb,
    private readonly tenants: Tenants,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param name kept in the database, in words for operators: `prune webhook events` */
  add(name: string, work: Work): void {
    this.chores.set(name, work);
  }

  /** Like `add`, but `work` is done once for the whole server, in no tenant. */
  addForServer(name: string, work: Work): void {
    this.ofServer.set(name, work);
  }

  /** Begins what is due and returns at once; to be called often, by processes that do background work. */
  beginWhenDue(): void {
    if (this.round || this.stopping || performance.now() < this.nextLookAt) return;
    this.nextLookAt = performance.now() + everyMs / 4;
    this.round = this.doWhatIsDue().finally(() => {
      this.round = undefined;
    });
  }

  /** Does one chore now, whoever did it last. Walks over the tenants; one that fails is told and passed over. */
  async run(name: string): Promise<void> {
    const once = this.ofServer.get(name);
    if (once) return once();
    const work = this.chores.get(name);
    if (!work) throw new TypeError(`There is no chore "${name}"`);
    for (const tenant of await this.tenants.list()) {
      if (this.stopping) return;
      if (tenant.schemaState !== 'current' || tenant.state === 'deleting') continue;
      try {
        await runInTenant(tenant, work);
      } catch (error) {
        this.logger.warn({ err: error, tenant: tenant.slug, chore: name }, 'chore not done');
      }
    }
  }

  /** Ends at the next tenant, before the pools are closed; what was left is done an hour later. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.round;
  }

  private async doWhatIsDue(): Promise<void> {
    for (const name of [...this.chores.keys(), ...this.ofServer.keys()]) {
      try {
        if (!this.stopping && (await this.isMine(name))) await this.run(name);
      } catch (error) {
        this.logger.warn({ err: error, chore: name }, 'chore not done');
      }
    }
  }

  /** Exactly one process begins a chore, and nobody again within the hour. */
  private async isMine(name: string): Promise<boolean> {
    const rows = await this.db.sharedStatement(
      {
        name: 'chore-begin',
        text: `insert into shared.chore (name) values ($1)
          on conflict (name) do update set begun_at = excluded.begun_at
            where chore.begun_at < (select now() - make_interval(secs => $2))
          returning name`,
      },
      [name, everyMs / 1000],
    );
    return rows.length > 0;
  }
}
