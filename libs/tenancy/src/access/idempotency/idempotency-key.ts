import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { problem } from '../../database/context/tenancy.problems.js';

/** Whether the header is supported: every POST of API version 2, and creating a place. */
export function honoursIdempotencyKey({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && /^\/api\/(v2\/|place\/?$)/i.test(path);
}

/**
 * The key of a request (draft-ietf-httpapi-idempotency-key-header): 1 to 255 visible ASCII characters or spaces, with or without the
 * quotation marks of a structured header; undefined when there is no such header.
 * @throws Problem 400 `idempotency.key_malformed`
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const values = request.headersDistinct['idempotency-key'];
  if (values === undefined) return undefined;
  const text = (values[0] ?? '').trim();
  const key = /^"(.*)"$/s.exec(text)?.[1] ?? text;
  if (values.length > 1 || !/^[\x20-\x7e]{1,255}$/.test(key)) throw problem('idempotency.key_malformed');
  return key;
}

/** Identifies a request: the same key is another request with another API key, or on another path. */
export function scopeHash(apiKeyId: string, request: Request, idempotencyKey: string): Buffer {
  const path = request.path.toLowerCase().replace(/\/+$/, '');
  return digest(JSON.stringify([apiKeyId, request.method, path, idempotencyKey]));
}

/** Hash of the request's content: query, body and files, independent of the order of members. The body must have been read. */
export function requestHash(request: Request): Buffer {
  const { body, formFiles } = request as Request & { body?: unknown };
  const at = request.url.indexOf('?');
  return digest(canonical([at === -1 ? '' : request.url.slice(at), body, formFiles]));
}

/** Recursion is safe, because bodies deeper than 20 levels are refused earlier. */
function canonical(value: unknown): string {
  if (value instanceof Uint8Array) return digest(value).toString('base64');
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

function digest(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
