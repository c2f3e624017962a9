import { setTimeout as pass } from 'node:timers/promises';
import { SpareSchemasService, TenantDb, TenantsService } from '#tenancy';
import pLimit from 'p-limit';
import { isReady } from '../faults/stack.js';
import { until } from '../faults/processes.js';
import { median, percentile } from '../load/bench-figures.js';
import type { Cluster } from './support/cluster.js';
import { Installation } from './support/installation.js';
import { openProgram } from './support/program.js';

const tenants = Number(process.env['PROOF_TENANTS'] ?? 2000);
const measured = 20;

const since = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Many tenants over two nodes: each holds the schemas of its own and no others. PROOF_TENANTS: how many. */
export async function runMany(cluster: Cluster): Promise<readonly string[]> {
  const installation = await Installation.open(cluster);
  try {
    await create(installation);
    const wrong = await distribution(installation);
    await start(installation);
    return wrong;
  } finally {
    await installation.close();
  }
}

async function create(installation: Installation): Promise<void> {
  const program = await openProgram(installation);
  try {
    const service = program.get(TenantsService);
    const began = performance.now();
    const limit = pLimit(2);
    const made = Array.from({ length: tenants }, (_, number) =>
      limit(() => service.create({ slug: `hall-${number}`, name: `Hall ${number}`, category: 'S' })),
    );
    await Promise.all(made);
    console.log(`Creating ${tenants} tenants, two at a time: ${since(began)}.`);
    const times: number[] = [];
    for (let number = 0; number < measured; number += 1) {
      await program.get(TenantDb).onEachNode(() => program.get(SpareSchemasService).fill());
      await pass(20);
      const from = performance.now();
      await service.create({ slug: `alone-${number}`, name: `Alone ${number}`, category: 'S' });
      times.push(performance.now() - from);
    }
    const line = `median ${median(times).toFixed(0)} ms, 95 of 100 within ${percentile(times, 95).toFixed(0)} ms`;
    console.log(`Creating one of ${measured} with a spare schema ready: ${line}; aim: 300 ms.`);
  } finally {
    await program.close();
  }
}

/** Compares the schemas of each node with the tenants that are placed there and its spares. */
async function distribution(installation: Installation): Promise<string[]> {
  const wrong: string[] = [];
  for (const [node] of installation.cluster.servers.entries()) {
    const [found] = await installation.query<{ schemas: number; own: number; relations: number }>(node, schemasSql, [node]);
    if (!found) continue;
    console.log(`Node ${node}: ${found.own} tenants, ${found.schemas} schemas of tenants, ${found.relations} relations in them.`);
    if (found.schemas !== found.own) wrong.push(`node ${node} has ${found.schemas} schemas for ${found.own} tenants`);
  }
  const counts = await installation.query<{ node: number; tenants: number }>(0, countsSql);
  const [one, another] = counts.map((row) => row.tenants);
  if (one === undefined || another === undefined || Math.abs(one - another) > 2)
    wrong.push(`the tenants are dealt as ${JSON.stringify(counts)}`);
  return wrong;
}

const schemasSql = `select count(distinct n.oid)::int as schemas, count(c.oid)::int as relations,
    (select count(*)::int from shared.tenant t where t.node = $1) as own
  from pg_namespace n left join pg_class c on c.relnamespace = n.oid
  where n.nspname ~ '^t_[0-9a-f]{32}$' and not exists (select 1 from shared.spare_schema s where s.schema_name = n.nspname)`;

const countsSql = `select node, count(*)::int as tenants from shared.tenant where node > 0 group by node`;

async function start(installation: Installation): Promise<void> {
  await installation.server.stop();
  let from = performance.now();
  installation.server.start();
  await until('the server is ready', 300, () => isReady(installation.port));
  console.log(`From start to ready: ${since(from)}.`);
  from = performance.now();
  await installation.cli('migrate', 'run');
  console.log(`Migration with nothing to do: ${since(from)}.`);
}
