import type { Response } from 'supertest';
import { gzipSync } from 'node:zlib';

/** What a crawl found. */
export interface Crawl {
  /** Paths and queries that were read, in this order. */
  readonly paths: readonly string[];
  /** `<status> <path> ← <page with the link>` of each answer of 400 and more. */
  readonly broken: readonly string[];
  /** Compressed bytes of each page with its style sheets and scripts, without pictures. */
  readonly weights: ReadonlyMap<string, number>;
}

export interface Crawling {
  /** The host whose links are followed, also where they are absolute. */
  readonly host: string;
  /** Paths to begin with. */
  readonly from: readonly string[];
  /** Whether a link is followed. */
  readonly follows: (path: string) => boolean;
}

/** Reads pages and everything that they name on their host: links, pictures, scripts, other languages, and pictures for sharing. */
export async function crawl(read: (path: string) => Promise<Response>, { host, from, follows }: Crawling): Promise<Crawl> {
  const foundOn = new Map<string, string>(from.map((path) => [path, 'the test']));
  const broken: string[] = [];
  const sizes = new Map<string, number>();
  const loads = new Map<string, string[]>();
  // Paths that are added while it runs are read, too.
  for (const [path, page] of foundOn) {
    const answer = await read(path);
    if (answer.status >= 400) broken.push(`${answer.status} ${path} ← ${page}`);
    // Pictures and files have no text.
    const text = Buffer.isBuffer(answer.body) ? '' : (answer.text ?? '');
    const type = String(answer.headers['content-type']);
    if (/html|css|javascript/.test(type)) sizes.set(path, gzipSync(text).length);
    if (type.includes('html')) loads.set(path, assetsOf(text));
    const moved = answer.headers['location'];
    for (const link of [...linksIn(text), ...(moved === undefined ? [] : [moved])]) {
      const local = pathOf(link, host, path);
      if (local !== undefined && follows(local) && !foundOn.has(local)) foundOn.set(local, path);
    }
  }
  const weight = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  const weights = new Map([...loads].map(([path, assets]) => [path, weight([path, ...assets])]));
  return { paths: [...foundOn.keys()], broken, weights };
}

const assetsOf = (html: string): string[] => [...html.matchAll(/"(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, asset]) => asset as string);

/** Addresses in `href`, `src` and in `content` of meta elements, and those of a sitemap. */
function linksIn(text: string): string[] {
  const found = text.matchAll(/(?:href|src)="([^"]+)"|content="(https?:[^"]+)"|content="\d+;url=([^"]+)"|<loc>([^<]+)<\/loc>/g);
  return [...found].map((groups) =>
    groups
      .slice(1)
      .find((link) => link !== undefined)!
      .replaceAll('&amp;', '&')
      .replace(/#.*/, ''),
  );
}

/** Path and query of a link on a page; undefined: it leads to another host or program. */
function pathOf(link: string, host: string, page: string): string | undefined {
  const { protocol, hostname, pathname, search } = new URL(link, `http://${host}${page}`);
  return /^https?:$/.test(protocol) && hostname === host ? pathname + search : undefined;
}
