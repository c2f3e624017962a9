import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { currentTenantId, FairLimit, serverBusy } from '#kernel';
import type { RequestHandler, Response } from 'express';
import { isPagePath } from './chosen-language.js';

/** Pages that a process works on at the same time, in all and for one tenant. */
const atOnce = { total: 8, each: 6 };
/** Requests of a tenant that wait, of these those of one client network, and the longest wait. */
const limits = { ...atOnce, waiting: 4000, waitingOfNetwork: 1000, waitMs: 30_000, refuse: serverBusy };
/** A page that takes longer waits for something else, such as a payment provider or a lock. It then counts no more. */
const leaseMs = 500;
/** From this many waiting requests of a tenant on, its pages are crowded. They wait for some tenths of a second up to there. */
const crowd = 50;

/**
 * Lets a process work on a few pages at a time, so that scans and other requests of programs wait for few pages at most while hundreds of
 * people open some in the same second. Tenants and client networks take turns.
 */
@Injectable()
export class PageTurns {
  private readonly limit = new FairLimit(limits);

  /** Must run inside of the request's scope. */
  readonly middleware: RequestHandler = (request, response, next) => {
    if (currentTenantId() === undefined || !isPagePath(request.path)) return next();
    this.take(response).then(() => next(), next);
  };

  /** Whether so many pages of the current tenant wait that work which may be done later should be. */
  isCrowded(): boolean {
    return this.limit.waitingNow() >= crowd;
  }

  private async take(response: Response): Promise<void> {
    const leave = await this.limit.enter(response);
    const end = (): void => {
      clearTimeout(timer);
      response.off('close', end);
      leave();
    };
    const timer = setTimeout(end, leaseMs);
    response.once('close', end);
    // The page before this one may have ended in the same turn of the event loop.
    await setImmediate();
  }
}
