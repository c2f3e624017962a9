/**
 * `npm test`: runs the checks, then all tests, then prints one closing line `N passed, N failed[, N skipped]`. Arguments are passed to
 * Jest (`npm test -- scan`); the checks are then skipped.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BuildError, buildIfStale, root } from './build-if-stale.js';

const chosen = process.argv.slice(2);
let failedChecks = 0;
// Beside the compiler, which uses one core.
const checks = chosen.length === 0 ? spawn(process.execPath, [join(root, 'scripts/check.js')], { cwd: root, stdio: 'inherit' }) : undefined;
const checked = checks && once(checks, 'exit');
try {
  await buildIfStale();
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  failedChecks += 1;
}
if (checked && (await checked)[0] !== 0) failedChecks += 1;

const folder = mkdtempSync(join(tmpdir(), 'guichet-test-'));
const report = join(folder, 'report.json');
const provoked = join(folder, 'provoked-problems');
writeFileSync(provoked, '');
const statements = join(folder, 'statements');
mkdirSync(statements);
/** A test that blocks its process would otherwise never end. */
const longestMinutes = 45;
/**
 * Most code runs a few times per file: V8's optimizing compiler took a fifth of the processor time and begins later with this option. Its
 * name depends on the version of Node.
 */
const lateOptimization = ['--interrupt-budget=1000000', '--invocation-count-for-turbofan=40000'].filter(
  (option) => spawnSync(process.execPath, [option, '-e', '']).status === 0,
);
const runner = [...lateOptimization, join(root, 'node_modules/jest/bin/jest.js'), '--json', `--outputFile=${report}`];
const jest = spawnSync(process.execPath, [...runner, ...chosen], {
  cwd: root,
  timeout: longestMinutes * 60_000,
  // Standard output contains only the closing line.
  stdio: ['ignore', 2, 'inherit'],
  env: {
    ...process.env,
    NODE_ENV: 'test',
    NODE_OPTIONS: '--no-warnings',
    GUICHET_PROVOKED: provoked,
    GUICHET_STATEMENTS: statements,
  },
});

let passed = 0;
let failed = failedChecks;
let skipped = 0;
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  passed = result.numPassedTests;
  // A file that cannot be loaded has no tests and counts as one failure.
  const broken = result.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  failed += result.numFailedTests + broken.length;
  skipped = result.numPendingTests + result.numTodoTests;
} catch {
  failed += 1;
}
if (jest.status !== 0 && failed === 0) failed += 1;
if (chosen.length === 0) {
  const unseen = neverProvoked(readFileSync(provoked, 'utf8').split('\n'));
  if (unseen.length > 0) console.log(`Documented problems that no test provoked: ${unseen.join(', ')}`);
  if (unseen.length > 0) failed += 1;
  else passed += 1;
}
if (await keepsStatementRules()) passed += 1;
else failed += 1;
rmSync(folder, { recursive: true, force: true });
if (jest.error) console.log(`The tests were stopped after ${longestMinutes} minutes: the last files without a line above did not end.`);
if (failedChecks > 0) console.log('The checks failed: see above, or run npm run check.');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);

/** Every problem of the API document must occur as an answer in some test, except those that need a broken server or a raw socket. */
function neverProvoked(codes) {
  const { components } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  const seen = new Set([...codes, 'request.host', 'scan.busy', 'server.failure']);
  return Object.keys(components.examples).filter((code) => !seen.has(code));
}

/** The SQL that the program sent keeps the rules for reference tables. */
async function keepsStatementRules() {
  if (failedChecks > 0) return true;
  const { checkStatements } = await import(pathToFileURL(join(root, 'dist/test/statements/check.js')).href);
  const { violations } = await checkStatements(statements);
  for (const violation of violations) console.log(violation);
  if (violations.length > 0) console.log('SQL that does not run on several database servers: see test/statements/rules.ts');
  return violations.length === 0;
}
