import { isFromThisSite, negotiateLanguage } from '#http';
import type { Text } from '#kernel';
import type { Request, RequestHandler, Response } from 'express';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const REFUSAL: Text = {
  en: 'This request did not come from a page of this site, so nothing was done. Open the panel and try again.',
  fr: 'Cette demande ne vient pas d’une page de ce site : rien n’a été fait. Ouvrez le panneau et recommencez.',
};

/**
 * Answers 403 to unsafe methods that no page of this host sent, so that a form on another site, also a multipart one, cannot use the user's
 * cookie. Must run before the body is read.
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
