import { Injectable } from '@nestjs/common';

/** Must work in small steps, because it runs while requests are served. */
type Work = () => Promise<void>;

export interface ScheduledWork {
  readonly work: Work;
  /**
   * `tenant`: once per tenant, with that tenant as the current one; `node`: once on each database server, without a tenant; `server`: once,
   * without a tenant.
   */
  readonly scope: 'tenant' | 'node' | 'server';
}

/** Registry of work that runs about once an hour, such as deleting old rows. `TaskSchedulerService` of libs/jobs runs it. */
@Injectable()
export class ScheduledTasks {
  private readonly tasks = new Map<string, ScheduledWork>();

  /** Registers work that runs once per tenant. @param name is stored in the database and shown to operators: `prune webhook events` */
  add(name: string, work: Work): void {
    this.tasks.set(name, { work, scope: 'tenant' });
  }

  /** Registers work that runs once on each database server, without a tenant. */
  addForNode(name: string, work: Work): void {
    this.tasks.set(name, { work, scope: 'node' });
  }

  /** Registers work that runs once for the whole installation, without a tenant. */
  addForServer(name: string, work: Work): void {
    this.tasks.set(name, { work, scope: 'server' });
  }

  /** All names; tasks of tenants come first. */
  names(): string[] {
    return [...this.tasks.keys()].toSorted((one, other) => this.rank(one) - this.rank(other));
  }

  /** @throws TypeError when there is no task of this name */
  find(name: string): ScheduledWork {
    const task = this.tasks.get(name);
    if (!task) throw new TypeError(`There is no scheduled task "${name}"`);
    return task;
  }

  private rank(name: string): number {
    return this.find(name).scope === 'tenant' ? 0 : 1;
  }
}
