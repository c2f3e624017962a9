import { RefusedInput } from '#kernel';
import { texts } from '../../locales/tenancy.texts.js';

/** The most origins of a key, and their longest text. */
const limits = { entries: 20, each: 255 };

/** Hosts of this machine. Browsers treat their pages as a secure context without TLS. */
const localHost = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Origins as browsers send them in `Origin` (RFC 6454): lower case, host in ASCII, no default port. Each once.
 * @throws RefusedInput on allowedOrigins when one is none: `https://host[:port]`, or `http` for this machine; no path, no `*`
 */
export function checkedOrigins(origins: readonly string[]): string[] {
  if (origins.length > limits.entries) {
    throw new RefusedInput('allowedOrigins', texts.localized('origins.tooMany', { entries: limits.entries }));
  }
  return [...new Set(origins.map((text) => checkedOrigin(text)))];
}

function checkedOrigin(text: string): string {
  const origin = text.length <= limits.each ? originOf(text) : undefined;
  if (origin !== undefined) return origin;
  const shown = text.slice(0, 60);
  throw new RefusedInput('allowedOrigins', texts.localized('origins.invalid', { shown }));
}

function originOf(text: string): string | undefined {
  // Checked first, because the URL parser silently removes or corrects such parts.
  if (!/^https?:\/\/[^/?#@\\*\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  return protocol === 'https:' || localHost.test(hostname) ? origin : undefined;
}
