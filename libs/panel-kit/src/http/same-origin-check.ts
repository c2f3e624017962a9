import { isFromThisSite, negotiateLanguage } from '#http';
import type { Text } from '#kernel';
import type { Request, RequestHandler, Response } from 'express';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const REFUSAL: Text = {
  en: 'This request did not come from a page of this site, so nothing was done. Open the panel and try again.',
  fr: 'Cette demande ne vient pas d’une page de ce site : rien n’a été fait. Ouvrez le panneau et recommencez.',
};

/**
 * Refuses with 403 every unsafe method that no page of this host sent: a form on a foreign page, also a multipart one,
 * cannot act with the user's cookie. Stands before the body is read.
 */
export function sameOriginCheck(): RequestHandler {
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
