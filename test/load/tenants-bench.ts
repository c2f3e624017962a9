import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import { SETTINGS, type Settings } from '#kernel';
import {
  ApiKeysService,
  latestTenant,
  Migrator,
  runInTenant,
  SpareSchemasService,
  tenantMigrations,
  TenantsService,
  UsersService,
  type TenantIdentity,
} from '#tenancy';
import pLimit from 'p-limit';
import sharp from 'sharp';
import supertest from 'supertest';
import { median, percentile } from './bench-figures.js';
import { openBenchApp, type BenchApp } from './bench-fixture.js';
import { startServer, withoutRateLimits } from './scan-bench.js';

const count = Number(process.env['BENCH_TENANTS'] ?? 1000);
const measured = 100;

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Many tenants on one server: creation, migration while they are served, start of the program, and memory. */
export async function runTenantsBench(): Promise<void> {
  const bench = await openBenchApp(withoutRateLimits);
  try {
    const tenants = await create(bench);
    await createOverHttp(bench);
    await migrate(bench, tenants);
    await start(bench, tenants);
  } finally {
    await bench.close();
  }
}

/**
 * Waits until all spare schemas exist. When a fill that the previous creation started is still running, `fill` returns at once and the
 * schemas follow a moment later.
 */
async function makeSpareSchemas({ app, pool }: BenchApp): Promise<void> {
  const wanted = app.get<Settings>(SETTINGS).spareSchemas;
  for (;;) {
    await app.get(SpareSchemasService).fill();
    const { rows } = await pool.query<{ ready: number }>('select count(*)::int as ready from shared.spare_schema');
    if ((rows[0]?.ready ?? 0) >= wanted) return;
    await pass(20);
  }
}

async function create(bench: BenchApp): Promise<TenantIdentity[]> {
  const { app } = bench;
  const began = performance.now();
  const limit = pLimit(2);
  const created = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      limit(() => app.get(TenantsService).create({ slug: `hall-${number}`, name: `Hall ${number}`, category: 'S' })),
    ),
  );
  console.log(`Creating ${count} tenants, two at a time: ${seconds(began)}.`);
  for (const spare of [false, true]) {
    const alone: number[] = [];
    for (let number = 0; number < measured; number += 1) {
      if (spare) await makeSpareSchemas(bench);
      const from = performance.now();
      await app.get(TenantsService).create({ slug: `alone-${spare}-${number}`, name: `Alone ${number}`, category: 'S' });
      alone.push(performance.now() - from);
    }
    const way = spare ? 'each with a spare schema ready' : 'without a pause, faster than spare schemas are made';
    console.log(
      `Creating one with ${count} tenants present, ${way}: median ${median(alone).toFixed(0)} ms, 95 of 100 within ` +
        `${percentile(alone, 95).toFixed(0)} ms; aim: 300 ms.`,
    );
  }
  return created;
}

/** The whole request, which also fetches two pictures and renders them in four sizes. */
async function createOverHttp(bench: BenchApp): Promise<void> {
  const { app } = bench;
  const meta = (await app.get(TenantsService).bySlug('meta')) as TenantIdentity;
  const { id } = await app.get(UsersService).create({ email: 'bench@example.org', mayCreateTenants: true });
  await app.get(UsersService).grant(id, { tenantId: meta.id });
  const { key } = await runInTenant(meta, () =>
    app.get(ApiKeysService).createIntegrationKey({ name: 'Bench', ownerId: id, scopes: ['place:write'] }),
  );
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const server = createServer((_request, response) => response.end(picture));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const times: number[] = [];
  for (let number = 0; number < measured; number += 1) {
    const body = {
      organisation: `New place ${number}`,
      short_description: 'x',
      long_description: 'x',
      phone: '1',
      email: 'a@example.org',
      site_web: url,
      postal_code: '1',
      img_url: url,
      logo_url: url,
      categorie: 'S',
    };
    await makeSpareSchemas(bench);
    const began = performance.now();
    await supertest(app.getHttpServer())
      .post('/api/place/')
      .set('Host', meta.host)
      .set('Authorization', `Api-Key ${key}`)
      .send(body)
      .expect(201);
    times.push(performance.now() - began);
  }
  server.closeAllConnections();
  server.close();
  console.log(
    `POST /api/place/ with ${count} tenants present, a spare schema ready and two pictures of 400 × 300: median ` +
      `${median(times).toFixed(0)} ms, 95 of 100 within ${percentile(times, 95).toFixed(0)} ms; aim: 300 ms.`,
  );
}

async function migrate({ app, pool }: BenchApp, tenants: readonly TenantIdentity[]): Promise<void> {
  const migrator = app.get(Migrator);
  let began = performance.now();
  await migrator.run();
  console.log(`A migration with nothing to do: ${(performance.now() - began).toFixed(1)} ms.`);

  // An additional step: tenants are not served until it is applied to them.
  (tenantMigrations as unknown as object[]).push({
    version: latestTenant + 1,
    name: 'bench',
    sql: 'alter table event add column if not exists bench_column text',
  });
  await pool.query('update shared.tenant set schema_version = $1', [latestTenant - 1]);
  const served = serve(app, tenants);
  began = performance.now();
  const killed = migrator.run().catch(() => undefined);
  await pass(1000);
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'guichet-migrator'`);
  await killed;
  const { tenants: before } = await migrator.status();
  await migrator.run();
  const took = seconds(began);
  const { tenants: after } = await migrator.status();
  const statuses = await served.stop();
  console.log(
    `One column more in ${after.total} tenants while they are served: ${took}, killed after 1 s with ${before.behind} to do and ` +
      `resumed; ${after.behind} left; aim: 60 s.`,
  );
  console.log(`Answers meanwhile: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}.`);
}

/** Sends requests to one tenant after the other until it is stopped. @returns the number of responses by status */
function serve(app: BenchApp['app'], tenants: readonly TenantIdentity[]): { stop: () => Promise<ReadonlyMap<number, number>> } {
  const statuses = new Map<number, number>();
  const stopping = new AbortController();
  const asking = (async () => {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const { host } = tenants[number % tenants.length] as TenantIdentity;
      const { status } = await supertest(app.getHttpServer()).get('/api/products/').set('Host', host);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await asking;
      return statuses;
    },
  };
}

async function start(bench: BenchApp, tenants: readonly TenantIdentity[]): Promise<void> {
  const began = performance.now();
  const server = await startServer(bench);
  try {
    while ((await fetch(`http://127.0.0.1:${server.port}/ready`).catch(() => undefined))?.status !== 200) await pass(20);
    console.log(`From the start to /ready with ${count} tenants: ${seconds(began)}; aim: 10 s.`);
    const postgres = postgresMemory();
    const limit = pLimit(4);
    const one = (host: string) => supertest(`http://127.0.0.1:${server.port}`).get('/api/products/').set('Host', host);
    await Promise.all(tenants.map(({ host }) => limit(() => one(host).expect(200))));
    console.log(
      `Memory after a request to each tenant: server ${residentMegabytes(server.pid).toFixed(0)} MB, PostgreSQL ` +
        `${postgresMemory().toFixed(0)} MB (${postgres.toFixed(0)} MB before).`,
    );
  } finally {
    await server.stop();
  }
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Memory of the PostgreSQL processes of this bench as PSS, which divides shared pages among the processes that share them. */
function postgresMemory(): number {
  let kilobytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!/postgres/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))) continue;
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes('guichet-bench-') && !belongsToBench(pid)) continue;
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process has ended.
    }
  }
  return kilobytes / 1024;
}

/** Whether a process is the bench's postmaster (by its data folder) or one of its children. */
function belongsToBench(pid: string): boolean {
  const commandOf = (of: string): string => readFileSync(`/proc/${of}/cmdline`, 'utf8');
  const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '1';
  return commandOf(pid).includes('guichet-bench-') || commandOf(parent).includes('guichet-bench-');
}
