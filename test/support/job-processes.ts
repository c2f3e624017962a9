import { setTimeout as delay } from 'node:timers/promises';
import { JobRunner, JobsService, type JobTime, type JobWork } from '#jobs';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from './test-app.js';

/** A row of the job table; `wait` is the number of seconds until the job is due. */
export interface JobRow {
  readonly attempts: number;
  readonly failure: string | null;
  readonly leased: boolean;
  readonly wait: number;
}

/** Three processes with job runners on one database; the first one logs. Its functions can be destructured before `start`. */
export class JobProcesses {
  processes!: TestApp[];
  test!: TestApp;
  tenant!: TenantIdentity;
  /** Log lines of the first process. */
  logged = '';
  private kinds = 0;

  async start(): Promise<this> {
    this.test = await startTestApp({ log: (line) => (this.logged += line) });
    const { database } = this.test;
    this.processes = [this.test, await startTestApp({ database }), await startTestApp({ database })];
    this.tenant = await this.test.newTenant();
    for (const { app } of this.processes) app.get(JobRunner).start();
    return this;
  }

  async stop(): Promise<void> {
    for (const one of this.processes.toReversed()) await one.close();
  }

  /** A unique kind, so that tests are independent. */
  readonly newKind = (work: JobWork, on = this.processes): string => {
    this.kinds += 1;
    const kind = `test ${this.kinds}`;
    for (const { app } of on) app.get(JobsService).handle(kind, work);
    return kind;
  };

  /** Adds a job in its own transaction. */
  readonly add = (kind: string, subjectId: string, time?: JobTime, of = this.tenant): Promise<void> => {
    const { app } = this.test;
    return this.test.inside(of, () => app.get(TenantDb).transaction((tx) => app.get(JobsService).add(tx, kind, subjectId, time)));
  };

  /** The jobs of a kind that are not done. */
  readonly rows = (kind: string): Promise<JobRow[]> =>
    this.test.database.query<JobRow & Record<string, unknown>>(
      `select attempts, last_error as failure, leased_until is not null as leased,
       extract(epoch from due_at - now())::float8 as wait from shared.job where kind = $1`,
      [kind],
    );

  /** Waits until no job of a kind is left. */
  readonly gone = (kind: string): Promise<void> => until(async () => (await this.rows(kind)).length === 0);
}

/** Waits until a condition is satisfied; throws after 30 seconds. */
export async function until(satisfied: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await satisfied());) {
    if (Date.now() > end) throw new Error('Waited in vain');
    await delay(20);
  }
}

/** A promise that work waits for until `open` is called. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
