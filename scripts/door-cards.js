/**
 * `node scripts/door-cards.js <file>` writes a page with every result and every screen of the scanner app, for pictures and for checks:
 * the functions `drawCards(language, names)` and `drawScreen(language, name, preferences)` of the page draw them. Needs the compiled libs,
 * for the texts.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './build-if-stale.js';

const source = join(root, 'apps/door/src');
const phones = `
  main:has(> .phone) { display: flex; flex-wrap: wrap; }
  .phone { position: relative; width: 390px; height: 844px; overflow: hidden; transform: translate(0); }
  .phone .result { animation: none; }`;

const jsonAddress = (value) => `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`;

/** The page as HTML without other files. */
export async function doorCards() {
  const { catalogueFiles } = await import(pathToFileURL(join(root, 'dist/libs/kernel/src/locales/catalogue-files.js')).href);
  const { languageFacts } = await import(pathToFileURL(join(root, 'dist/libs/kernel/src/locales/language.js')).href);
  const bundle = async (entry, define = {}, format = 'iife') => {
    const { outputFiles } = await build({
      entryPoints: [join(source, entry)],
      bundle: true,
      write: false,
      format,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'error',
      define,
    });
    return outputFiles[0].text;
  };
  const { flatTexts } = await import(`data:text/javascript,${encodeURIComponent(await bundle('texts/flat-texts.ts', {}, 'esm'))}`);
  const languages = Object.entries(languageFacts).map(([code, { name, locale }]) => {
    const file = jsonAddress(flatTexts(catalogueFiles.getResourceBundle(code, 'door')));
    return { code, name, locale, file, texts: jsonAddress({}), guide: `/door/guide.${code}.html` };
  });
  const values = {
    BUILD_LANGUAGES: languages,
    BUILD_VERSION: 'pictures',
    BUILD_DECODER: '',
    BUILD_LATER_STYLE: 'data:text/css,',
    BUILD_LATER_LANGUAGES: JSON.stringify(languages),
  };
  const define = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
  const script = await bundle('pictures/cards.tsx', define);
  const style = (await bundle('style/app.css')) + (await bundle('style/later.css'));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Results</title>
<style>${style}${phones}</style></head><body><div id="app"></div>
<script>${script.replaceAll('</script', '<\\/script')}</script></body></html>`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await writeFile(process.argv[2], await doorCards());
