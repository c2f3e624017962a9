import { applyDecorators, createParamDecorator, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { FairLimit } from '#kernel';
import { usualPage } from './paging.js';
import { settle } from './reply.js';

const wholeListKey = 'guichet:whole-list';

/**
 * Each holds a connection and work of the event loop for as long as its table is long: two of a tenant leave it connections for its door,
 * and four in all leave the process time for everybody.
 */
const wholeLists = new FairLimit({ total: 4, each: 2, waiting: 200, waitMs: 10_000 });

/**
 * A route that answers a whole table when no page is asked for. So many run at once, in all and for each tenant; the rest waits for its
 * turn and is refused (429 `tenant.busy`) when that does not come. Pages of the usual length or shorter are not limited.
 */
export function WholeList({ pages = false }: WholeListOptions = {}): MethodDecorator {
  return applyDecorators(SetMetadata(wholeListKey, true), UseInterceptors(new WholeListInterceptor(pages)));
}

interface WholeListOptions {
  /** Requests for a short page are limited, too: for lists that have no pages and ignore `page`, and for those that everybody may read. */
  readonly pages?: boolean;
}

/** Does work under the limits of `@WholeList`. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Hands a handler that lists only sometimes an `InTurn` for that work. */
export const WhenListing = createParamDecorator((_options: unknown, context: ExecutionContext): InTurn => {
  const http = context.switchToHttp();
  const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
  return (work) => inTurnUnlessPaged(request, response, work);
});

function inTurnUnlessPaged<Result>({ query }: Request, response: Response, work: () => Promise<Result>): Promise<Result> {
  return isShortPage(query) ? work() : wholeLists.run(work, response);
}

/** A long page costs as much as a list. */
function isShortPage({ page, page_size: size }: Request['query']): boolean {
  if (page === undefined && size === undefined) return false;
  return size === undefined || Number(size) <= usualPage;
}

/** Whether a route may answer a whole table. */
export function isWholeList(handler: object): boolean {
  return Reflect.getMetadata(wholeListKey, handler) === true;
}

class WholeListInterceptor implements NestInterceptor {
  constructor(private readonly pages: boolean) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const answer = async (): Promise<unknown> => settle(await lastValueFrom(next.handle(), { defaultValue: undefined }), context);
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    return from(this.pages ? wholeLists.run(answer, response) : inTurnUnlessPaged(request, response, answer));
  }
}
