import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentRequest } from '#kernel';
import { JobRefused, JobsService, type JobAttempt } from '#jobs';
import { currentTenant, TenantDb, type TenantIdentity } from '#tenancy';
import { gate, JobProcesses, until } from '../support/job-processes.js';
import type { TestApp } from '../support/test-app.js';

const jobs = new JobProcesses();
const { newKind, add, rows, gone } = jobs;
let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  ({ test, tenant } = await jobs.start());
});
afterAll(() => jobs.stop());

describe('a job', () => {
  it('runs in its tenant, without the request that added it', async () => {
    const seen: unknown[] = [];
    const kind = newKind(async (subjectId, attempt) => {
      const [row] = await test.app.get(TenantDb).transaction((tx) => tx.query<{ schema: string }[]>('select current_schema as schema'));
      seen.push({ subjectId, attempt, slug: currentTenant().slug, schema: row?.schema, request: currentRequest() });
    });
    const other = await test.newTenant();
    const ids = [randomUUID(), randomUUID()] as const;
    await add(kind, ids[0]);
    await add(kind, ids[1], undefined, other);
    await gone(kind);
    const attempt = { number: 1, isLast: false };
    const expected = [tenant, other].map(({ slug, schemaName: schema }, index) => ({
      subjectId: ids[index],
      attempt,
      slug,
      schema,
      request: undefined,
    }));
    expect(seen).toHaveLength(2);
    expect(seen).toEqual(expect.arrayContaining(expected));
  });

  it('belongs to its transaction: after a rollback it does not exist', async () => {
    const done: string[] = [];
    const kind = newKind(async (subjectId) => void done.push(subjectId));
    const { app } = test;
    const [lost, kept] = [randomUUID(), randomUUID()];
    const broken = test.inside(tenant, () =>
      app.get(TenantDb).transaction(async (tx) => {
        await app.get(JobsService).add(tx, kind, lost);
        throw new Error('no');
      }),
    );
    await expect(broken).rejects.toThrow('no');
    await add(kind, kept);
    await gone(kind);
    expect(done).toEqual([kept]);
  });

  it('runs once with three runners', async () => {
    const done: string[] = [];
    const kind = newKind(async (subjectId) => {
      done.push(subjectId);
      await delay(5);
    });
    const tenants = [tenant, await test.newTenant(), await test.newTenant()];
    const ids = Array.from({ length: 90 }, () => randomUUID());
    await Promise.all(ids.map((id, index) => add(kind, id, undefined, tenants[index % 3])));
    await gone(kind);
    expect(done.toSorted()).toEqual(ids.toSorted());
  });

  it('waits for its time, and the earlier of two times wins', async () => {
    const kind = newKind(async () => undefined);
    const id = randomUUID();
    await add(kind, id, { afterSeconds: 3600 });
    await add(kind, id, { dueAt: new Date(Date.now() + 7_200_000) });
    const [row] = await rows(kind);
    expect(row).toMatchObject({ attempts: 0, leased: false });
    expect(row?.wait).toBeLessThanOrEqual(3600);
    expect(row?.wait).toBeGreaterThan(3000);
    await add(kind, id);
    await gone(kind);
  });

  it('can be withdrawn before its time', async () => {
    const kind = newKind(async () => undefined);
    const [cancelled, kept] = [randomUUID(), randomUUID()];
    await add(kind, cancelled, { afterSeconds: 3600 });
    await add(kind, kept, { afterSeconds: 3600 });
    const { app } = test;
    await test.inside(tenant, () => app.get(TenantDb).transaction((tx) => app.get(JobsService).cancel(tx, kind, cancelled)));
    const left = await test.database.query('select subject_id as id from shared.job where kind = $1', [kind]);
    expect(left).toEqual([{ id: kept }]);
  });

  it('of an unknown kind is left to other processes', async () => {
    const kind = `unknown ${randomUUID()}`;
    await add(kind, randomUUID());
    const known = newKind(async () => undefined);
    await add(known, randomUUID());
    await gone(known);
    expect(await rows(kind)).toMatchObject([{ attempts: 0, leased: false }]);
    await test.database.query('delete from shared.job where kind = $1', [kind]);
  });
});

describe('a job that is added again while it runs', () => {
  it('runs once more', async () => {
    const door = gate();
    let runs = 0;
    const kind = newKind(async () => {
      runs += 1;
      if (runs === 1) await door.opened;
    });
    const id = randomUUID();
    await add(kind, id);
    await until(() => runs === 1);
    await add(kind, id);
    door.open();
    await gone(kind);
    expect(runs).toBe(2);
  });

  it('runs once more when both end at the same time', async () => {
    const door = gate();
    let runs = 0;
    const kind = newKind(async () => {
      runs += 1;
      if (runs === 1) await door.opened;
    });
    await add(kind, randomUUID());
    await until(() => runs === 1);
    const anew = 'update shared.job set due_at = now(), attempts = 0, revision = revision + 1 where kind = $1 and tenant_id = $2';
    await test.database.race(anew, [kind, tenant.id], () => {
      door.open();
      return until(() => runs === 2);
    });
    await gone(kind);
    expect(runs).toBe(2);
  });

  it('may reschedule itself', async () => {
    let runs = 0;
    const kind = newKind(async (subjectId) => {
      runs += 1;
      await add(kind, subjectId, { afterSeconds: 3600 });
    });
    await add(kind, randomUUID());
    await until(async () => (await rows(kind)).some(({ leased, wait }) => !leased && wait > 3000));
    expect(runs).toBe(1);
  });
});

describe('a job that fails', () => {
  const hurry = (kind: string, attempts?: number): Promise<unknown> =>
    test.database.query('update shared.job set due_at = now(), attempts = coalesce($2, attempts) where kind = $1', [
      kind,
      attempts ?? null,
    ]);

  it('is retried after a delay', async () => {
    const attempts: JobAttempt[] = [];
    const kind = newKind(async (_subjectId, attempt) => {
      attempts.push(attempt);
      if (attempts.length < 3) throw Object.assign(new RangeError('no mailbox ada@example.org'), { code: 'ESMTP' });
    });
    await add(kind, randomUUID());
    for (const [attempt, least, most] of [
      [1, 0, 11],
      [2, 40, 66],
    ] as const) {
      await until(async () => (await rows(kind)).some(({ attempts: count, leased }) => count === attempt && !leased));
      const [row] = await rows(kind);
      expect(row?.failure).toBe('RangeError ESMTP');
      expect(row?.wait).toBeLessThanOrEqual(most);
      expect(row?.wait).toBeGreaterThan(least - 1);
      await hurry(kind);
    }
    await gone(kind);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('is abandoned after the eighth attempt, and logged without the text of the failure', async () => {
    const attempts: JobAttempt[] = [];
    const kind = newKind(
      async (_subjectId, attempt) => {
        attempts.push(attempt);
        throw new Error('no mailbox eve@example.org');
      },
      [test],
    );
    await add(kind, randomUUID(), { afterSeconds: 3600 });
    await hurry(kind, 7);
    await gone(kind);
    expect(attempts).toEqual([{ number: 8, isLast: true }]);
    await until(() => jobs.logged.includes('job given up'));
    const line = jobs.logged.split('\n').find((text) => text.includes('job given up') && text.includes(kind)) as string;
    expect(JSON.parse(line)).toMatchObject({ kind, tenant: tenant.slug, attempt: 8, failure: 'Error', level: 'warn' });
    expect(jobs.logged).not.toContain('example.org');
  });

  it('starts with the first attempt when it is added again', async () => {
    let works = false;
    const kind = newKind(async () => {
      if (!works) throw new Error('not yet');
    });
    const id = randomUUID();
    await add(kind, id);
    await until(async () => (await rows(kind)).some(({ failure }) => failure !== null));
    await hurry(kind, 5);
    await until(async () => (await rows(kind)).some(({ attempts, leased }) => attempts === 6 && !leased));
    works = true;
    await add(kind, id);
    await gone(kind);
  });

  it('is abandoned at once when its error says that retrying is useless', async () => {
    let runs = 0;
    const kind = newKind(async () => {
      runs += 1;
      throw new JobRefused('gone');
    });
    await add(kind, randomUUID());
    await gone(kind);
    expect(runs).toBe(1);
  });
});
