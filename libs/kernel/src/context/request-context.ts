import type { Language } from '../locales/language.js';
import { ScopeSlot } from './scope.js';

/** A client that waits for the result of work, for example a response. */
export interface WaitingClient {
  /** True when the client is gone; `close` is then not emitted any more. */
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Data of a request that is known from its start. */
export interface RequestContext {
  readonly requestId: string;
  /** Emits `close` when the request is answered or the client is gone. */
  readonly client?: WaitingClient;
  /** The client's address. Express applies `X-Forwarded-For` only from `TRUSTED_PROXIES`. */
  readonly ip?: string | undefined;
  /** A program of this machine sent it, not through a proxy. */
  readonly isOwnMachine?: boolean;
  /** Set as soon as the tenant is known. */
  language?: Language;
  /** Path and query, for links back to the same page. Set with the language. */
  address?: string;
  /** The header `Cookie`. Set with the language. */
  cookie?: string | undefined;
  /** Set when a key or a session is accepted. */
  actor?: Actor;
  /** The actor's key was not looked up for this request: its first transaction checks it. */
  keyUnchecked?: boolean;
  /** The caller prefers that members of the body that are not known are ignored (`Prefer: handling=lenient`, RFC 7240). */
  readonly isLenient?: boolean;
  /** JSON pointers of the members of the body that were accepted and have no meaning here. */
  ignoredMembers?: Set<string>;
}

/** The author of a change: a member of staff, with the support visit of an operator, an API key or a scanning device. */
export type Actor =
  | { readonly kind: 'staff'; readonly userId: string; readonly visitId?: string }
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'device'; readonly deviceId: string };

const slot = new ScopeSlot<RequestContext>('request');
const actorSlot = new ScopeSlot<Actor>('actor');
const jobSlot = new ScopeSlot<string>('job');

/** Runs `work` with this request as `currentRequest` and its language as `currentLanguage`. */
export function runInRequest<Result>(context: RequestContext, work: () => Result): Result {
  return slot.run(context, work);
}

/** Runs `work` in the current tenant for nobody in particular: without request, as work whose result several requests use. */
export function withoutRequest<Result>(work: () => Result): Result {
  return slot.get() ? slot.run(undefined as never, work) : work();
}

/** The request being answered; undefined in jobs and commands. */
export function currentRequest(): RequestContext | undefined {
  return slot.get();
}

/** The client that waits for the current answer, for limits with a queue; undefined in jobs and commands. */
export function currentClient(): WaitingClient | undefined {
  return slot.get()?.client;
}

/** The current actor; undefined for visitors of public pages, for events of a payment provider, and in jobs and commands. */
export function currentActor(): Actor | undefined {
  return actorSlot.get() ?? slot.get()?.actor;
}

/** Runs `work`, for example a job, as the person who requested it earlier. */
export function runAsActor<Result>(actor: Actor, work: () => Result): Result {
  return actorSlot.run(actor, work);
}

/** Runs background work. @param job its name in the record of changes */
export function runAsJob<Result>(job: string, work: () => Result): Result {
  return jobSlot.run(job, work);
}

/** The name of the background work; undefined in requests and commands. */
export function currentJob(): string | undefined {
  return jobSlot.get();
}

/** The language of the current request; English outside a request. */
export function currentLanguage(): Language {
  return slot.get()?.language ?? 'en';
}

/** Whether the caller of the current request prefers that unknown members are ignored. */
export function isLenient(): boolean {
  return slot.get()?.isLenient ?? false;
}

/** Notes a member of the body that is accepted and has no meaning here; the answer names it. */
export function ignoreMember(pointer: string): void {
  const request = slot.get();
  if (request) (request.ignoredMembers ??= new Set()).add(pointer);
}
