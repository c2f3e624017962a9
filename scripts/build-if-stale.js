/**
 * Runs `nest build` when a source is newer than the last build, and bundles public pages, scanner app and panel. Quick when nothing
 * changed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
/** Written by `build-panel.js --compiled` after each complete build; tsc also writes its own build info in runs with type errors. */
const stamp = join(root, 'dist/.compiled');

/**
 * Builds what is stale: the same steps as `npm run build`, without checking types.
 *
 * @param {{quiet?: boolean}} options quiet: print nothing unless a step fails
 * @throws {BuildError} with the compiler's message
 */
export async function buildIfStale({ quiet = false } = {}) {
  // An installation without development packages cannot compile and runs what is in dist/.
  if (!existsSync(nest)) {
    if (existsSync(stamp)) return;
    throw new BuildError('The program is not built, and @nestjs/cli is not installed: run npm ci, with development packages');
  }
  const stale = sourcesChanged();
  const bundle = (name, ...options) => run([join(root, 'scripts', name), ...options]);
  // They need nothing that the compiler writes, which uses one core. In separate processes, because bundling the panel sets variables that
  // AdminJS reads when it is loaded.
  const beside = Promise.all([bundle('build-pages.js'), bundle('build-panel.js')]);
  // Awaited below, also when the compiler fails first.
  beside.catch(() => undefined);
  if (stale) {
    if (!quiet) console.log('Compiling …');
    rmSync(stamp, { force: true });
    // Emits without checking types, which takes half the time: users start sooner, and `npm test` checks them beside the build.
    await run([nest, 'build', '--path', 'tsconfig.start.json']);
  }
  await Promise.all([beside, bundle('build-door.js')]);
  // The panel is bundled by now.
  if (stale) await bundle('build-panel.js', '--compiled');
}

/** A step of the build failed; the message is the step's output. */
export class BuildError extends Error {}

async function run(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (status !== 0) throw new BuildError(`${out}${error}`.trim());
}

function sourcesChanged() {
  const compiled = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  if (compiled === undefined) return true;
  const configurations = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.start.json', 'nest-cli.json', 'package-lock.json'];
  const inputs = ['apps', 'libs', 'test/load', 'test/faults', 'test/citus'].map((folder) => join(root, folder));
  return [...inputs.flatMap(filesBelow), ...configurations.map((name) => join(root, name))].some(
    (file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > compiled,
  );
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
