import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Language } from './language.js';
import { ScopeSlot } from './scope.js';

/** What is known of a request from its first moment on. */
export interface RequestContext {
  readonly requestId: string;
  /** Known as soon as the tenant is. */
  language?: Language;
  /** Known once a key or a session is accepted. */
  actor?: Actor;
}

/** Who does something, kept beside sales and payments: a member of staff or an API key. */
export type Actor =
  { readonly kind: 'staff'; readonly userId: string } | { readonly kind: 'key'; readonly keyId: string };

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

const slot = new ScopeSlot<RequestContext>('request');
const actorSlot = new ScopeSlot<Actor>('actor');

/** First of all: the request id. */
export const attachContext: RequestHandler = (request, response, next) => {
  const requestId = requestIdOf(request);
  request.context = { requestId };
  response.setHeader('X-Request-Id', requestId);
  next();
};

/** From here on `currentRequest` and `currentLanguage` know the request. Behind the body parser, whose events would lose the scope. */
export const enterRequest: RequestHandler = (request, _response, next) => slot.run(request.context, next);

/** The request being answered; undefined in jobs and commands. */
export function currentRequest(): RequestContext | undefined {
  return slot.get();
}

/** Who acts; undefined for visitors of public pages, for what a payment provider tells, and in jobs and commands. */
export function currentActor(): Actor | undefined {
  return actorSlot.get() ?? slot.get()?.actor;
}

/** Runs `work`, a job say, as somebody who asked for it earlier. */
export function runAsActor<Result>(actor: Actor, work: () => Result): Result {
  return actorSlot.run(actor, work);
}

/** The language to answer in; English outside a request. */
export function currentLanguage(): Language {
  return slot.get()?.language ?? 'en';
}

/** The caller's `X-Request-Id` when it is a sane one, else a new UUID. */
function requestIdOf(request: IncomingMessage): string {
  const offered = request.headers['x-request-id'];
  return typeof offered === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(offered) ? offered : randomUUID();
}
