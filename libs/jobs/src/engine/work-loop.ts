import { setTimeout as pass } from 'node:timers/promises';
import { withoutContext } from '#kernel';
import { limits } from '../limits.js';

export interface WorkLoopOptions {
  /** Claims due work and starts it. @returns true when more may be due; another round follows at once */
  readonly round: () => Promise<boolean>;
  /** Called when a round fails, for example without database. The next poll tries again. */
  readonly onError: (error: unknown) => void;
  /** Interval of rounds without a signal, in milliseconds. */
  readonly pollMs: number;
  /** Subscribe to signals (of the database or of this process) that start a round. @returns a function that unsubscribes */
  readonly wakers?: ((wake: () => void) => () => void)[];
  /** Minimum time between the starts of two rounds, in milliseconds; default 0. */
  readonly gapMs?: () => number;
  /** Renews the leases of running work. */
  readonly renewal?: { readonly everyMs: number; readonly renew: () => Promise<void> };
}

/**
 * Runs rounds of background work, one at a time, on a timer or a signal. Work that a round starts continues during later rounds. Any number
 * of processes can run the same loop: leases in the database, which the rounds claim, give each piece of work to one process.
 */
export class WorkLoop {
  private readonly underWay = new Set<Promise<void>>();
  private stopping: (() => void)[] = [];
  private renewing: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private nextRound: NodeJS.Timeout | undefined;
  private roundBegan = 0;
  private again = false;
  private isRunning = false;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: WorkLoopOptions) {}

  get running(): boolean {
    return this.isRunning;
  }

  /** Starts the loop; a second call has no effect. */
  start(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.stopped = undefined;
    const { pollMs, wakers = [], renewal } = this.options;
    const wake = (): void => this.wake();
    const poll = setInterval(wake, pollMs);
    this.stopping = [() => clearInterval(poll), ...wakers.map((subscribe) => subscribe(wake))];
    if (renewal) this.renewing = setInterval(() => void renewal.renew(), renewal.everyMs);
    this.wake();
  }

  /**
   * Starts no new rounds and waits for running work, for at most `graceMs`. Leases of work that takes longer expire, and another process
   * repeats it.
   */
  stop(graceMs: number = limits.stopGrace.ms): Promise<void> {
    // Both the program and Nest call this: the grace period is waited for once.
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  /** Starts a round; during a running round, schedules another one after it. */
  wake(): void {
    if (!this.isRunning) return;
    this.again = true;
    if (this.round || this.nextRound) return;
    const wait = this.options.gapMs ? this.roundBegan + this.options.gapMs() - performance.now() : 0;
    if (wait <= 0) return this.begin();
    this.nextRound = setTimeout(() => this.begin(), wait);
  }

  /** Registers work that a round started. Its end starts another round, and `stop` waits for it. */
  track(work: Promise<void>): void {
    const tracked = work.finally(() => {
      this.underWay.delete(tracked);
      this.wake();
    });
    this.underWay.add(tracked);
  }

  private begin(): void {
    this.nextRound = undefined;
    this.roundBegan = performance.now();
    this.again = false;
    // The signal may come from a request; the work must not run in the context of that request.
    this.round = withoutContext(() => this.work()).finally(() => {
      this.round = undefined;
      if (this.again) this.wake();
    });
  }

  private async work(): Promise<void> {
    try {
      if (await this.options.round()) this.again = true;
    } catch (error) {
      this.again = false;
      this.options.onError(error);
    }
  }

  private async end(graceMs: number): Promise<void> {
    this.isRunning = false;
    for (const unsubscribe of this.stopping.splice(0)) unsubscribe();
    clearTimeout(this.nextRound);
    this.nextRound = undefined;
    await this.round;
    const late = new AbortController();
    await Promise.race([
      Promise.all(this.underWay).then(() => late.abort()),
      pass(graceMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    clearInterval(this.renewing);
  }
}

/** Tenants that use their maximum number of a worker's slots. @param holders the tenant of each slot in use */
export function tenantsAtLimit(holders: readonly string[], limit: number): string[] {
  return [...new Set(holders)].filter((id) => holders.filter((other) => other === id).length >= limit);
}
