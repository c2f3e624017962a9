import type { Request, Response } from 'express';
import { entityTag } from './entity-tag.js';
import { JsonList } from './json-list.js';
import { prefersLenient, wantedBody } from '../leniency/preferences.js';

/**
 * Sets the headers `ETag` and `Last-Modified`. Express then answers 304 to a GET whose `If-None-Match`, or else `If-Modified-Since`,
 * matches. Call it before `return answer`.
 */
export function showValidators(response: Response, answer: object, modified?: Date): void {
  show(response, entityTag(answer), modified);
}

/**
 * `showValidators` for a list. The tag is weak, because lists are sent with and without compression, and no change depends on a list's tag.
 */
export function showListValidators(response: Response, list: object | JsonList): void {
  show(response, `W/${list instanceof JsonList ? list.entityTag : entityTag(list)}`);
}

function show(response: Response, tag: string, modified?: Date): void {
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' }).vary('Accept-Language');
  if (modified) response.set('Last-Modified', modified.toUTCString());
}

/**
 * The body of a successful POST or PATCH: the object; with `Prefer: return=minimal` (RFC 7240) no body, and 204 instead of 200.
 * @param appliesLenient the route follows `handling=lenient`
 */
export function applyPrefer<Answer extends object>(
  request: Request,
  response: Response,
  answer: Answer,
  appliesLenient: boolean,
): Answer | undefined {
  response.vary('Prefer');
  const wish = wantedBody(request);
  const applied = [wish && `return=${wish}`, appliesLenient && prefersLenient(request) && 'handling=lenient'].filter(Boolean);
  if (applied.length > 0) response.set('Preference-Applied', applied.join(', '));
  if (wish !== 'minimal') return answer;
  if (response.statusCode === 200) response.status(204);
  return undefined;
}
