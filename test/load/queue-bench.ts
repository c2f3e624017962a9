import { runInTenant, TenantDb, TenantsService, type TenantIdentity } from '#tenancy';
import { DispatcherService, WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { DelivererService } from '../../libs/webhooks/src/delivery/deliverer.service.js';
import { openBenchApp, type BenchApp } from './bench-fixture.js';
import { startProgram } from './bench-processes.js';

const events = 4000;

interface Staged {
  readonly tenant: TenantIdentity;
  readonly endpointId: string;
}

/** Creates a tenant with one endpoint and waiting deliveries. */
async function stage({ app, pool }: BenchApp, slug: string, url: string): Promise<Staged> {
  const tenant = await app.get(TenantsService).create({ slug, name: slug, category: 'S' });
  const { endpoint } = await runInTenant(tenant, () => app.get(WebhookEndpointsService).create({ url, types: ['*'] }));
  await pool.query(
    `insert into shared.outbox (tenant_id, type, subject_id, sequence, data)
     select $1, 'event.updated', gen_random_uuid(), 1, '{"sequence":1}' from generate_series(1, ${events})`,
    [tenant.id],
  );
  await runInTenant(tenant, async () => {
    while ((await app.get(DispatcherService).dispatch({ limit: 500 })) > 0);
  });
  return { tenant, endpointId: endpoint.id };
}

async function drained({ pool }: BenchApp, { tenant }: Staged, started: number): Promise<number> {
  const left = `select count(*)::int as count from "${tenant.schemaName}".webhook_delivery where status = 'waiting'`;
  for (let waiting = events; waiting > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    waiting = (await pool.query<{ count: number }>(left)).rows[0]?.count ?? 0;
  }
  return events / ((performance.now() - started) / 1000);
}

async function ours(bench: BenchApp, url: string): Promise<number> {
  const staged = await stage(bench, 'ours', url);
  const worker = bench.app.get(WebhookWorker);
  const started = performance.now();
  worker.start();
  const perSecond = await drained(bench, staged, started);
  await worker.stop();
  return perSecond;
}

interface GraphileWorker {
  runMigrations(options: object): Promise<void>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
}

/** The same deliveries as jobs of graphile-worker, which claims and completes them; each job loads, sends and records like ours. */
async function graphile(bench: BenchApp, url: string): Promise<number | undefined> {
  const name = 'graphile-worker';
  const library = (await import(name).catch(() => undefined)) as GraphileWorker | undefined;
  if (!library) return undefined;
  const { app, pool } = bench;
  const staged = await stage(bench, 'graphile', url);
  const { tenant, endpointId } = staged;
  const quiet = { error: console.error, warn: () => undefined, info: () => undefined, debug: () => undefined };
  const logger = { scope: () => logger, ...quiet };
  await library.runMigrations({ connectionString: bench.url, logger });
  await pool.query(`select graphile_worker.add_job('deliver', json_build_object('id', id)) from "${tenant.schemaName}".webhook_delivery`);
  const deliverer = app.get(DelivererService, { strict: false });
  const endpoint = await runInTenant(tenant, () => deliverer['load'](endpointId));
  const find = {
    name: 'bench-delivery',
    text: `select d.id, d.failures, d.ahead_of_schedule as ahead, v.id as "eventId", v.type, v.data::text as data,
        to_char(v.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "occurredAt"
      from {tenant}.webhook_delivery d join {tenant}.webhook_event v on v.id = d.event_id where d.id = $1`,
  };
  const deliver = ({ id }: { id: string }): Promise<void> =>
    runInTenant(tenant, async () => {
      const [delivery] = await app.get(TenantDb).statement(find, [id]);
      await deliverer['attempt'](endpointId, endpoint!, delivery as never);
    });
  const started = performance.now();
  const runner = await library.run({
    connectionString: bench.url,
    logger,
    concurrency: 4,
    noHandleSignals: true,
    taskList: { deliver },
  });
  const perSecond = await drained(bench, staged, started);
  await runner.stop();
  return perSecond;
}

/**
 * The reason for our own queue: deliveries per second to a receiver on this machine, four at a time, compared with the same deliveries as
 * jobs of an established PostgreSQL job queue. It is not a dependency: run `npm i --no-save graphile-worker@0.17.3` first.
 */
export async function runQueueBench(): Promise<void> {
  const bench = await openBenchApp();
  const sink = await startProgram(['dist/test/load/webhook-sink.js'], {}, /listening (\d+)/);
  const url = `http://127.0.0.1:${sink.port}/`;
  try {
    const theirs = await graphile(bench, url);
    const own = await ours(bench, url);
    console.log(`Deliveries per second to one receiver, 4 at a time, every attempt recorded: ${own.toFixed(0)}/s`);
    if (theirs === undefined) console.log('graphile-worker is not installed (npm i --no-save graphile-worker@0.17.3), so it was left out.');
    else console.log(`The same as jobs of graphile-worker: ${theirs.toFixed(0)}/s. Ratio: ${(own / theirs).toFixed(2)}`);
  } finally {
    await sink.stop();
    await bench.close();
  }
}
