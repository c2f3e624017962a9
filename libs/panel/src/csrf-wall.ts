import { negotiateLanguage } from '#kernel';
import type { Text } from '#kernel';
import type { Request, RequestHandler, Response } from 'express';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const REFUSAL: Text = {
  en: 'This request did not come from a page of this site, so nothing was done. Open the panel and try again.',
  fr: 'Cette demande ne vient pas d’une page de ce site : rien n’a été fait. Ouvrez le panneau et recommencez.',
};

/** The host of an `Origin` header; null for `null`, a malformed one or none. */
function originHost(origin: string | undefined): string | null {
  try {
    return origin ? new URL(origin).host : null;
  } catch {
    return null;
  }
}

/**
 * Whether a page of this very host sent the request. Browsers say so in `Sec-Fetch-Site`, which no page can forge;
 * older ones, and every browser on plain http, only send `Origin`.
 */
export function isFromThisSite(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const host = request.host;
  return host !== undefined && originHost(request.headers.origin) === host.toLowerCase();
}

/**
 * Refuses with 403 every unsafe method that no page of this host sent: a form on a foreign page, also a multipart one,
 * cannot act with the user's cookie. Stands before the body is read.
 */
export function csrfWall(): RequestHandler {
  return (request: Request, response: Response, next) => {
    if (SAFE.has(request.method) || isFromThisSite(request)) {
      next();
      return;
    }
    response
      .status(403)
      .set('Cache-Control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(REFUSAL[negotiateLanguage(request, undefined)]);
  };
}
