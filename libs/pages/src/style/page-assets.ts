import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface PageAsset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** Read once at the start; the name contains a hash of the content, so that browsers may cache it forever. */
function readAsset(name: string, type: string): PageAsset {
  const content = readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');
  const [stem, extension] = name.split('.') as [string, string];
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/assets/${stem}.${hash}.${extension}`, type, content };
}

export const stylesheet = readAsset('pages.css', 'text/css');
export const bookingScript = readAsset('booking.js', 'text/javascript');
export const addressScript = readAsset('address.js', 'text/javascript');
export const icon = readAsset('icon.svg', 'image/svg+xml');
