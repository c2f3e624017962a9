import { Injectable } from '@nestjs/common';

/** Small steps: it runs beside people's requests. */
type Work = () => Promise<void>;

export interface ScheduledWork {
  readonly work: Work;
  /** `tenant`: once for each tenant, inside of it; `server`: once, in no tenant. */
  readonly scope: 'tenant' | 'server';
}

/** What libs have done about once an hour: forgetting what is old, for instance. `TaskSchedulerService` of libs/jobs runs them. */
@Injectable()
export class ScheduledTasks {
  private readonly tasks = new Map<string, ScheduledWork>();

  /** @param name kept in the database, in words for operators: `prune webhook events` */
  add(name: string, work: Work): void {
    this.tasks.set(name, { work, scope: 'tenant' });
  }

  /** Like `add`, but `work` is done once for the whole server, in no tenant. */
  addForServer(name: string, work: Work): void {
    this.tasks.set(name, { work, scope: 'server' });
  }

  /** Those of tenants first. */
  names(): string[] {
    return [...this.tasks.keys()].toSorted((one, other) => this.rank(one) - this.rank(other));
  }

  /** @throws TypeError when there is none of this name */
  find(name: string): ScheduledWork {
    const task = this.tasks.get(name);
    if (!task) throw new TypeError(`There is no scheduled task "${name}"`);
    return task;
  }

  private rank(name: string): number {
    return this.find(name).scope === 'tenant' ? 0 : 1;
  }
}
