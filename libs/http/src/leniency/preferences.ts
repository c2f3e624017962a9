import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** Whether a request has `Prefer: handling=lenient` (RFC 7240). */
export function prefersLenient({ headers }: IncomingMessage): boolean {
  return /(?:^|,)\s*handling\s*=\s*"?lenient"?\s*(?:[;,]|$)/i.test([headers['prefer'] ?? ''].flat().join());
}

/** How the body of an answer is wanted (`Prefer: return=…`); undefined without a wish. */
export function wantedBody(request: Request): 'minimal' | 'representation' | undefined {
  const [, wish] = /(?:^|,)\s*return\s*=\s*"?(minimal|representation)"?\s*(?:[;,]|$)/i.exec(request.get('Prefer') ?? '') ?? [];
  return wish?.toLowerCase() as 'minimal' | 'representation' | undefined;
}

/** Maximum number of members that the header names. */
const mostNamed = 50;
const longestPointer = 200;

/**
 * The header `Ignored-Members`: JSON pointers in the encoding of URI fragments (RFC 6901, section 6), as a list of texts (RFC 9651); after
 * the first 50 the token `more` with their number.
 */
export function ignoredMembersHeader(pointers: ReadonlySet<string>): string {
  const named = [...pointers].slice(0, mostNamed).map((pointer) => `"${inAscii(pointer.slice(0, longestPointer))}"`);
  return [...named, ...(pointers.size > mostNamed ? [`more;count=${pointers.size - mostNamed}`] : [])].join(', ');
}

function inAscii(pointer: string): string {
  return pointer.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
