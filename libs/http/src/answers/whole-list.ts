import { applyDecorators, createParamDecorator, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { FairLimit } from '#kernel';
import { limits } from '../limits.js';
import { defaultPageSize } from './paging.js';
import { settle } from './reply.js';

const wholeListKey = 'guichet:whole-list';

const wholeLists = new FairLimit(limits.wholeLists.turns);

/**
 * Limits a route that answers a whole table when no page is requested: some requests per tenant and in total run at once. Others wait, and
 * are refused with 429 `tenant.busy` after the time limit. Pages of the default length or shorter are not limited.
 */
export function WholeList({ pages = false }: WholeListOptions = {}): MethodDecorator {
  return applyDecorators(SetMetadata(wholeListKey, true), UseInterceptors(new WholeListInterceptor(pages)));
}

interface WholeListOptions {
  /** Also limits requests for short pages. For lists that ignore `page`, and for public lists. */
  readonly pages?: boolean;
}

/** Runs work within the limits of `@WholeList`. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Injects an `InTurn` into a handler that answers a list only in some cases. */
export const WhenListing = createParamDecorator((_options: unknown, context: ExecutionContext): InTurn => {
  const http = context.switchToHttp();
  const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
  return (work) => inTurnUnlessPaged(request, response, work);
});

function inTurnUnlessPaged<Result>({ query }: Request, response: Response, work: () => Promise<Result>): Promise<Result> {
  return isShortPage(query) ? work() : wholeLists.run(work, response);
}

/** A long page takes as long as a whole list. */
function isShortPage({ page, page_size: size }: Request['query']): boolean {
  if (page === undefined && size === undefined) return false;
  return size === undefined || Number(size) <= defaultPageSize;
}

/** Whether a route can answer a whole table. */
export function isWholeList(handler: object): boolean {
  return Reflect.getMetadata(wholeListKey, handler) === true;
}

class WholeListInterceptor implements NestInterceptor {
  constructor(private readonly pages: boolean) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const answer = async (): Promise<unknown> => settle(await lastValueFrom(next.handle(), { defaultValue: undefined }), response);
    return from(this.pages ? wholeLists.run(answer, response) : inTurnUnlessPaged(request, response, answer));
  }
}
