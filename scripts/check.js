/**
 * `npm run check`: format, lint and types in parallel, each without warnings. With `--staged` (the pre-commit hook) format and lint check
 * only the files to be committed. Unchanged files are skipped by caches in dist/.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './build-if-stale.js';

const lintable = /\.(?:[jt]sx?|m[jt]s)$/;

/** The files of a step: all, or the staged files that its program supports. */
function targets() {
  if (!process.argv.includes('--staged')) return { format: ['.'], lint: ['.'] };
  const { stdout } = spawnSync('git', ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  const staged = stdout.split('\0').filter(Boolean);
  return { format: staged, lint: staged.filter((name) => lintable.test(name)) };
}

/** Runs one step. @returns whether it passed; prints its output as a whole, so that the outputs of steps do not mix */
async function run(name, program, args) {
  const began = performance.now();
  const child = spawn(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (status !== 0) process.stdout.write(out + err);
  console.log(`${name}: ${status === 0 ? 'ok' : 'failed'} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return status === 0;
}

const { format, lint } = targets();
mkdirSync(join(root, 'dist'), { recursive: true });
const cache = ['--cache', '--cache-location', 'dist/.prettier-cache'];
const passed = await Promise.all([
  run('types', 'tsc', ['-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/.types-cache']),
  format.length === 0 || run('format', 'prettier', ['--check', '--ignore-unknown', '--log-level', 'warn', ...cache, ...format]),
  lint.length === 0 || run('lint', 'oxlint', ['--type-aware', '--deny-warnings', ...lint]),
]);
process.exit(passed.every(Boolean) ? 0 : 1);
