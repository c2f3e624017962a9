import type { Request, Response } from 'express';
import { applyPrefer, showListValidators, showValidators } from './conditional.js';
import { JsonList } from './json-list.js';
import { showPages, type Page } from './paging.js';
import { ignoredMembersHeader } from '../leniency/preferences.js';
import { appliesPrefer, readsFound, versioningOf } from './versioned.js';

/** Status and headers of an answer. */
export interface ReplyHead {
  /** Default: the route's status. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Request headers on which the answer depends (`Vary`). */
  readonly vary?: string;
  /** Path of the created object. */
  readonly location?: string;
  /** The object that the entity tag of a `@Versioned` route is computed from; default: the body. */
  readonly version?: object;
  /** Last change of the object, on a `@Versioned` route. */
  readonly modified?: Date;
  /** The requested page of a list, and the length of the whole list. */
  readonly page?: { readonly page: Page | undefined; readonly total: number };
  /** Name of the member that contains a `JsonList`; without it the list is the whole answer. */
  readonly member?: string;
}

/**
 * A body with status and headers. Returned by handlers; the HTTP adapter sends it with `settle`. A body that is a function is called only
 * when the client does not have the current version.
 */
export class Reply<Body = unknown> {
  constructor(
    readonly body: Body | (() => Promise<Body>),
    readonly head: ReplyHead = {},
  ) {}
}

/** A redirect. */
export class Redirection {
  constructor(
    readonly status: 301 | 302 | 303,
    readonly address: string,
  ) {}
}

/** Short for `new Reply(body, head)`. */
export function reply<Body>(body: Body | (() => Promise<Body>), head: ReplyHead = {}): Reply<Body> {
  return new Reply(body, head);
}

/** A redirect after a form or to a personal page, which no cache may keep. */
export function seeOther(address: string): Reply<Redirection> {
  return reply(new Redirection(303, address), { headers: { 'Cache-Control': 'no-store' } });
}

declare module 'express-serve-static-core' {
  interface Request {
    /** The method of the controller that answers. Set by `BodyGuard`, because the HTTP adapter does not know it. */
    handler?: object;
  }
}

/** Sets the headers of a `Reply`, by the decorators of the route. @returns the body to send; other values unchanged */
export async function settle(value: unknown, response: Response): Promise<unknown> {
  if (!(value instanceof Reply)) return value;
  const request = response.req;
  const handler = request.handler ?? noHandler;
  const { status, headers = {}, vary, location, modified, page, member, version } = value.head;
  if (status !== undefined) response.status(status);
  if (location !== undefined) response.location(location);
  if (page) showPages(request, response, page.page, page.total);
  const body: unknown = value.body;
  const versioning = versioningOf(handler);
  if (versioning) {
    const shown = version ?? (body as object);
    if (versioning.list) showListValidators(response, shown);
    else showValidators(response, shown, modified);
    if (versioning.cache) response.set('Cache-Control', versioning.cache);
  }
  response.set(headers);
  if (vary !== undefined) response.vary(vary);
  const { ignoredMembers } = request.context ?? {};
  if (ignoredMembers) response.set('Ignored-Members', ignoredMembersHeader(ignoredMembers));
  const whole = typeof body === 'function' ? await unlessFresh(body as () => Promise<unknown>, request, response) : body;
  if (whole instanceof JsonList) return whole.answer(response, member);
  return appliesPrefer(handler) ? applyPrefer(request, response, whole as object, readsFound(handler)) : whole;
}

/** Stands for a handler without decorators. */
const noHandler = {};

/** The body, or none with status 304 when the client has this version. */
function unlessFresh(body: () => Promise<unknown>, request: Request, response: Response): Promise<unknown> {
  if (!request.fresh) return body();
  response.status(304);
  return Promise.resolve(undefined);
}
