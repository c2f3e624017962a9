import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Cluster } from './support/cluster.js';

/** The e2e suite on the cluster, with tenants dealt to both nodes in turn. @param args patterns of files, as of `npm test` */
export async function runSuite({ servers }: Cluster, args: readonly string[]): Promise<readonly string[]> {
  const [home, ...nodes] = servers.map((server) => server.url('postgres'));
  // An installation is made on three servers.
  const chosen = [...(args.length > 0 ? args : ['test/e2e']), '--testTimeout=240000'];
  const child = spawn(process.execPath, ['scripts/test.js', ...chosen], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: home, TEST_DATABASE_NODES: nodes.join(',') },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0 ? [] : ['tests failed on the cluster'];
}
