import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { kernelProblem as problem } from '#kernel';

/** What the conditions of a request are decided against. */
export interface Validators {
  /** The entity tags that what is stored has in its answers: one for each language, say. */
  readonly tags: readonly string[];
  readonly modified?: Date;
}

const preconditionsKey = 'guichet:preconditions';

/** `If-Match`, `If-None-Match` and `If-Unmodified-Since` of a request that changes something. */
export class Preconditions {
  constructor(private readonly request: Pick<Request, 'headers'>) {}

  /**
   * Call it under the lock of the change: of two callers who saw the same state, one changes it.
   * @throws Problem 412 `precondition.failed`, with the current entity tag
   */
  check(validators: Validators): void {
    decide(this.request, validators);
  }
}

const fromRequest = createParamDecorator(
  (_options: unknown, context: ExecutionContext) => new Preconditions(context.switchToHttp().getRequest<Request>()),
);

/** Hands a handler the conditions of its request. The API document then describes `If-Match` and its relatives as parameters. */
export function IfMatch(): ParameterDecorator {
  return (target, name, index) => {
    fromRequest()(target, name, index);
    const handler = (target as Record<string | symbol, object>)[name as string];
    Reflect.defineMetadata(preconditionsKey, true, handler as object);
  };
}

/** Whether a route reads the conditions of its requests. */
export function readsPreconditions(handler: object): boolean {
  return Reflect.getMetadata(preconditionsKey, handler) === true;
}

/** RFC 9110, section 13. */
function decide(request: Pick<Request, 'headers'>, { tags, modified }: Validators): void {
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': since } = request.headers;
  const changed = match === undefined ? since !== undefined && modified !== undefined && isLater(modified, since) : !names(match, tags);
  if (changed || (noneMatch !== undefined && names(noneMatch.replace(/\bW\//g, ''), tags))) {
    throw problem('precondition.failed', { headers: tags[0] === undefined ? {} : { ETag: tags[0] } });
  }
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
