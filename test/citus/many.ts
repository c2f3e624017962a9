import { SpareSchemasService, TenantDb, TenantsService } from '#tenancy';
import pLimit from 'p-limit';
import { call } from '../faults/calls.js';
import { until } from '../faults/processes.js';
import { isReady } from '../faults/stack.js';
import { median, percentile } from '../load/bench-figures.js';
import type { Cluster } from './support/cluster.js';
import { Installation } from './support/installation.js';
import { openProgram } from './support/program.js';

const alone = 20;
const asked = 40;

const since = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const figures = (times: readonly number[]): string =>
  `median ${median(times).toFixed(0)} ms, 95 of 100 within ${percentile(times, 95).toFixed(0)} ms`;

/** Many tenants over two nodes: each node holds the schemas of its own and no others. @param args their number, default 2,000 */
export async function runMany(cluster: Cluster, [count = '2000']: readonly string[]): Promise<readonly string[]> {
  const installation = await Installation.open(cluster);
  try {
    // It would make spare schemas beside this process.
    await installation.server.stop();
    await create(installation, Number(count));
    return [...(await distribution(installation)), ...(await serve(installation, Number(count)))];
  } finally {
    await installation.close();
  }
}

async function create(installation: Installation, count: number): Promise<void> {
  const program = await openProgram(installation);
  try {
    const tenants = program.get(TenantsService);
    const began = performance.now();
    const timed = async (slug: string): Promise<number> => {
      const from = performance.now();
      await tenants.create({ slug, name: slug, category: 'S' });
      return performance.now() - from;
    };
    const times: number[] = [];
    const one = async (number: number): Promise<void> => {
      if (times.push(await timed(`hall-${number}`)) % 100 > 0) return;
      console.log(`${times.length} tenants after ${since(began)}; the last hundred: ${figures(times.slice(-100))}.`);
    };
    const limit = pLimit(2);
    await Promise.all(Array.from({ length: count }, (_, number) => limit(() => one(number))));
    console.log(`Creating ${count} tenants, two at a time, faster than spare schemas are made: ${since(began)}, ${figures(times)}.`);
    const spared: number[] = [];
    while (spared.length < alone) {
      await program.get(TenantDb).onEachNode(() => program.get(SpareSchemasService).fill());
      spared.push(await timed(`alone-${spared.length}`));
    }
    console.log(`Creating one with a spare schema ready, ${alone} times: ${figures(spared)}.`);
  } finally {
    await program.close();
  }
}

/** Compares the schemas of each node with the tenants that are placed there. */
async function distribution(installation: Installation): Promise<string[]> {
  const wrong: string[] = [];
  const dealt: number[] = [];
  for (const node of installation.cluster.servers.keys()) {
    const [found] = await installation.query<Held>(node, heldSql, [node]);
    if (!found) throw new Error(`node ${node} does not answer`);
    const { own, held, missing, relations, megabytes } = found;
    console.log(
      `Node ${node}: ${own} tenants, ${relations} relations of their schemas (${(relations / own).toFixed(0)} each), ${megabytes} MB.`,
    );
    if (held !== own || missing > 0) wrong.push(`node ${node} has ${held} schemas for ${own} tenants, ${missing} of them are missing`);
    if (node > 0) dealt.push(own);
  }
  if (Math.max(...dealt) - Math.min(...dealt) > 2) wrong.push(`the nodes have ${dealt.join(' and ')} tenants`);
  return wrong;
}

interface Held {
  readonly own: number;
  readonly held: number;
  readonly missing: number;
  readonly relations: number;
  readonly megabytes: number;
}

const heldSql = `with own as (select schema_name from shared.tenant where node = $1),
    held as (select oid, nspname from pg_namespace where nspname ~ '^t_[0-9a-f]{32}$')
  select (select count(*)::int from own) as own, (select count(*)::int from held) as held,
    (select count(*)::int from own where schema_name not in (select nspname from held)) as missing,
    (select (count(*) + 2 * count(*) filter (where reltoastrelid <> 0))::int from pg_class
      where relnamespace in (select oid from held)) as relations,
    (pg_database_size(current_database()) / 1048576)::int as megabytes`;

async function serve(installation: Installation, count: number): Promise<string[]> {
  let from = performance.now();
  installation.server.start();
  await until('the server is ready', 300, () => isReady(installation.port));
  console.log(`From start to ready: ${since(from)}.`);
  from = performance.now();
  await installation.cli('migrate', 'run');
  console.log(`A migration with nothing to do: ${since(from)}.`);
  const hosts = Array.from({ length: asked }, (_, index) => `hall-${Math.floor((index * count) / asked)}.localhost`);
  const times: number[] = [];
  const wrong: string[] = [];
  for (const host of hosts) {
    from = performance.now();
    const { status } = await call({ port: installation.port, host, method: 'GET', path: '/' });
    times.push(performance.now() - from);
    if (status !== 200) wrong.push(`${host} answers ${status}`);
  }
  console.log(`The first page of ${asked} of them: ${figures(times)}.`);
  return wrong;
}
