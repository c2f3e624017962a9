import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import { applyPrefer, showListValidators, showValidators } from './conditional.js';
import { JsonList } from './json-list.js';
import { showPages, type Page } from './paging.js';
import { appliesPrefer, versioningOf } from './versioned.js';

/** What an answer says beside its body. */
export interface ReplyHead {
  /** Default: that of the route. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further request headers on which the answer depends. */
  readonly vary?: string;
  /** The path of what was created. */
  readonly location?: string;
  /** What the entity tag is made of on a route of `@Versioned`; default the body. */
  readonly version?: object;
  /** When the object changed last, on a route of `@Versioned`. */
  readonly modified?: Date;
  /** The page of a list that was asked for, and the length of the whole list. */
  readonly page?: { readonly page: Page | undefined; readonly total: number };
  /** Where a `JsonList` stands in the answer; without it the list is the answer. */
  readonly member?: string;
}

/**
 * A body with what its answer says beside it. A handler returns it; the headers are set behind the handler.
 * A body that is a function is only called when the caller does not have that version yet.
 */
export class Reply<Body = unknown> {
  constructor(
    readonly body: Body | (() => Promise<Body>),
    readonly head: ReplyHead = {},
  ) {}
}

/** Leads a caller to another address. */
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

/** Turns what handlers return as a `Reply` into headers and a body. Runs inside of the one that keeps answers of repeated requests. */
export class ReplyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(mergeMap((value) => settle(value, context)));
  }
}

/** Sets the headers that a handler's value asks for. @returns the body to send; every other value as it is */
export async function settle(value: unknown, context: ExecutionContext): Promise<unknown> {
  if (!(value instanceof Reply)) return value;
  const http = context.switchToHttp();
  const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
  const { status, headers = {}, vary, location, modified, page, member, version } = (value as Reply).head;
  if (status !== undefined) response.status(status);
  if (location !== undefined) response.location(location);
  if (page) showPages(request, response, page.page, page.total);
  const body: unknown = value.body;
  const versioning = versioningOf(context.getHandler());
  if (versioning) {
    const shown = version ?? (body as object);
    if (versioning.list) showListValidators(response, shown);
    else showValidators(response, shown, modified);
    if (versioning.cache) response.set('Cache-Control', versioning.cache);
  }
  response.set(headers);
  if (vary !== undefined) response.vary(vary);
  const whole = typeof body === 'function' ? await unlessFresh(body as () => Promise<unknown>, request, response) : body;
  if (whole instanceof JsonList) return whole.answer(response, member);
  return appliesPrefer(context.getHandler()) ? applyPrefer(request, response, whole as object) : whole;
}

/** The body, or nothing and 304 when the caller has this version already. */
function unlessFresh(body: () => Promise<unknown>, request: Request, response: Response): Promise<unknown> {
  if (!request.fresh) return body();
  response.status(304);
  return Promise.resolve(undefined);
}
