import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { kernelProblem as problem } from '#kernel';

/** The current state that the conditions of a request are compared with. */
export interface Validators {
  /** The entity tags of the stored object in its answers, such as one per language. */
  readonly tags: readonly string[];
  readonly modified?: Date;
}

const preconditionsKey = 'guichet:preconditions';

/** `If-Match`, `If-None-Match` and `If-Unmodified-Since` of a changing request. */
export class Preconditions {
  constructor(private readonly request: Pick<Request, 'headers'>) {}

  /**
   * Call it while holding the lock of the change, so that of two callers who read the same state only one succeeds.
   * @throws Problem 412 `precondition.failed`, with the current entity tag
   */
  check(validators: Validators): void {
    decide(this.request, validators);
  }
}

const fromRequest = createParamDecorator(
  (_options: unknown, context: ExecutionContext) => new Preconditions(context.switchToHttp().getRequest<Request>()),
);

/** Injects the conditions of the request. The API document then describes `If-Match` and the others as parameters. */
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

/** Whether a list of entity tags contains one of these. Weak tags never match, because they do not guarantee equal bytes. */
function names(list: string, tags: readonly string[]): boolean {
  if (list.trim() === '*') return true;
  const listed = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return listed.some((tag) => tags.includes(tag));
}

/** Compares in whole seconds, because HTTP dates have no fraction. False for an invalid date. */
function isLater(instant: Date, httpDate: string): boolean {
  return Math.floor(instant.getTime() / 1000) * 1000 > Date.parse(httpDate);
}
