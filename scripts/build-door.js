/**
 * Bundles the scanner app into dist/door: script, decoder, style sheet, texts, service worker and icons, named by their content and
 * compressed. Keeps the files of the three builds before, which running apps may still ask for. Does nothing when nothing changed. Needs
 * the compiled libs, for the languages and their texts.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { bundle, bundleApp, importBundled, minified, root, source } from './door-bundles.js';

const target = join(root, 'dist/door');
const address = '/door';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const packages = ['@swc/core', 'preact', '@preact/signals', 'idb', '@noble/ed25519', 'zxing-wasm', 'esbuild', 'sharp'];

/** A hash of everything that the app depends on. */
async function stampOf() {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const own = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const languages = (await readdir(join(root, 'locales'))).map((language) => join(root, 'locales', language, 'door.json'));
  const versions = packages.map((name) => join(root, 'node_modules', name, 'package.json'));
  const others = [fileURLToPath(import.meta.url), join(root, 'scripts/door-bundles.js'), join(root, 'libs/kernel/src/locales/language.ts')];
  const hash = createHash('sha256');
  for (const file of [...own, ...languages, ...versions, ...others].toSorted())
    hash.update(file.slice(root.length)).update(await readFile(file));
  return hash.digest('hex');
}

const hashed = (name, content) => {
  const extension = extname(name);
  return `${basename(name, extension)}.${createHash('sha256').update(content).digest('hex').slice(0, 12)}${extension}`;
};

/** Collects the files of one build in a folder. */
class Output {
  files = [];

  constructor(folder, before) {
    this.folder = folder;
    this.before = before;
  }

  /** Writes a file that browsers keep, under a name that contains its hash. @returns its address */
  async immutable(name, content) {
    const file = hashed(name, content);
    await this.write(file, content, true);
    return `${address}/${file}`;
  }

  async write(file, content, immutable = false) {
    const type = TYPES[extname(file)];
    const compressed = extname(file) !== '.png';
    this.files.push({ file, type, immutable, compressed });
    await writeFile(join(this.folder, file), content);
    if (!compressed) return;
    // The decoder takes seconds to compress and changes rarely.
    if (immutable && existsSync(join(this.before, `${file}.br`))) {
      for (const suffix of ['.br', '.gz']) await copyFile(join(this.before, file + suffix), join(this.folder, file + suffix));
      return;
    }
    const bytes = Buffer.from(content);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeFile(join(this.folder, `${file}.br`), brotliCompressSync(bytes, { params }));
    await writeFile(join(this.folder, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Writes the scripts of the app. @returns addresses: of the entry, of what it imports, and of all */
async function writeScripts(output, values) {
  const { entry, imported, later } = await bundleApp(values);
  for (const { file, text } of [...entry, ...imported, ...later]) await output.write(file, await minified(text), true);
  const [first, others, rest] = [entry, imported, later].map((files) => files.map(({ file }) => `${address}/${file}`));
  return { entry: first[0], first: others, all: [...first, ...others, ...rest] };
}

/** Two files of texts for each language: those that the first screen uses, and the others. @returns the languages with their addresses */
async function writeTexts(output) {
  const { catalogueFiles } = await import(join(root, 'dist/libs/kernel/src/locales/catalogue-files.js'));
  const { languageFacts } = await import(join(root, 'dist/libs/kernel/src/locales/language.js'));
  const { flatTexts, textsByUse } = await importBundled('texts/flat-texts.ts');
  const { entry, imported } = await bundleApp({
    BUILD_VERSION: '',
    BUILD_DECODER: '',
    BUILD_LATER_STYLE: '',
    BUILD_LANGUAGES: [],
    BUILD_LATER_LANGUAGES: '[]',
  });
  const script = [...entry, ...imported].map(({ text }) => text).join('\n');
  const languages = [];
  for (const [code, { name, locale }] of Object.entries(languageFacts)) {
    const texts = flatTexts(catalogueFiles.getResourceBundle(code, 'door'));
    const [first, others] = textsByUse(texts, script);
    // Those of other pages: the app loads less.
    const later = Object.fromEntries(Object.entries(others).filter(([key]) => !/^(?:noScript$|guide\.)/.test(key)));
    const file = await output.immutable(`${code}.json`, JSON.stringify(first));
    languages.push({ code, name, locale, texts, file, later: await output.immutable(`${code}.later.json`, JSON.stringify(later)) });
  }
  return languages;
}

/**
 * The page for volunteers in each language, to print, and under its hash for the app.
 * @returns addresses of the latter, and of all files of theirs
 */
async function writeGuides(output, languages) {
  const { guidePage } = await importBundled('guide/guide.ts');
  const style = await output.immutable('guide.css', await bundle('style/guide.css'));
  const pages = languages.map(({ code, name }) => ({ code, name, address: `${address}/guide.${code}.html` }));
  const guides = [];
  for (const { code, locale, texts } of languages) {
    const others = pages.filter((page) => page.code !== code);
    const page = guidePage({ language: { code, locale }, texts, style, others });
    await output.write(`guide.${code}.html`, page);
    guides.push(await output.immutable(`guide.${code}.html`, page));
  }
  return { guides, files: [style, ...guides] };
}

/** Pictures from the drawing: for home screens, with the margin that masks of Android need. @returns address of the drawing */
async function writeIcons(output) {
  const { default: sharp } = await import('sharp');
  const drawing = await readFile(join(source, 'shell/icon.svg'));
  await output.write('icon.svg', drawing);
  const png = (size) => sharp(drawing, { density: 600 }).resize(size, size);
  for (const size of [192, 512]) await output.write(`icon-${size}.png`, await png(size).png().toBuffer());
  const ground = { r: 24, g: 19, b: 24, alpha: 1 };
  const onGround = (size, margin) =>
    png(size - 2 * margin)
      .flatten({ background: ground })
      .extend({ top: margin, bottom: margin, left: margin, right: margin, background: ground });
  await output.write('icon-maskable.png', await onGround(512, 72).png().toBuffer());
  await output.write('icon-apple.png', await onGround(180, 16).png().toBuffer());
  return output.immutable('icon.svg', drawing);
}

async function buildInto(output, version) {
  const wasm = await output.immutable('decoder.wasm', await readFile(join(root, 'node_modules/zxing-wasm/dist/reader/zxing_reader.wasm')));
  const decoder = await output.immutable('decoder.js', await bundle('camera/decode-worker.ts', { BUILD_WASM: wasm }));
  const languages = await writeTexts(output);
  const { guides, files: guideFiles } = await writeGuides(output, languages);
  const known = languages.map(({ code, locale, file }) => ({ code, locale, file }));
  const laterKnown = languages.map(({ code, name, later }, at) => ({ code, name, texts: later, guide: guides[at] }));
  const laterStyle = await output.immutable('later.css', await bundle('style/later.css'));
  const values = {
    BUILD_VERSION: version,
    BUILD_DECODER: decoder,
    BUILD_LATER_STYLE: laterStyle,
    BUILD_LANGUAGES: known,
    BUILD_LATER_LANGUAGES: JSON.stringify(laterKnown),
  };
  const scripts = await writeScripts(output, values);
  const style = await output.immutable('app.css', await bundle('style/app.css'));
  const icon = await writeIcons(output);
  const notes = languages.map(({ code, texts }) => `<p lang="${code}">${texts.noScript}</p>`).join('');
  const shell = (await readFile(join(source, 'shell/index.html'), 'utf8'))
    .replace('%STYLE%', style)
    .replace('%SCRIPT%', scripts.entry)
    .replace('%PRELOAD%', scripts.first.map((path) => `<link rel="modulepreload" href="${path}" />`).join('\n    '))
    .replace('%ICON%', icon)
    .replace('%NOSCRIPT%', notes);
  await output.write('index.html', shell);
  // The service worker stores the shell under its hash, too, so that it never mixes files of two builds.
  const page = await output.immutable('index.html', shell);
  const files = [
    page,
    ...scripts.all,
    style,
    laterStyle,
    decoder,
    wasm,
    ...languages.flatMap(({ file, later }) => [file, later]),
    ...guideFiles,
    icon,
  ];
  const built = { BUILD_VERSION: version, BUILD_SHELL: page, BUILD_FILES: files };
  await output.write('sw.js', await bundle('worker/service-worker.ts', built));
}

/** Builds before this one whose files the server still has. */
const mostBuilds = 3;

/** Copies the hashed files of the builds before that this one does not have. @returns their list; `age` counts the builds since */
async function keepPrevious(folder, files) {
  const list = join(target, 'assets.json');
  if (!existsSync(list)) return [];
  const now = new Set(files.map(({ file }) => file));
  const before = JSON.parse(await readFile(list, 'utf8'));
  const kept = [
    ...before.files.map((file) => ({ ...file, age: 1 })),
    ...before.previous.map((file) => ({ ...file, age: (file.age ?? 1) + 1 })),
  ].filter(({ file, immutable, age }) => immutable && !now.has(file) && age <= mostBuilds);
  for (const { file } of kept)
    for (const suffix of ['', '.br', '.gz']) await copyFile(join(target, file + suffix), join(folder, file + suffix));
  return kept;
}

async function build() {
  const stamp = await stampOf();
  const stampFile = join(target, 'stamp');
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return 'up to date';
  // Written beside the target and renamed at the end: no server sees half a build, and concurrent builds are safe.
  const fresh = `${target}-${process.pid}`;
  await mkdir(fresh, { recursive: true });
  try {
    const version = stamp.slice(0, 12);
    const output = new Output(fresh, target);
    await buildInto(output, version);
    const previous = await keepPrevious(fresh, output.files);
    await writeFile(join(fresh, 'assets.json'), JSON.stringify({ version, files: output.files, previous }, null, 2));
    await writeFile(join(fresh, 'version.json'), JSON.stringify({ version }));
    await writeFile(join(fresh, 'stamp'), stamp);
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target).catch((error) => {
      // Another build of the same files was faster.
      if (!existsSync(stampFile)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return 'built';
}

const started = Date.now();
console.log(`door: ${await build()} (${Date.now() - started} ms)`);
