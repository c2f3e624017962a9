/**
 * `npm run test:node`: runs the quick part of the tests (unit tests, house tests, start, scanning) on every supported version of Node.js;
 * `npm run test:node -- 22` on one. npx fetches the versions; the installed packages are used.
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build-if-stale.js';

const supported = ['20.19.0', '22', '24', '26'];
const quick = ['libs/', 'apps/', 'test/house/', 'test/e2e/(start|scanning|panel)\\.e2e'];
const chosen = process.argv.slice(2);
const versions = chosen.length > 0 ? chosen : supported;
const unknown = versions.filter((version) => !supported.includes(version));
if (unknown.length > 0) {
  console.error(`Not supported: ${unknown.join(', ')}. Supported: ${supported.join(', ')}.`);
  process.exit(2);
}

// npm settings of this project must not apply to npx, which fetches Node.js itself with an install script.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(config|package)_/i.test(name)));
const results = versions.map((version) => {
  const command = `node -v && node ${JSON.stringify(join(root, 'scripts/test.js'))} ${quick.map((path) => JSON.stringify(path)).join(' ')}`;
  const { status } = spawnSync('npx', ['-y', '-p', `node@${version}`, '-c', command], {
    cwd: tmpdir(),
    env: environment,
    stdio: 'inherit',
  });
  return { version, passed: status === 0 };
});
for (const { version, passed } of results) console.log(`Node.js ${version}: ${passed ? 'passed' : 'failed'}`);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
