import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueueService, JobRunner, JobsService, type JobAttempt } from '#jobs';
import { currentTenant } from '#tenancy';
import { gate, JobProcesses, until } from '../support/job-processes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const jobs = new JobProcesses();
const { newKind, add, rows, gone } = jobs;
let processes: TestApp[];
let test: TestApp;

beforeAll(async () => {
  ({ processes, test } = await jobs.start());
});
afterAll(() => jobs.stop());

describe('a runner', () => {
  it('is replaced by another one after its lease when it dies', async () => {
    const attempts: JobAttempt[] = [];
    // The dead runner claimed the job and stopped.
    const kind = `crash ${randomUUID()}`;
    await add(kind, randomUUID());
    const [queue, other] = [test, processes[1] as TestApp].map(({ app }) => app.get(JobQueueService)) as [JobQueueService, JobQueueService];
    const options = { kinds: [kind], limit: 4, without: [], served: [] };
    const [dead] = await queue.claim(options);
    expect(dead).toMatchObject({ attempt: 1 });
    expect(await other.claim(options)).toEqual([]);
    for (const { app } of processes) app.get(JobsService).handle(kind, async (_subjectId, attempt) => void attempts.push(attempt));
    await test.database.query(`update shared.job set leased_until = now() - interval '1 second' where kind = $1`, [kind]);
    await gone(kind);
    expect(attempts).toEqual([{ number: 2, isLast: false }]);
  });

  it('neither ends nor postpones a job that another runner has taken over after its lease', async () => {
    const kind = `late ${randomUUID()}`;
    await add(kind, randomUUID());
    const queue = test.app.get(JobQueueService);
    const options = { kinds: [kind], limit: 4, without: [], served: [] };
    const [late] = await queue.claim(options);
    await test.database.query(`update shared.job set leased_until = now() where kind = $1`, [kind]);
    const [next] = await queue.claim(options);
    await queue.end(late!);
    await queue.postpone(late!, 60, 'Error');
    expect(await rows(kind)).toMatchObject([{ attempts: 2, leased: true, failure: null }]);
    await queue.renew([next!]);
    await queue.end(next!);
    expect(await rows(kind)).toEqual([]);
  });

  it('runs at most two jobs of a tenant and four in total, and serves tenants in turns', async () => {
    // Verified to fail when the claim takes the oldest due jobs regardless of their tenant.
    const own = await startTestApp({ database: test.database });
    const begun: string[] = [];
    const under = new Map<string, number>();
    const most = { ofTenant: 0, inAll: 0 };
    const kind = newKind(async () => {
      const { slug } = currentTenant();
      begun.push(slug);
      under.set(slug, (under.get(slug) ?? 0) + 1);
      most.ofTenant = Math.max(most.ofTenant, under.get(slug) ?? 0);
      most.inAll = Math.max(
        most.inAll,
        [...under.values()].reduce((sum, count) => sum + count, 0),
      );
      await delay(20);
      under.set(slug, (under.get(slug) ?? 0) - 1);
    }, [own]);
    const busy = await Promise.all(Array.from({ length: 5 }, () => test.newTenant()));
    const small = await test.newTenant();
    for (const { id } of busy) {
      await test.database.query(
        `insert into shared.job (tenant_id, kind, subject_id, due_at)
         select $1, $2, gen_random_uuid(), now() - interval '1 hour' from generate_series(1, 10)`,
        [id, kind],
      );
    }
    await add(kind, randomUUID(), undefined, small);
    own.app.get(JobRunner).start();
    await gone(kind);
    expect(begun).toHaveLength(51);
    expect(begun.indexOf(small.slug)).toBeLessThan(8);
    expect(most.ofTenant).toBeLessThanOrEqual(2);
    expect(most.inAll).toBeLessThanOrEqual(4);
    expect(most.inAll).toBeGreaterThan(1);
    await own.close();
  });

  it('waits for running jobs when it stops, and takes no new ones', async () => {
    const own = await startTestApp({ database: test.database });
    const door = gate();
    const begun: string[] = [];
    const kind = newKind(
      async (subjectId) => {
        begun.push(subjectId);
        await door.opened;
      },
      [own],
    );
    const runner = own.app.get(JobRunner);
    runner.start();
    const [running, late] = [randomUUID(), randomUUID()];
    await add(kind, running);
    await until(() => begun.length === 1);
    let stopped = false;
    const stopping = runner.stop(30_000).then(() => (stopped = true));
    await add(kind, late);
    await delay(300);
    expect(stopped).toBe(false);
    door.open();
    await stopping;
    expect(begun).toEqual([running]);
    expect(await rows(kind)).toMatchObject([{ attempts: 0, leased: false }]);
    await own.close();
  });

  it('gives a job back that it claims while it begins to stop', async () => {
    const own = await startTestApp({ database: test.database });
    const door = gate();
    const begun: string[] = [];
    const kind = newKind(async (subjectId) => void begun.push(subjectId), [own]);
    const queue = own.app.get(JobQueueService);
    const claim = queue.claim.bind(queue);
    let claims = 0;
    queue.claim = async (...asked) => {
      claims += 1;
      await door.opened;
      return claim(...asked);
    };
    const runner = own.app.get(JobRunner);
    runner.start();
    await until(() => claims === 1);
    const stopping = runner.stop(30_000);
    await add(kind, randomUUID());
    door.open();
    await stopping;
    expect(begun).toEqual([]);
    expect(await rows(kind)).toMatchObject([{ attempts: 0, leased: false }]);
    await own.close();
  });

  it('leaves jobs to others when they take longer than the grace period', async () => {
    const own = await startTestApp({ database: test.database });
    const door = gate();
    let begun = 0;
    const kind = newKind(async () => {
      begun += 1;
      await door.opened;
    }, [own]);
    own.app.get(JobRunner).start();
    await add(kind, randomUUID());
    await until(() => begun === 1);
    await own.app.get(JobRunner).stop(50);
    expect(await rows(kind)).toMatchObject([{ attempts: 1, leased: true }]);
    await own.close();
    door.open();
  });
});

it('reports in a metric how long the oldest due job waits', async () => {
  const kind = `nobody's ${randomUUID()}`;
  await add(kind, randomUUID());
  await test.database.query(`update shared.job set due_at = now() - interval '1 hour' where kind = $1`, [kind]);
  // The gauge belongs to the last application started in this process.
  const own = await startTestApp({ database: test.database });
  const { text } = await own.on('localhost').get('/metrics').expect(200);
  const [, seconds] = /^guichet_jobs_due_oldest_seconds (\S+)$/m.exec(text) as unknown as [string, string];
  expect(Number(seconds)).toBeGreaterThanOrEqual(3600);
  await test.database.query('delete from shared.job where kind = $1', [kind]);
  await own.close();
});
