import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export interface PageAsset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** The name contains a hash of the content, so that browsers may cache it forever. */
function assetOf(name: string, type: string, content: string): PageAsset {
  const [stem, extension] = name.split('.') as [string, string];
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/assets/${stem}.${hash}.${extension}`, type, content };
}

const folder = new URL('../assets/', import.meta.url);

/** Read once at the start. */
const readAsset = (name: string, type: string): PageAsset => assetOf(name, type, readFileSync(new URL(name, folder), 'utf8'));

/** The style sheets of a folder as one file, in the order of their names. */
function readStyles(name: string): PageAsset {
  const files = readdirSync(new URL(name, folder)).toSorted();
  const content = files.map((file) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8')).join('\n');
  return assetOf(`${name}.css`, 'text/css', content);
}

export const stylesheet = readStyles('pages');
export const bookingScript = readAsset('booking.js', 'text/javascript');
export const addressScript = readAsset('address.js', 'text/javascript');
/** Keeps the holder's page for times without a network, and the service worker that does so. */
export const passScript = readAsset('pass.js', 'text/javascript');
export const passWorker = readAsset('pass-worker.js', 'text/javascript');
export const icon = readAsset('icon.svg', 'image/svg+xml');
