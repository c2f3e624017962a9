import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner, JobsService } from '#jobs';
import { gate, JobProcesses, until } from '../support/job-processes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const jobs = new JobProcesses();
const { newKind, add, gone } = jobs;
let test: TestApp;

beforeAll(async () => {
  ({ test } = await jobs.start());
});
afterAll(() => jobs.stop());

describe('a runner', () => {
  it('takes bulk jobs after all others, one of a tenant and two in total', async () => {
    const own = await startTestApp({ database: test.database });
    const begun: string[] = [];
    let most = 0;
    let under = 0;
    const door = gate();
    const bulk = `bulk ${randomUUID()}`;
    const work = async (): Promise<void> => {
      begun.push('bulk');
      most = Math.max(most, (under += 1));
      await door.opened;
      under -= 1;
    };
    own.app.get(JobsService).handle(bulk, work, { isBulk: true });
    const urgent = newKind(async () => void begun.push('urgent'), [own]);
    const venues = await Promise.all(Array.from({ length: 3 }, () => test.newTenant()));
    for (const { id } of venues) {
      await test.database.query(
        `insert into shared.job (tenant_id, kind, subject_id, due_at)
         select $1, $2, gen_random_uuid(), now() - interval '1 hour' from generate_series(1, 5)`,
        [id, bulk],
      );
    }
    own.app.get(JobRunner).start();
    await until(() => begun.length === 2);
    // The mails to many hang: what is added now is done all the same, also for the same tenants.
    for (const venue of venues) await add(urgent, randomUUID(), undefined, venue);
    await gone(urgent);
    expect(begun.filter((name) => name === 'bulk')).toHaveLength(2);
    door.open();
    await gone(bulk);
    expect([begun.filter((name) => name === 'bulk').length, most]).toEqual([15, 2]);
    await own.close();
  });
});
