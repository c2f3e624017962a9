import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/** The hash of an empty text: some controls insert an empty style element and fill it through the CSSOM. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Content security policy of every page of the panel: only its own host, and inline elements only with the nonce. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}' ${EMPTY_STYLE}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    // The preview of a mail.
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The nonce that {@link panelHeaders} created for this response. */
export const nonceOf = (response: Response): string => String(response.locals['nonce']);

/** Creates a nonce in `res.locals.nonce` and sets the headers of every response of the panel. */
export function panelHeaders(): RequestHandler {
  return (_request, response, next) => {
    const nonce = randomBytes(16).toString('base64');
    response.locals['nonce'] = nonce;
    response.set({
      'Content-Security-Policy': policy(nonce),
      'X-Content-Type-Options': 'nosniff',
      // Not `no-referrer`: with it browsers send `Origin: null`, which the same-origin check refuses.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
      'Cache-Control': 'no-store',
    });
    next();
  };
}
