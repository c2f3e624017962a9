import { readdirSync, readFileSync } from 'node:fs';

/** A file that browsers load with a page. */
interface PageAsset {
  /** Its name contains a hash of the content, so that browsers may keep it for ever. */
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  woff2: 'font/woff2',
};

/** Written by `scripts/build-pages.js`. */
const folder = new URL('../../../../pages/', import.meta.url);

/** Read once at the start: by name, such as `page.css`. */
const assets = new Map(
  readdirSync(folder).flatMap((file): [string, PageAsset][] => {
    const [stem, , extension = ''] = file.split('.');
    const type = types[extension];
    return type ? [[`${stem}.${extension}`, { path: `/assets/${file}`, type, content: readFileSync(new URL(file, folder)) }]] : [];
  }),
);

const byPath = new Map([...assets.values()].map((asset) => [asset.path, asset]));

/** The asset at a path; undefined for other paths. */
export function assetAt(path: string): PageAsset | undefined {
  return byPath.get(path);
}

/** The path of an asset. @param name such as `page.css` @throws Error when the build has no such file */
export function assetPath(name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`dist/pages has no ${name}: run npm run build`);
  return asset.path;
}
