import compression from 'compression';
import type { Request, RequestHandler } from 'express';

/**
 * Whether to compress the answer: only when a page of this host, or a user who typed the URL, sent the request. Without `Sec-Fetch-Site`
 * (old browsers, other programs) only plain http is compressed, which does not hide the content anyway.
 */
function compresses(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined ? !request.secure : site === 'same-origin' || site === 'none';
}

/**
 * Compresses pages and lists of the panel, except for requests that another site or another host of the domain caused. When an answer
 * contains a secret and text that an attacker chooses, its compressed length reveals the secret after many requests with different guesses
 * in the URL (BREACH).
 */
export function panelCompression(): RequestHandler {
  return compression({ filter: (request, response) => compresses(request) && compression.filter(request, response) });
}
