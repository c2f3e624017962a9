// Bundles the panel's own components and copies all files that its pages load into dist/panel, named by their content and compressed.
// Does nothing when nothing changed. `--compiled` records that the program was just compiled.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build as bundle } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folders = [join(root, 'libs/panel-kit/src'), join(root, 'libs/panel/src')];
const target = join(root, 'dist/panel');

const TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** AdminJS's prebuilt bundles. Always the production ones: the others are ten times as large. */
function vendorFiles() {
  const require = createRequire(join(root, 'package.json'));
  const admin = dirname(require.resolve('adminjs'));
  const designSystem = join(dirname(createRequire(join(admin, 'x.js')).resolve('@adminjs/design-system')), '..');
  const scripts = join(admin, 'lib/frontend/assets/scripts');
  return {
    'global.bundle.js': join(scripts, 'global-bundle.production.js'),
    'app.bundle.js': join(scripts, 'app-bundle.production.js'),
    'design-system.bundle.js': join(designSystem, 'bundle.production.js'),
    versions: [
      join(admin, 'package.json'),
      join(designSystem, 'package.json'),
      join(root, 'node_modules/@simplewebauthn/browser/package.json'),
    ],
  };
}

/** Files for browsers: components, style sheets, images. */
async function browserFiles() {
  const entries = await Promise.all(folders.map((folder) => readdir(folder, { withFileTypes: true, recursive: true })));
  return entries
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => isSource(file) || /^\.(?:css|svg|png)$/.test(extname(file)))
    .toSorted();
}

/** The server's own sources are beside the folders of components. */
const isSource = (file) => /[/\\]components[/\\].*\.tsx?$/.test(file);
const isStyleSheet = (file) => extname(file) === '.css';
const isAsset = (file) => basename(dirname(file)) === 'assets' && !isStyleSheet(file);

/** A hash of everything that the bundle depends on. */
async function stampOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file.slice(root.length))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  return hash.digest('hex');
}

/** What AdminJS's own bundles contain and keep as globals. */
const globals = {
  react: 'React',
  'react-dom': 'ReactDOM',
  'react-redux': 'ReactRedux',
  'react-router': 'ReactRouter',
  'react-router-dom': 'ReactRouterDOM',
  adminjs: 'AdminJS',
  '@adminjs/design-system': 'AdminJSDesignSystem',
};

/**
 * Finds the libraries among the globals, and the sources behind the names that they have once compiled.
 * @param {string} sources what imports from the libraries
 */
function resolving(sources) {
  const importsOf = (library) =>
    [...sources.matchAll(new RegExp(`^import (?:\\w+, )?\\{([^}]*)\\} from '${library}';`, 'gm'))].flatMap(([, names]) =>
      names.split(',').map((name) => name.trim()),
    );
  return {
    name: 'panel',
    setup(bundle) {
      const library = new RegExp(`^(?:${Object.keys(globals).join('|')})$`);
      bundle.onResolve({ filter: library }, ({ path }) => ({ path, namespace: 'global' }));
      bundle.onLoad({ filter: /./, namespace: 'global' }, ({ path }) => {
        const names = [...new Set(importsOf(path))].filter((name) => /^\w+$/.test(name));
        return { contents: `export const { ${names.join(', ')} } = ${globals[path]};\nexport default ${globals[path]};` };
      });
      bundle.onResolve({ filter: /^(?:#panel-kit\/|\.).*\.js$/ }, ({ path, resolveDir }) => {
        const file = path.startsWith('#') ? join(folders[0], path.slice('#panel-kit/'.length)) : join(resolveDir, path);
        const stem = file.slice(0, -extname(file).length);
        const found = ['.tsx', '.ts'].map((extension) => stem + extension).find((each) => existsSync(each));
        return found === undefined ? undefined : { path: found };
      });
    },
  };
}

/** Each file with a component as its default export, under its name; a component with the name of an AdminJS one replaces it. */
async function bundleComponents(files, workshop) {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const lines = files
    .filter((_file, index) => texts[index].includes('export default function'))
    .map((file) => {
      const name = basename(file, extname(file));
      return `import ${name} from ${JSON.stringify(file)};\nAdminJS.UserComponents.${name} = ${name};`;
    });
  const elements = join(workshop, 'elements.js');
  await writeFile(elements, 'export const { createElement, Fragment } = React;');
  const outfile = join(workshop, 'bundle.js');
  await bundle({
    stdin: { contents: ['AdminJS.UserComponents = {};', ...lines].join('\n'), resolveDir: root },
    inject: [elements],
    tsconfigRaw: { compilerOptions: { jsx: 'react', jsxFactory: 'createElement', jsxFragmentFactory: 'Fragment' } },
    plugins: [resolving(texts.join('\n'))],
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome120', 'safari16.4', 'firefox121'],
    legalComments: 'none',
    outfile,
  });
  return outfile;
}

/** A file of its own: scripts with what they import. */
async function assetOf(file, workshop) {
  if (extname(file) !== '.ts') return file;
  const outfile = join(workshop, `${basename(file, '.ts')}.js`);
  await bundle({ entryPoints: [file], outfile, bundle: true, minify: true, format: 'iife', target: 'es2022', logLevel: 'warning' });
  return outfile;
}

/** All style sheets as one file, ordered by name. */
async function joinStyles(files, workshop) {
  const sheets = files.toSorted((one, other) => (basename(one) < basename(other) ? -1 : 1));
  const texts = sheets.map((file) => readFile(file, 'utf8'));
  const joined = join(workshop, 'panel.css');
  await writeFile(joined, (await Promise.all(texts)).join('\n'));
  return joined;
}

/**
 * Old ways to get `globalThis` in libraries: the content security policy blocks them and browsers report that to the console, although
 * the code catches it.
 */
const evaluated = /(?:new )?Function\("return this"\)\(\)/g;

/** Writes one file named by its content, and its compressed forms. */
async function place(folder, name, source) {
  const read = await readFile(source);
  const content = name.endsWith('.bundle.js') ? Buffer.from(read.toString().replaceAll(evaluated, 'globalThis')) : read;
  const extension = extname(name);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const file = `${basename(name, extension)}.${hash}${extension}`;
  await writeFile(join(folder, file), content);
  const encodings = [];
  if (extension !== '.png') {
    const brotli = {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    };
    await writeFile(join(folder, `${file}.br`), brotliCompressSync(content, brotli));
    await writeFile(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }));
    encodings.push({ name: 'br', file: `${file}.br` }, { name: 'gzip', file: `${file}.gz` });
  }
  return { file, type: TYPES[extension] ?? 'application/octet-stream', encodings };
}

async function build() {
  const { versions, ...vendor } = vendorFiles();
  const ours = await browserFiles();
  const stamp = await stampOf([...ours, ...versions, fileURLToPath(import.meta.url)]);
  const stampFile = join(target, 'stamp');
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return 'up to date';

  // Written beside the target and renamed at the end: a bundle is never visible half-written, and concurrent builds are safe.
  const fresh = `${target}-${process.pid}`;
  const workshop = `${fresh}-workshop`;
  await mkdir(fresh, { recursive: true });
  await mkdir(workshop, { recursive: true });
  try {
    const sources = { ...vendor, 'components.bundle.js': await bundleComponents(ours.filter(isSource), workshop) };
    for (const file of ours.filter(isAsset)) {
      const asset = await assetOf(file, workshop);
      sources[basename(asset)] = asset;
    }
    sources['panel.css'] = await joinStyles(ours.filter(isStyleSheet), workshop);
    const list = {};
    for (const [name, source] of Object.entries(sources)) list[name] = await place(fresh, name, source);
    await writeFile(join(fresh, 'assets.json'), JSON.stringify(list, null, 2));
    await writeFile(join(fresh, 'stamp'), stamp);
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target).catch((error) => {
      // Another build of the same files was faster.
      if (!existsSync(stampFile)) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
    await rm(fresh, { recursive: true, force: true });
  }
  return 'built';
}

const started = Date.now();
console.log(`panel: ${await build()} (${Date.now() - started} ms)`);
// The last step of a build: `build-if-stale.js` compares the sources with this file.
if (process.argv.includes('--compiled')) await writeFile(join(root, 'dist/.compiled'), '');
