import type { WaitingClient } from '../context/request-context.js';
import { problem } from '../problems/kernel.problems.js';
import { currentTenantId } from '../context/scope.js';
import { currentNetwork } from '../context/client-networks.js';

export interface FairLimitOptions {
  /** Maximum concurrent tasks in this process. */
  readonly total: number;
  /** Maximum concurrent tasks of one tenant. */
  readonly each: number;
  /** Maximum waiting tasks of one tenant; the next one is refused at once. */
  readonly waiting: number;
  /**
   * Maximum waiting tasks of one client network within a tenant. The networks of a tenant then take turns. Tasks outside of requests
   * (jobs, commands) have no such maximum. Default: networks are not counted.
   */
  readonly waitingOfNetwork?: number;
  /** Maximum waiting tasks of all tenants together; default: no maximum. */
  readonly waitingInAll?: number;
  /** Maximum wait in milliseconds. */
  readonly waitMs: number;
  /** Creates the error for a refused caller; default: 429 `tenant.busy`. */
  readonly refuse?: () => Error;
}

interface Queue {
  active: number;
  waiting: number;
  /** Waiting tasks by client network, in the order of the networks' turns. */
  readonly networks: Map<string, Waiting[]>;
}

interface Waiting {
  readonly proceed: () => void;
  readonly stop: () => void;
}

/** `Retry-After` of a refused caller, in seconds. */
const retryAfterSeconds = 5;

/** For `refuse`, where a whole server's processor time is limited: 503 `server.busy`. */
export const serverBusy = (): Error => refusal('server.busy');

/**
 * Limits how much of one kind of heavy work (uploads, whole lists, exports …) a process does at the same time, in all and for each
 * tenant. When a task ends, the tenant with the fewest running tasks goes next, so that one tenant's load fills only its own queue.
 * With `waitingOfNetwork`, the same holds for the client networks of a tenant. Tenants without work use no memory.
 */
export class FairLimit {
  private readonly queues = new Map<string, Queue>();
  private active = 0;
  private waiting = 0;

  constructor(private readonly options: FairLimitOptions) {}

  /**
   * Runs the work when the current tenant has a free slot.
   * @param client when it is gone before the slot is free, the work is dropped
   * @param key counts by this key instead of the current tenant
   * @throws Problem `tenant.busy` (or the error of `refuse`) when too many wait, the wait takes too long, or the client is gone
   */
  async run<Result>(work: () => Promise<Result> | Result, client?: WaitingClient, key?: string): Promise<Result> {
    const leave = await this.enter(client, key);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Takes a slot; parameters and errors as with `run`.
   * @returns frees the slot; the caller calls it once, whatever happens
   */
  async enter(client?: WaitingClient, key = currentTenantId() ?? ''): Promise<() => void> {
    const { refuse = busy } = this.options;
    // A client that is gone emits nothing any more: work that ends with its `close` would never end.
    if (client?.destroyed) throw refuse();
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = { active: 0, waiting: 0, networks: new Map() }));
    if (this.mayStart(queue)) this.begin(queue);
    else await this.turnIn(key, queue, client);
    const entered = queue;
    const leave = (): void => this.end(key, entered);
    if (!client?.destroyed) return leave;
    leave();
    throw refuse();
  }

  /** Whether another task of the current tenant and client network would be refused at once. */
  isFull(): boolean {
    const queue = this.queues.get(currentTenantId() ?? '');
    return queue !== undefined && !this.mayStart(queue) && !this.mayWait(queue, this.network());
  }

  /** Number of waiting tasks of the current tenant. */
  waitingNow(): number {
    return this.queues.get(currentTenantId() ?? '')?.waiting ?? 0;
  }

  /** Whether a tenant that has no running task waits for a slot. */
  get starving(): boolean {
    for (const { active, waiting } of this.queues.values()) if (active === 0 && waiting > 0) return true;
    return false;
  }

  /** Number of tenants that have running or waiting work. */
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

  /** The network by which a task is counted; empty: by none. */
  private network(): string {
    return this.options.waitingOfNetwork === undefined ? '' : (currentNetwork() ?? '');
  }

  private mayWait(queue: Queue, network: string): boolean {
    const { waiting, waitingOfNetwork = Infinity, waitingInAll = Infinity } = this.options;
    if (queue.waiting >= waiting || this.waiting >= waitingInAll) return false;
    return network === '' || (queue.networks.get(network)?.length ?? 0) < waitingOfNetwork;
  }

  private turnIn(key: string, queue: Queue, client: WaitingClient | undefined): Promise<void> {
    const { waitMs, refuse = busy } = this.options;
    const network = this.network();
    if (!this.mayWait(queue, network)) {
      if (isIdle(queue)) this.queues.delete(key);
      return Promise.reject(refuse());
    }
    this.waiting += 1;
    queue.waiting += 1;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        remove(queue, network, entry);
        entry.stop();
        if (isIdle(queue)) this.queues.delete(key);
        reject(refuse());
      };
      const timer = setTimeout(giveUp, waitMs);
      const entry: Waiting = {
        proceed: resolve,
        stop: () => {
          this.waiting -= 1;
          clearTimeout(timer);
          client?.off('close', giveUp);
        },
      };
      client?.once('close', giveUp);
      const others = queue.networks.get(network);
      if (others) others.push(entry);
      else queue.networks.set(network, [entry]);
    });
  }

  private end(key: string, queue: Queue): void {
    this.active -= 1;
    queue.active -= 1;
    // Moves the tenant to the end, so that tenants with equally many running tasks take turns.
    this.queues.delete(key);
    if (!isIdle(queue)) this.queues.set(key, queue);
    for (let next = this.next(); next && this.active < this.options.total; next = this.next()) {
      const entry = takeNext(next);
      entry.stop();
      this.begin(next);
      entry.proceed();
    }
  }

  /** The waiting queue with the fewest running tasks that may start another one. */
  private next(): Queue | undefined {
    let chosen: Queue | undefined;
    for (const queue of this.queues.values()) {
      if (queue.waiting === 0 || queue.active >= this.options.each) continue;
      if (!chosen || queue.active < chosen.active) chosen = queue;
    }
    return chosen;
  }
}

const isIdle = ({ active, waiting }: Queue): boolean => active === 0 && waiting === 0;

/** Takes a task of the network whose turn it is, and moves this network to the end. */
function takeNext(queue: Queue): Waiting {
  const [network, entries] = queue.networks.entries().next().value as [string, Waiting[]];
  const entry = entries.shift() as Waiting;
  queue.networks.delete(network);
  if (entries.length > 0) queue.networks.set(network, entries);
  queue.waiting -= 1;
  return entry;
}

function remove(queue: Queue, network: string, entry: Waiting): void {
  const entries = queue.networks.get(network) ?? [];
  entries.splice(entries.indexOf(entry), 1);
  if (entries.length === 0) queue.networks.delete(network);
  queue.waiting -= 1;
}

const busy = (): Error => refusal('tenant.busy');

function refusal(code: 'tenant.busy' | 'server.busy'): Error {
  return problem(code, { parameters: { seconds: retryAfterSeconds }, headers: { 'Retry-After': String(retryAfterSeconds) } });
}
