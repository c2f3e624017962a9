/** How the files of the scanner app become scripts and style sheets, for `build-door.js`. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify, version as swcVersion } from '@swc/core';
import { build } from 'esbuild';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** The source of the app. */
export const source = join(root, 'apps/door/src');

/** @param names settings that differ from those of a single file */
async function bundleFiles(entryPoints, values, names = {}) {
  return build({
    entryPoints,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    logLevel: 'error',
    define: {
      'process.env.NODE_ENV': '"production"',
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
    },
    ...names,
  });
}

/** Bundles one entry file with the values that the build knows. @returns its text */
export async function bundle(entry, values = {}) {
  const { outputFiles } = await bundleFiles([join(source, entry)], values);
  return outputFiles[0].text;
}

/** What a module of the app exports, for this script. */
export async function importBundled(entry) {
  return import(`data:text/javascript;charset=utf-8,${encodeURIComponent(await bundle(entry))}`);
}

/**
 * Parts that the app imports while it runs import its start: esbuild then makes one common file of the app, which compresses better than a
 * file for each set of importers.
 */
const oneCommonFile = {
  name: 'one-common-file',
  setup({ onLoad }) {
    const start = join(source, 'main.ts');
    onLoad(
      { filter: /\/(?:src\/later\.tsx|core\/engine\/practice\.ts|core\/engine\/background\.ts|@noble\/ed25519\/index\.js)$/ },
      async ({ path }) => ({
        contents: `import ${JSON.stringify(start)};\n${await readFile(path, 'utf8')}`,
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }),
    );
  },
};

/**
 * Bundles the app: the entry with what it imports, which the first screen needs, and parts that it imports while it runs.
 * @returns all files, as names and texts: that of the entry, those that it imports, and the others
 */
export async function bundleApp(values) {
  const { outputFiles, metafile } = await bundleFiles({ app: join(source, 'main.ts') }, values, {
    plugins: [oneCommonFile],
    splitting: true,
    metafile: true,
    outdir: join(root, 'dist/door'),
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    // Another minifier changes the names of the files, too.
    banner: { js: `/*${swcVersion}*/` },
  });
  const all = Object.keys(metafile.outputs);
  const main = all.find((path) => metafile.outputs[path].entryPoint?.endsWith('/main.ts'));
  // All parts import it, so its code is in the common file: the page loads that one at once.
  const { inputs, imports } = metafile.outputs[main];
  const isEmpty = Object.keys(inputs).length === 0 && imports.length === 1;
  const entry = isEmpty ? imports[0].path : main;
  const first = new Set([entry]);
  for (const path of first)
    for (const { kind, path: imported } of metafile.outputs[path].imports) if (kind === 'import-statement') first.add(imported);
  const written = outputFiles.map(({ path, text }) => ({ path: relative(root, path), text }));
  const files = written.filter(({ path }) => path === entry || path !== main);
  const named = (wanted) => files.filter(({ path }) => wanted(path)).map(({ path, text }) => ({ file: basename(path), text }));
  return {
    entry: named((path) => path === entry),
    imported: named((path) => path !== entry && first.has(path)),
    later: named((path) => !first.has(path)),
  };
}

/** A script of the app smaller by 3 % than esbuild makes it alone. */
export async function minified(text) {
  const { code } = await minify(text, {
    module: true,
    ecma: 2020,
    compress: { passes: 3, ecma: 2020 },
    mangle: true,
    format: { ecma: 2020 },
  });
  return code;
}
