import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/** The hash of the empty text: some controls open an empty style element and fill it through the object model. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** The content policy of every page of the panel: its own host, and inline only what carries the nonce. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}' ${EMPTY_STYLE}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The nonce that {@link panelHeaders} made for this answer. */
export const nonceOf = (response: Response): string => String(response.locals['nonce']);

/** A fresh nonce in `res.locals.nonce` and the headers that every answer of the panel carries. */
export function panelHeaders(): RequestHandler {
  return (_request, response, next) => {
    const nonce = randomBytes(16).toString('base64');
    response.locals['nonce'] = nonce;
    response.set({
      'Content-Security-Policy': policy(nonce),
      'X-Content-Type-Options': 'nosniff',
      // Not `no-referrer`: with it browsers blank the Origin header that the same-origin check reads.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
      'Cache-Control': 'no-store',
    });
    next();
  };
}
