import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { jsonFault, jsonProblem, type JsonFault } from './json-size.js';
import { kernelProblem as problem } from '#kernel';

export const jsonLimit = '1mb';

declare module 'express-serve-static-core' {
  interface Request {
    /** The bytes of a JSON body below `/payments/`, as they came: payment providers sign them. */
    rawBody?: Buffer;
  }
}

/** Only there, because keeping them doubles what a request holds. */
const keepsRawBody = /^\/payments\//i;

/**
 * Reads JSON bodies up to 1 MB. A request with a content type and no body counts as a request without body.
 * A form stays unread: `FormGuard` refuses it on every route but those of `@TakesForm`, which read it once it is known who asks.
 * Any other content type with a body is refused (415) instead of being silently ignored, and so is a compressed body: inflating it costs
 * much more than sending it.
 * Below `/payments/` the bytes are kept beside what they say (`request.rawBody`).
 */
export function jsonBody(): RequestHandler[] {
  const parse = express.json({ limit: jsonLimit, inflate: false, strict: false, type: isJson, verify: checkBytes });
  const refuseOthers: RequestHandler = (request, _response, next) => {
    if (hasBody(request) && hasContentCoding(request)) return next(unsupportedCoding());
    const read = !hasBody(request) || ((isJson(request) || formTypeOf(request) !== undefined) && isInUtf8(request));
    next(read ? undefined : problem('body.unsupported_type'));
  };
  return [refuseOthers, parse];
}

/** Looks at the bytes before anything decodes them, because decoding puts U+FFFD where bytes are no UTF-8. */
function checkBytes(request: IncomingMessage & { rawBody?: Buffer }, _response: ServerResponse, bytes: Buffer): void {
  // Express's parser wants an error that it can give a status.
  if (!isUtf8(bytes)) throw Object.assign(new Error('The body is not UTF-8.'), { type: notUtf8Type, status: 400 });
  refuseLargeJson(bytes);
  if (keepsRawBody.test(request.url ?? '')) request.rawBody = bytes;
}

/**
 * Refuses JSON that is larger than `jsonLimits` before it is parsed.
 * @param members at most in one object
 * @throws Error with status 400, which Express's parser hands on; see `problemOfHttpError`
 */
export function refuseLargeJson(bytes: Uint8Array, members?: number): void {
  const fault = jsonFault(bytes, members);
  if (fault) throw Object.assign(new Error('The body has too many values or levels.'), { type: fault, status: 400 });
}

const notUtf8Type = 'entity.not_utf8';
export const notUtf8 = (): ReturnType<typeof problem> => problem('request.text');

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws Problem 400 `request.text` when the bytes are no UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

function isInUtf8({ headers }: IncomingMessage): boolean {
  return isUtf8Type(headers['content-type'] ?? '');
}

/** Whether a content type names no charset, or UTF-8, or a part of it. */
export function isUtf8Type(type: string): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type) ?? [];
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
}

const jsonType = /^\s*application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i;
const formTypes = {
  multipart: /^\s*multipart\/form-data\s*(?:;|$)/i,
  urlencoded: /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i,
};

/** Which kind of form the body is; undefined when it is none, or when there is no body. */
export function formTypeOf(request: IncomingMessage): 'multipart' | 'urlencoded' | undefined {
  const type = request.headers['content-type'];
  if (type === undefined || !hasBody(request)) return undefined;
  if (formTypes.multipart.test(type)) return 'multipart';
  return formTypes.urlencoded.test(type) ? 'urlencoded' : undefined;
}

/** Whether a body is announced as compressed. No reader inflates one. */
export function hasContentCoding({ headers }: IncomingMessage): boolean {
  return !/^\s*(?:identity\s*)?$/i.test(headers['content-encoding'] ?? '');
}

/** `Accept-Encoding` says that the coding is the reason (RFC 9110, 15.5.16). */
function unsupportedCoding(): ReturnType<typeof problem> {
  return problem('body.unsupported_type', { headers: { 'Accept-Encoding': 'identity' } });
}

/** Whether a request announces a body of at least one byte, or of unknown length. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  return jsonType.test(request.headers['content-type'] ?? '');
}

/** What Express's body parser and router throw, in our problems; undefined when it is not theirs. */
export function problemOfHttpError(error: unknown): ReturnType<typeof problem> | undefined {
  const { type, status } = error as { type?: string; status?: number };
  switch (type) {
    case 'entity.parse.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return problem('body.malformed');
    case 'entity.too.large':
      return problem('body.too_large', { parameters: { limit: '1 MB' } });
    case notUtf8Type:
      return notUtf8();
    case 'body.too_deep' satisfies JsonFault:
    case 'body.too_many_values' satisfies JsonFault:
      return jsonProblem(type);
    case 'encoding.unsupported':
      return unsupportedCoding();
    case 'charset.unsupported':
      return problem('body.unsupported_type');
    default:
      break;
  }
  if (error instanceof URIError || status === 400) return problem('request.malformed');
  return undefined;
}
