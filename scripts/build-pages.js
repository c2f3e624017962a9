/**
 * Bundles style sheets, scripts and fonts of the public pages into dist/pages: minified, and named by their content, so that browsers may
 * keep them. Does nothing when nothing changed.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import subsetFont from 'subset-font';
import { combinedSheets } from './page-styles.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'libs/page-kit/src/assets');
const target = join(root, 'dist/pages');
const require = createRequire(import.meta.url);

/** Characters of the faces: those of Western European languages, and the others of Latin Extended-A with what Romanian and German add. */
const characters = {
  '': [
    [0x20, 0xff],
    [0x152, 0x153],
    [0x2bb, 0x2bc],
    [0x2c6],
    [0x2da],
    [0x2dc],
    [0x2010, 0x2027],
    [0x2039, 0x203a],
    [0x20ac],
    [0x2122],
    [0x2212],
  ],
  '-extended': [[0x100, 0x17f], [0x218, 0x21b], [0x1e9e]],
};

/** The faces: fonts of npm packages, the weight that headings have, and the optical size of large type. */
const faces = {
  programme: {
    font: (part) => `@fontsource-variable/source-serif-4/files/source-serif-4-${part}-opsz-normal.woff2`,
    axes: { wght: 600, opsz: 48 },
  },
  affiche: { font: (part) => `@fontsource/sofia-sans-extra-condensed/files/sofia-sans-extra-condensed-${part}-800-normal.woff2` },
  atelier: {
    font: (part) => `@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-${part}-opsz-normal.woff2`,
    axes: { wght: 700, opsz: 48 },
  },
};

/** A hash of everything that the files depend on. */
async function stampOf() {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const own = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  const programs = ['build-pages.js', 'page-styles.js'].map((name) => join(root, 'scripts', name));
  for (const file of [...own, ...programs, join(root, 'package-lock.json')].toSorted())
    hash.update(file.slice(root.length)).update(await readFile(file));
  return hash.digest('hex');
}

async function cutFaces(folder) {
  for (const [name, { font, axes }] of Object.entries(faces)) {
    for (const [suffix, ranges] of Object.entries(characters)) {
      const whole = await readFile(require.resolve(font(suffix === '' ? 'latin' : 'latin-ext')));
      const text = ranges
        .flatMap(([from, to = from]) => Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)))
        .join('');
      await writeFile(
        join(folder, `${name}${suffix}.woff2`),
        await subsetFont(whole, text, { targetFormat: 'woff2', variationAxes: axes }),
      );
    }
  }
}

async function build() {
  const stamp = await stampOf();
  const stampFile = join(target, 'stamp');
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return 'up to date';
  // Written beside the target and renamed at the end: no server sees half a build, and concurrent builds are safe.
  const fresh = `${target}-${process.pid}`;
  const workshop = `${fresh}-faces`;
  await mkdir(fresh, { recursive: true });
  await mkdir(workshop, { recursive: true });
  try {
    await cutFaces(workshop);
    const names = (folder, extension) => readdir(folder).then((files) => files.filter((file) => extname(file) === extension));
    const styles = (await names(join(source, 'style'), '.css')).map((file) => join(source, 'style', file));
    const others = (await readdir(source)).filter((file) => extname(file) !== '').map((file) => join(source, file));
    await bundle({
      entryPoints: [...styles, ...others],
      outdir: fresh,
      entryNames: '[name].[hash]',
      assetNames: '[name].[hash]',
      publicPath: '/assets',
      bundle: true,
      minify: true,
      target: ['chrome120', 'safari16.4', 'firefox121'],
      loader: { '.woff2': 'file', '.svg': 'copy' },
      plugins: [
        combinedSheets(join(source, 'style')),
        {
          name: 'faces',
          setup: ({ onResolve }) => onResolve({ filter: /\.woff2$/ }, ({ path }) => ({ path: join(workshop, path) })),
        },
      ],
      logLevel: 'warning',
    });
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
console.log(`pages: ${await build()} (${Date.now() - started} ms)`);
