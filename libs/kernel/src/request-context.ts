import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Language } from './language.js';

/** What every step of a request may ask for without it being handed down. */
export interface RequestContext {
  readonly requestId: string;
  language: Language;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function runInRequest<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** The request being answered; undefined in jobs and commands. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** The language to answer in; English outside a request. */
export function currentLanguage(): Language {
  return storage.getStore()?.language ?? 'en';
}

/** The request id to answer with: the caller's `X-Request-Id` when it is a sane one, else a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const offered = request.headers['x-request-id'];
  return typeof offered === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(offered) ? offered : randomUUID();
}
