/** Combines and shortens the style sheets of the public pages for the bundler. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const comments = /\/\*[^]*?\*\//g;
/** `@import url(parts/cards.css) layer(parts);` */
const imports = /@import url\(([\w/-]+\.css)\) layer\((\w+)\);\s*/g;
/** A custom property whose value is one measure: `--s4: 1rem;` */
const measures = /(--[\w-]+): ([\d.]+(?:rem|px));\s*/g;

/**
 * Shorter names of the same properties: all languages of the pages have horizontal lines, so that the block axis is the vertical one. What
 * depends on the direction of a language stays logical.
 */
const shorterNames = [
  [/\b((?:min-|max-)?)inline-size(?=: )/g, '$1width'],
  [/\b((?:min-|max-)?)block-size(?=: )/g, '$1height'],
  [/\b(margin|padding|border)-block-start(?=: )/g, '$1-top'],
  [/\b(margin|padding|border)-block-end(?=: )/g, '$1-bottom'],
  [/\binset-block-start(?=: )/g, 'top'],
  [/\binset-block-end(?=: )/g, 'bottom'],
];

/**
 * Plugin of esbuild. Puts the files that a sheet imports into it, with one block for imports of the same layer that follow each other. In
 * place of measures that have one value everywhere, such as `var(--s4)`, it writes that value, and the shortest names of properties.
 *
 * @param {string} folder the one of the sheets; its `parts/tokens.css` declares the measures
 */
export function combinedSheets(folder) {
  const read = async (file) => (await readFile(join(folder, file), 'utf8')).replaceAll(comments, '');
  let constants;
  const readConstants = async () => {
    const tokens = await read('parts/tokens.css');
    const isOnlyOne = ([, name]) => tokens.split(`${name}:`).length === 2;
    return new Map([...tokens.matchAll(measures)].filter(isOnlyOne).map(([, name, value]) => [name, value]));
  };
  return {
    name: 'combined-sheets',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.css$/ }, async ({ path }) => {
        if (dirname(path) !== folder) return undefined;
        constants ??= readConstants();
        const known = await constants;
        const text = await read(path.slice(folder.length + 1));
        const layers = [];
        for (const [, file, layer] of text.matchAll(imports)) {
          const rules = await read(file);
          if (layers.at(-1)?.layer === layer) layers.at(-1).rules.push(rules);
          else layers.push({ layer, rules: [rules] });
        }
        const combined = [text.replaceAll(imports, ''), ...layers.map(({ layer, rules }) => `@layer ${layer} {${rules.join('\n')}}`)]
          .join('\n')
          .replaceAll(measures, (declaration, name) => (known.has(name) ? '' : declaration))
          .replaceAll(/var\((--[\w-]+)\)/g, (use, name) => known.get(name) ?? use)
          // esbuild keeps the spaces in custom properties.
          .replaceAll(/(--[\w-]+): ([^;]+);/g, (_, name, value) => `${name}:${value.replaceAll(', ', ',')};`);
        const contents = shorterNames.reduce((styles, [name, shorter]) => styles.replaceAll(name, shorter), combined);
        return { contents, loader: 'css', resolveDir: folder };
      }),
  };
}
