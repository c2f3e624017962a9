import type { Request, Response } from 'express';
import { entityTag } from './entity-tag.js';
import { JsonList } from './json-list.js';
import { kernelProblem as problem } from '#kernel';

/** What the conditions of a request are decided against. */
export interface Validators {
  /** The entity tags that what is stored has in its answers: one for each language, say. */
  readonly tags: readonly string[];
  readonly modified?: Date;
}

/**
 * Shows an answer's validators. Express then answers 304 to a GET whose `If-None-Match`, or else `If-Modified-Since`, says that the caller
 * has it already. Call it beside `return answer`.
 */
export function showValidators(response: Response, answer: object, modified?: Date): void {
  show(response, entityTag(answer), modified);
}

/** The same for a list. Its tag is weak: lists are sent compressed and not, and nothing is changed on condition of one. */
export function showListValidators(response: Response, list: object | JsonList): void {
  show(response, `W/${list instanceof JsonList ? list.entityTag : entityTag(list)}`);
}

function show(response: Response, tag: string, modified?: Date): void {
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' }).vary('Accept-Language');
  if (modified) response.set('Last-Modified', modified.toUTCString());
}

/**
 * Decides `If-Match`, `If-None-Match` and `If-Unmodified-Since` of a request that changes something (RFC 9110, section 13). Call it under
 * the lock of the change: of two callers who saw the same state, one changes it.
 * @throws Problem 412 `precondition.failed`, with the current entity tag
 */
export function checkPreconditions(request: Request, { tags, modified }: Validators): void {
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': since } = request.headers;
  const changed =
    match === undefined
      ? since !== undefined && modified !== undefined && isLater(modified, since)
      : !names(match, tags);
  if (changed || (noneMatch !== undefined && names(noneMatch.replace(/\bW\//g, ''), tags))) {
    throw problem('precondition.failed', { headers: tags[0] === undefined ? {} : { ETag: tags[0] } });
  }
}

/**
 * What a successful POST or PATCH answers: the object, or with `Prefer: return=minimal` (RFC 7240) no body, and 204 instead of 200.
 */
export function applyPrefer<Answer extends object>(
  request: Request,
  response: Response,
  answer: Answer,
): Answer | undefined {
  response.vary('Prefer');
  const [, wish] =
    /(?:^|,)\s*return\s*=\s*"?(minimal|representation)"?\s*(?:[;,]|$)/i.exec(request.get('Prefer') ?? '') ?? [];
  if (wish) response.set('Preference-Applied', `return=${wish.toLowerCase()}`);
  if (wish?.toLowerCase() !== 'minimal') return answer;
  if (response.statusCode === 200) response.status(204);
  return undefined;
}

/** Whether a list of entity tags names one of these. A weak tag does not promise the same bytes and names none. */
function names(list: string, tags: readonly string[]): boolean {
  if (list.trim() === '*') return true;
  const listed = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((tag) => tags.includes(tag));
}

/** HTTP dates have no fraction of a second. A date that is none decides nothing. */
function isLater(instant: Date, httpDate: string): boolean {
  return Math.floor(instant.getTime() / 1000) * 1000 > Date.parse(httpDate);
}
