import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { currentTenantId, FairLimit, serverBusy } from '#kernel';
import type { RequestHandler, Response } from 'express';
import { limits } from '../limits.js';
import { isPagePath } from './chosen-language.js';

/**
 * Lets a process work on a few pages at a time, so that scans and other requests of programs wait for few pages at most while hundreds of
 * people open some in the same second. Tenants and client networks take turns.
 */
@Injectable()
export class PageTurns {
  private readonly limit = new FairLimit({ ...limits.pages.turns, refuse: serverBusy });

  /** Must run inside of the request's scope. */
  readonly middleware: RequestHandler = (request, response, next) => {
    if (currentTenantId() === undefined || !isPagePath(request.path)) return next();
    this.take(response).then(() => next(), next);
  };

  /** Whether so many pages of the current tenant wait that work which may be done later should be. */
  isCrowded(): boolean {
    return this.limit.waitingNow() >= limits.crowdedPages.number;
  }

  private async take(response: Response): Promise<void> {
    const leave = await this.limit.enter(response);
    const end = (): void => {
      clearTimeout(timer);
      response.off('close', end);
      leave();
    };
    const timer = setTimeout(end, limits.pageLease.ms);
    response.once('close', end);
    // The page before this one may have ended in the same turn of the event loop.
    await setImmediate();
  }
}
