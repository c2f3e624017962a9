/** Compiles what is stale: TypeScript into dist/, then the panel's bundle, with the pages' style beside. Quick when nothing changed. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Touched after each successful compilation; tsc's own memory is also written by runs that emit nothing. */
const stamp = join(root, 'dist/.compiled');

/** @param {{quiet?: boolean}} options quiet: say nothing unless it fails */
export async function buildIfStale({ quiet = false } = {}) {
  if (sourcesChanged()) {
    if (!quiet) console.log('Compiling …');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', root], { encoding: 'utf8' });
    if (status !== 0) {
      rmSync(stamp, { force: true });
      throw new BuildError(`${stdout}${stderr}`.trim());
    }
    writeFileSync(stamp, '');
  }
  // Not code, hence not the compiler's: the style of the public pages.
  copyIfStale(join(root, 'libs/pages/src/assets'), join(root, 'dist/libs/pages/src/assets'));
  // In a process of its own: bundling sets variables that AdminJS reads when it is loaded.
  const panel = spawnSync(process.execPath, [join(root, 'scripts/build-panel.js')], { encoding: 'utf8' });
  if (panel.status !== 0) throw new BuildError(`${panel.stdout}${panel.stderr}`.trim());
}

/** The sources do not compile; the message is the compiler's. */
export class BuildError extends Error {}

function sourcesChanged() {
  let compiled;
  try {
    compiled = statSync(stamp).mtimeMs;
  } catch {
    return true;
  }
  const inputs = ['apps', 'libs', 'test'].map((folder) => join(root, folder));
  return [...inputs.flatMap(filesBelow), join(root, 'tsconfig.json'), join(root, 'package-lock.json')].some(
    (file) => statSync(file).mtimeMs > compiled,
  );
}

/** Several may start at once: each file is whole at every moment. */
function copyIfStale(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if ((statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= statSync(source).mtimeMs) continue;
    const beside = `${target}.${process.pid}`;
    copyFileSync(source, beside);
    renameSync(beside, target);
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildIfStale().catch((error) => {
    console.error(error instanceof BuildError ? error.message : error);
    process.exit(1);
  });
}
