/** `npm run check`: format, lint and types, all with zero warnings. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './build-if-stale.js';

const steps = [
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings', '.']],
  ['types', 'tsc', ['-p', 'tsconfig.json', '--noEmit']],
];

let failed = 0;
for (const [name, program, args] of steps) {
  const { status } = spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
  console.log(`${name}: ${status === 0 ? 'ok' : 'failed'}`);
  if (status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
