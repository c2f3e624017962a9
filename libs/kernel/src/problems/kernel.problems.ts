import { defineProblems } from './problem.js';
import { texts } from '../locales/kernel.texts.js';

/** Problems of the HTTP layer, before a domain is involved. */
export const problem = defineProblems(texts, {
  'request.malformed': { status: 400 },
  'request.host': { status: 400 },
  'request.text': { status: 400 },
  'request.too_many_parameters': { status: 400 },
  'request.headers_too_large': { status: 431 },
  'request.too_slow': { status: 408 },
  'request.expectation': { status: 417 },
  'request.origin': { status: 403 },
  'body.malformed': { status: 400 },
  'body.too_deep': { status: 400 },
  'body.too_many_values': { status: 400 },
  'body.invalid': { status: 400 },
  'query.invalid': { status: 400 },
  'body.too_large': { status: 413 },
  'body.too_slow': { status: 408 },
  'body.unsupported_type': { status: 415 },
  'rate.limited': { status: 429 },
  'tenant.busy': { status: 429 },
  'route.unknown': { status: 404 },
  'route.method': { status: 405 },
  'precondition.failed': { status: 412 },
  'server.failure': { status: 500 },
  'server.busy': { status: 503 },
  'server.unavailable': { status: 503 },
});
