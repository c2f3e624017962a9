import compression from 'compression';
import type { RequestHandler } from 'express';

/**
 * Compresses API answers of 1 kB or more. Compressed lengths reveal no secrets here (BREACH): a key is sent in a header that no foreign
 * page can set, and cookies are ignored below `/api`.
 *
 * An answer with a strong entity tag is not compressed: the tag guarantees these bytes, and `If-Match` accepts only strong ones. Lists
 * have weak tags.
 */
export function apiCompression(): RequestHandler {
  return compression({
    filter: (request, response) => {
      const tag = response.getHeader('ETag');
      return (typeof tag !== 'string' || tag.startsWith('W/')) && compression.filter(request, response);
    },
  });
}
