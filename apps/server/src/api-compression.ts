import compression from 'compression';
import type { RequestHandler } from 'express';

/**
 * Compresses the answers of the API from 1 kB on. Compressed length tells nothing about secrets here (BREACH): a key stands in a header
 * that no foreign page can make a browser send, and cookies do not count below `/api`.
 *
 * An answer with a strong entity tag is sent as it is: the tag promises these very bytes, and `If-Match` takes only strong ones. Lists
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
