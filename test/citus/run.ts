/** `PG_BIN=… npm run proof:citus [-- part …]`: proves on a cluster of the machine what one PostgreSQL server proves in the tests. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runMany } from './many.js';
import { runNetwork } from './network.js';
import { runSpeed } from './speed.js';
import { runSuite } from './suite.js';
import { Cluster } from './support/cluster.js';

/** A proof prints its figures. @returns what it found wrong */
export type Proof = (cluster: Cluster, args: readonly string[]) => Promise<readonly string[]>;

const proofs: Readonly<Record<string, Proof>> = {
  suite: runSuite,
  network: runNetwork,
  speed: runSpeed,
  many: runMany,
};

const [part, ...args] = process.argv.slice(2);
if (part !== undefined && !(part in proofs)) fail(`There is no part ${part}. The parts: ${Object.keys(proofs).join(', ')}.`);
const bin = process.env['PG_BIN'];
if (!bin || !existsSync(join(bin, 'initdb'))) fail('Set PG_BIN to the folder of initdb and postgres of a PostgreSQL that has Citus.');

const cluster = await Cluster.start(bin);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void cluster.stop().then(() => process.exit(130)));
try {
  for (const [name, proof] of Object.entries(proofs)) {
    if (part !== undefined && part !== name) continue;
    console.log(`\n${name}`);
    for (const line of await proof(cluster, args)) {
      console.log(`Wrong: ${line}`);
      process.exitCode = 1;
    }
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await cluster.stop();
}
process.exit();

function fail(line: string): never {
  console.error(line);
  process.exit(2);
}
