import type { EventEmitter } from 'node:events';
import { problem } from '../problems/kernel.problems.js';
import { currentTenantId } from '../context/scope.js';

export interface FairLimitOptions {
  /** Works that run at once in this process. */
  readonly total: number;
  /** Of these, works of one tenant. */
  readonly each: number;
  /** Works of one tenant that wait; the next one is refused at once. */
  readonly waiting: number;
  /** Longest wait in milliseconds. */
  readonly waitMs: number;
  /** What a refused caller is told; default: 429 `tenant.busy`. */
  readonly refuse?: () => Error;
}

interface Queue {
  active: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly proceed: () => void;
  readonly stop: () => void;
}

/** Seconds after which a caller that was refused is asked to come back. */
const retryAfterSeconds = 5;

/**
 * Limits how much of one kind of heavy work (uploads, whole lists, exports …) a process does at once, in all and for each tenant. When something
 * ends, the tenant with the least work under way goes next, so that a flood of one tenant fills its own queue only. Tenants without work take
 * no memory.
 */
export class FairLimit {
  private readonly queues = new Map<string, Queue>();
  private active = 0;

  constructor(private readonly options: FairLimitOptions) {}

  /**
   * Does the work of the current tenant in its turn.
   * @param client a response, say: when it emits `close`, work that still waits is dropped
   * @throws Problem `tenant.busy` (or what `refuse` makes) when too many wait, the wait takes too long, or the client is gone
   */
  async run<Result>(work: () => Promise<Result> | Result, client?: EventEmitter): Promise<Result> {
    const key = currentTenantId() ?? '';
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = { active: 0, waiting: [] }));
    if (this.mayStart(queue)) this.begin(queue);
    else await this.turnIn(key, queue, client);
    try {
      return await work();
    } finally {
      this.end(key, queue);
    }
  }

  /** Tenants that have work under way or waiting. */
  get tenants(): number {
    return this.queues.size;
  }

  private mayStart(queue: Queue): boolean {
    return this.active < this.options.total && queue.active < this.options.each;
  }

  private begin(queue: Queue): void {
    this.active += 1;
    queue.active += 1;
  }

  private turnIn(key: string, queue: Queue, client: EventEmitter | undefined): Promise<void> {
    const { waiting, waitMs, refuse = busy } = this.options;
    if (queue.waiting.length >= waiting) return Promise.reject(refuse());
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queue.waiting.splice(queue.waiting.indexOf(entry), 1);
        entry.stop();
        if (isIdle(queue)) this.queues.delete(key);
        reject(refuse());
      };
      const timer = setTimeout(giveUp, waitMs);
      const entry: Waiting = {
        proceed: resolve,
        stop: () => {
          clearTimeout(timer);
          client?.off('close', giveUp);
        },
      };
      client?.once('close', giveUp);
      queue.waiting.push(entry);
    });
  }

  private end(key: string, queue: Queue): void {
    this.active -= 1;
    queue.active -= 1;
    // Behind the others, so that tenants with equally much under way take turns.
    this.queues.delete(key);
    if (!isIdle(queue)) this.queues.set(key, queue);
    for (let next = this.next(); next && this.active < this.options.total; next = this.next()) {
      const entry = next.waiting.shift() as Waiting;
      entry.stop();
      this.begin(next);
      entry.proceed();
    }
  }

  /** The queue with the least work under way of those whose turn may come. */
  private next(): Queue | undefined {
    let chosen: Queue | undefined;
    for (const queue of this.queues.values()) {
      if (queue.waiting.length === 0 || queue.active >= this.options.each) continue;
      if (!chosen || queue.active < chosen.active) chosen = queue;
    }
    return chosen;
  }
}

const isIdle = ({ active, waiting }: Queue): boolean => active === 0 && waiting.length === 0;

const busy = (): Error =>
  problem('tenant.busy', {
    parameters: { seconds: retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
