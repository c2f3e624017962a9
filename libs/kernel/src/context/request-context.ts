import type { Language } from '../text/language.js';
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

const slot = new ScopeSlot<RequestContext>('request');
const actorSlot = new ScopeSlot<Actor>('actor');

/** Runs `work` so that `currentRequest` and `currentLanguage` know its request. */
export function runInRequest<Result>(context: RequestContext, work: () => Result): Result {
  return slot.run(context, work);
}

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
