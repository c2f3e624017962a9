import { isFromThisSite, negotiateLanguage } from '#http';
import type { Text } from '#kernel';
import type { Request, RequestHandler, Response } from 'express';
import { texts } from '../locales/panel-kit.texts.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const REFUSAL: Text = texts.localized('sameOriginCheck.refusal');

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
