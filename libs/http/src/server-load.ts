import { Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';

/** Judged anew after so long. */
const windowMs = 250;
/** So many requests under way at once, on average, are a queue … */
const requestsInQueue = 6;
/** … if so many a second are answered as well: clients that send slowly, or hang, are none. */
const answeredPerSecond = 100;

/** Whether this process has its hands full with requests, so that work which can wait does. */
@Injectable()
export class ServerLoad {
  private underWay = 0;
  private answered = 0;
  /** Requests under way, summed over the milliseconds of the window. */
  private waited = 0;
  private changed = performance.now();
  private since = this.changed;
  private queue = false;

  /** Counts requests; first of all, so that none is missed. */
  readonly middleware: RequestHandler = (_request, response, next) => {
    this.change(1);
    response.once('close', () => {
      this.answered += 1;
      this.change(-1);
    });
    next();
  };

  /** People are waiting. */
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

  private change(by: number): void {
    const now = performance.now();
    this.waited += this.underWay * (now - this.changed);
    this.changed = now;
    this.underWay += by;
  }
}
