import compression from 'compression';
import type { Request, RequestHandler } from 'express';

/**
 * Whether a page of this host, or a person who typed the address, asked. Old browsers and other programs send no `Sec-Fetch-Site`; over
 * plain http, where nothing hides the text anyway, their answers are compressed, too.
 */
function compresses(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined ? !request.secure : site === 'same-origin' || site === 'none';
}

/**
 * Compresses pages and lists of the panel. An answer that mixes a secret with text of a foreign page would tell that page the secret
 * through its compressed length (BREACH): the foreign page makes the signed-in browser ask again and again, each time with another guess
 * in the address. So what another site or another host of this domain made the browser ask is sent as it is.
 */
export function panelCompression(): RequestHandler {
  return compression({ filter: (request, response) => compresses(request) && compression.filter(request, response) });
}
