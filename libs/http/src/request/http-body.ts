import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { jsonFault, jsonProblem, type JsonFault } from './json-size.js';
import { kernelProblem as problem } from '#kernel';

export const jsonLimit = '1mb';
/** For requests without `Authorization`: no route for everybody needs more, and nothing limits them before their body is read. */
const anonymousLimit = '128kb';

declare module 'express-serve-static-core' {
  interface Request {
    /** The unparsed JSON body of requests below `/payments/`, because payment providers sign it. */
    rawBody?: Buffer;
  }
}

/** Only for these paths, because keeping the bytes doubles the memory of a request. */
const keepsRawBody = /^\/payments\//i;

/**
 * Parses JSON bodies up to 1 MB, without `Authorization` up to 128 kB. A content type without a body counts as no body.
 * A form stays unread: `BodyGuard` refuses it, except on routes with `@TakesForm`, which read it after authorisation.
 * Other content types with a body are refused (415) instead of ignored, and so are compressed bodies, because decompressing costs much more
 * than sending.
 * Below `/payments/` the bytes are kept as well (`request.rawBody`).
 */
export function jsonBody(): RequestHandler[] {
  const parser = (limit: string): RequestHandler =>
    express.json({ limit, inflate: false, strict: false, type: isJson, verify: checkBytes });
  const [parseLarge, parseSmall] = [parser(jsonLimit), parser(anonymousLimit)];
  const parse: RequestHandler = (request, response, next) =>
    (request.headers.authorization === undefined ? parseSmall : parseLarge)(request, response, next);
  const refuseOthers: RequestHandler = (request, _response, next) => {
    if (hasBody(request) && hasContentCoding(request)) return next(unsupportedCoding());
    const read = !hasBody(request) || ((isJson(request) || formTypeOf(request) !== undefined) && isInUtf8(request));
    next(read ? undefined : problem('body.unsupported_type'));
  };
  return [refuseOthers, parse];
}

/** Checks the bytes before decoding, because decoding replaces invalid UTF-8 with U+FFFD. */
function checkBytes(request: IncomingMessage & { rawBody?: Buffer }, _response: ServerResponse, bytes: Buffer): void {
  // Express's parser requires an error with a status.
  if (!isUtf8(bytes)) throw Object.assign(new Error('The body is not UTF-8.'), { type: notUtf8Type, status: 400 });
  refuseLargeJson(bytes);
  if (keepsRawBody.test(request.url ?? '')) request.rawBody = bytes;
}

/**
 * Refuses JSON that exceeds `jsonLimits` before it is parsed.
 * @param members maximum per object
 * @throws Error with status 400, which Express's parser passes on; see `problemOfHttpError`
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

/** Whether a content type has no charset, or UTF-8, or a subset of it. */
export function isUtf8Type(type: string): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type) ?? [];
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
}

const jsonType = /^\s*application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i;
const formTypes = {
  multipart: /^\s*multipart\/form-data\s*(?:;|$)/i,
  urlencoded: /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i,
};

/** The kind of form; undefined when the body is no form, or absent. */
export function formTypeOf(request: IncomingMessage): 'multipart' | 'urlencoded' | undefined {
  const type = request.headers['content-type'];
  if (type === undefined || !hasBody(request)) return undefined;
  if (formTypes.multipart.test(type)) return 'multipart';
  return formTypes.urlencoded.test(type) ? 'urlencoded' : undefined;
}

/** Whether the headers announce a compressed body. No reader decompresses. */
export function hasContentCoding({ headers }: IncomingMessage): boolean {
  return !/^\s*(?:identity\s*)?$/i.test(headers['content-encoding'] ?? '');
}

/** `Accept-Encoding` tells the client that the encoding is the reason (RFC 9110, 15.5.16). */
function unsupportedCoding(): ReturnType<typeof problem> {
  return problem('body.unsupported_type', { headers: { 'Accept-Encoding': 'identity' } });
}

/** Whether the headers announce a body of at least one byte, or of unknown length. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  return jsonType.test(request.headers['content-type'] ?? '');
}

/** @param bytes default: 1 MB */
function sizeInWords(bytes = 1024 * 1024): string {
  return bytes < 1_000_000 ? `${Math.floor(bytes / 1024)} kB` : '1 MB';
}

/** Converts errors of Express's body parser and router to problems; undefined for other errors. */
export function problemOfHttpError(error: unknown): ReturnType<typeof problem> | undefined {
  const { type, status } = error as { type?: string; status?: number };
  switch (type) {
    case 'entity.parse.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return problem('body.malformed');
    case 'entity.too.large':
      return problem('body.too_large', { parameters: { limit: sizeInWords((error as { limit?: number }).limit) } });
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
