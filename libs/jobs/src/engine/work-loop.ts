import { setTimeout as pass } from 'node:timers/promises';
import { withoutContext } from '#kernel';

/** What a loop does and what wakes it. */
export interface WorkLoopOptions {
  /** Claims what is due and begins it. @returns true when more may wait: another round follows */
  readonly round: () => Promise<boolean>;
  /** The round failed: the database is away, or an entry is broken. The next poll tries again. */
  readonly onError: (error: unknown) => void;
  /** Looks at least so often, whether or not it is woken. */
  readonly pollMs: number;
  /** Subscribes to what wakes the loop: a signal of the database, or of this process. @returns how to unsubscribe */
  readonly wakers?: ((wake: () => void) => () => void)[];
  /** Shortest time from the beginning of one round to the next; default 0. */
  readonly gapMs?: () => number;
  /** Keeps the leases of what is under way. */
  readonly renewal?: { readonly everyMs: number; readonly renew: () => Promise<void> };
}

/**
 * The engine of background work: one round at a time, begun by a poll or a signal, while the work that rounds began goes on beside it.
 * Any number of processes run the same loop; what each does alone is decided by leases in the database, which its rounds claim.
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

  /** Begins to work; the second call does nothing. */
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
   * Takes nothing new and waits for what is under way, so long at most. Leases of what takes longer run out: another process does it again
   * from its beginning.
   */
  stop(graceMs = 5000): Promise<void> {
    // The program stops it first, and Nest once more: the time of grace is spent once.
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  /** One round at a time; being woken during one makes another. */
  wake(): void {
    if (!this.isRunning) return;
    this.again = true;
    if (this.round || this.nextRound) return;
    const wait = this.options.gapMs ? this.roundBegan + this.options.gapMs() - performance.now() : 0;
    if (wait <= 0) return this.begin();
    this.nextRound = setTimeout(() => this.begin(), wait);
  }

  /** Work that a round began. It goes on beside the next rounds, and its end wakes the loop. */
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
    // Whoever woke the loop may still be inside a request, which is none of the work's business.
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

/** Tenants that hold their share of a worker's slots: others come first. @param holders the tenant of each slot in use */
export function tenantsAtLimit(holders: readonly string[], limit: number): string[] {
  return [...new Set(holders)].filter((id) => holders.filter((other) => other === id).length >= limit);
}
