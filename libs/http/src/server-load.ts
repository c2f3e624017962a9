import { Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { limits } from './limits.js';

const windowMs = limits.loadWindow.ms;
/** Average number of concurrent requests from which on the process may be busy … */
const requestsInQueue = 6;
/** … if it also answers this many per second. Otherwise the clients are slow, or requests hang. */
const answeredPerSecond = 100;

/** Measures whether many requests wait, so that less urgent work can be postponed. */
@Injectable()
export class ServerLoad {
  private underWay = 0;
  private answered = 0;
  /** Sum of concurrent requests over the milliseconds of the window. */
  private waited = 0;
  private changed = performance.now();
  private since = this.changed;
  private queue = false;
  private lastRequest = -Infinity;

  /** Counts requests. Must be the first middleware. */
  readonly middleware: RequestHandler = (_request, response, next) => {
    this.change(1);
    this.lastRequest = this.changed;
    response.once('close', () => {
      this.answered += 1;
      this.change(-1);
    });
    next();
  };

  /** Waits within a request for something that may take long to happen: in the meantime the request is no load. */
  async aside<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.change(-1);
    try {
      return await wait();
    } finally {
      this.change(1);
    }
  }

  /** Whether requests are waiting. */
  get busy(): boolean {
    const elapsed = performance.now() - this.since;
    if (elapsed >= windowMs) {
      this.change(0);
      this.queue = this.waited / elapsed >= requestsInQueue && this.answered / (elapsed / 1000) >= answeredPerSecond;
      this.answered = 0;
      this.waited = 0;
      this.since = this.changed;
    }
    return this.queue;
  }

  /** Whether people use this process: it got a request in the last second. Never so in a worker process. */
  get inUse(): boolean {
    return performance.now() - this.lastRequest < limits.recentRequest.ms;
  }

  private change(by: number): void {
    const now = performance.now();
    this.waited += this.underWay * (now - this.changed);
    this.changed = now;
    this.underWay += by;
  }
}
