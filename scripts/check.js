/**
 * `npm run check`: format, lint and types in parallel, each without warnings. With `--staged` (the pre-commit hook) only the format
 * of the files to be committed is checked.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './build-if-stale.js';

/** The files whose format is checked. */
function formatted() {
  if (!process.argv.includes('--staged')) return ['.'];
  const { stdout } = spawnSync('git', ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  return stdout.split('\0').filter(Boolean);
}

/** Runs one step. @returns whether it passed; prints its output as a whole, so that the outputs of steps do not mix */
async function run(name, program, args) {
  const began = performance.now();
  const child = spawn(join(root, 'node_modules/.bin', program), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (status !== 0) process.stdout.write(out + err);
  console.log(`${name}: ${status === 0 ? 'ok' : 'failed'} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return status === 0;
}

const files = formatted();
const passed = await Promise.all([
  // The linter contains the native compiler. Separate passes, because the compiler's pass changes what a rule about assertions sees.
  run('types', 'oxlint', ['--type-aware', '--type-check', '--allow', 'all', '--deny-warnings', '.']),
  run('lint', 'oxlint', ['--type-aware', '--deny-warnings', '.']),
  files.length === 0 || run('format', 'oxfmt', ['--list-different', '--no-error-on-unmatched-pattern', ...files]),
]);
process.exit(passed.every(Boolean) ? 0 : 1);
