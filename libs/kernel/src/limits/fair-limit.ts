import { Counter } from 'prom-client';
import type { TurnsNumbers } from '../bounds/limit-table.js';
import type { WaitingClient } from '../context/request-context.js';
import { metrics } from '../observe/metrics.js';
import { problem } from '../problems/kernel.problems.js';
import { currentTenantId } from '../context/scope.js';
import { currentNetwork } from '../context/client-networks.js';

export interface FairLimitOptions extends TurnsNumbers {
  /**
   * An urgent task runs while fewer tasks of its tenant do, whatever `total` and `each` say, and before the tenant's other tasks. Default:
   * there are no urgent tasks.
   */
  readonly urgent?: number;
  /** Creates the error for a refused caller; default: 429 `tenant.busy`. */
  readonly refuse?: () => Error;
}

interface Queue {
  /** Urgent tasks included. */
  active: number;
  /** Without urgent tasks. */
  waiting: number;
  /** Waiting tasks by client network, in the order of the networks' turns. */
  readonly networks: Map<string, Waiting[]>;
  readonly urgent: Waiting[];
}

/** Frees a slot; called once. */
type Leave = () => void;

interface Waiting {
  readonly proceed: () => void;
  readonly stop: () => void;
}

/** `Retry-After` of a refused caller, in seconds. */
const retryAfterSeconds = 5;

/** For `refuse`, where a whole server's processor time is limited: 503 `server.busy`. */
export const serverBusy = (): Error => refusal('server.busy');

const refusedTotal = new Counter({
  name: 'guichet_turns_refused_total',
  help: 'Tasks that got no turn because too many waited, or for too long, by the name in the table of limits.',
  labelNames: ['turns'],
  registers: [metrics],
});

/**
 * Limits how much of one kind of work (uploads, lists, connections, password hashes …) a process does at the same time, in all and for
 * each tenant. When a task ends, the tenant with the fewest running tasks goes next, so that one tenant's load fills only its own queue.
 * With `waitingOfNetwork`, the same holds for the client networks of a tenant. Tenants without work use no memory.
 */
export class FairLimit {
  private readonly queues = new Map<string, Queue>();
  /** Without urgent tasks, as `waiting`. */
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
  async enter(client?: WaitingClient, key = currentTenantId() ?? '', urgent = false): Promise<Leave> {
    const { refuse = busy } = this.options;
    // A client that is gone emits nothing any more: work that ends with its `close` would never end.
    if (client?.destroyed) throw refuse();
    const leave = this.enterNow(key, urgent) ?? (await this.turnIn(key, urgent, client));
    if (!client?.destroyed) return leave;
    leave();
    throw refuse();
  }

  /** Takes a slot of a key when one is free. @returns as `enter`; undefined: none is free */
  enterNow(key: string, urgent = false): Leave | undefined {
    const known = this.queues.get(key);
    const queue = known ?? newQueue();
    if (!this.mayStart(queue, urgent)) return undefined;
    if (!known) this.queues.set(key, queue);
    this.begin(queue, urgent);
    return () => this.end(key, queue, urgent);
  }

  /** Takes a slot of a key, for limits without a queue. @returns as `enter` @throws the error of `refuse` when none is free */
  claim(key = currentTenantId() ?? ''): Leave {
    const leave = this.enterNow(key);
    if (!leave) throw this.refusal();
    return leave;
  }

  /** Whether another task of the current tenant and client network would be refused at once. */
  isFull(): boolean {
    const queue = this.queues.get(currentTenantId() ?? '');
    return queue !== undefined && !this.mayStart(queue, false) && !this.mayWait(queue, this.network());
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

  private mayStart({ active }: Queue, urgent: boolean): boolean {
    const { total, each, urgent: ofUrgent = each } = this.options;
    return urgent ? active < ofUrgent : this.active < total && active < each;
  }

  private begin(queue: Queue, urgent: boolean): void {
    queue.active += 1;
    if (!urgent) this.active += 1;
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

  private turnIn(key: string, urgent: boolean, client: WaitingClient | undefined): Promise<Leave> {
    const { waitMs = Infinity, waiting } = this.options;
    const queue = this.queues.get(key) ?? newQueue();
    const network = this.network();
    if (urgent ? queue.urgent.length >= waiting : !this.mayWait(queue, network)) return Promise.reject(this.refusal());
    this.queues.set(key, queue);
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error): void => {
        if (urgent) queue.urgent.splice(queue.urgent.indexOf(entry), 1);
        else remove(queue, network, entry);
        entry.stop();
        if (isIdle(queue)) this.queues.delete(key);
        reject(error);
      };
      const gone = (): void => giveUp((this.options.refuse ?? busy)());
      const timer = waitMs < Infinity ? setTimeout(() => giveUp(this.refusal()), waitMs) : undefined;
      const entry: Waiting = {
        proceed: () => resolve(() => this.end(key, queue, urgent)),
        stop: () => {
          if (!urgent) this.waiting -= 1;
          clearTimeout(timer);
          client?.off('close', gone);
        },
      };
      client?.once('close', gone);
      if (urgent) queue.urgent.push(entry);
      else {
        this.waiting += 1;
        add(queue, network, entry);
      }
    });
  }

  private refusal(): Error {
    const { name, refuse = busy } = this.options;
    if (name !== undefined) refusedTotal.inc({ turns: name });
    return refuse();
  }

  private end(key: string, queue: Queue, urgent: boolean): void {
    queue.active -= 1;
    if (!urgent) this.active -= 1;
    if (queue.urgent.length > 0 && this.mayStart(queue, true)) this.start(queue, queue.urgent.shift() as Waiting, true);
    // Moves the tenant to the end, so that tenants with equally many running tasks take turns.
    this.queues.delete(key);
    if (!isIdle(queue)) this.queues.set(key, queue);
    for (let next = this.next(); next; next = this.next()) this.start(next, takeNext(next), false);
  }

  private start(queue: Queue, entry: Waiting, urgent: boolean): void {
    entry.stop();
    this.begin(queue, urgent);
    entry.proceed();
  }

  /** The waiting queue with the fewest running tasks that may start another one. */
  private next(): Queue | undefined {
    if (this.waiting === 0 || this.active >= this.options.total) return undefined;
    let chosen: Queue | undefined;
    for (const queue of this.queues.values()) {
      if (queue.waiting === 0 || queue.active >= this.options.each) continue;
      if (!chosen || queue.active < chosen.active) chosen = queue;
    }
    return chosen;
  }
}

const newQueue = (): Queue => ({ active: 0, waiting: 0, networks: new Map(), urgent: [] });

const isIdle = ({ active, waiting, urgent }: Queue): boolean => active === 0 && waiting === 0 && urgent.length === 0;

/** Takes a task of the network whose turn it is, and moves this network to the end. */
function takeNext(queue: Queue): Waiting {
  const [network, entries] = queue.networks.entries().next().value as [string, Waiting[]];
  const entry = entries.shift() as Waiting;
  queue.networks.delete(network);
  if (entries.length > 0) queue.networks.set(network, entries);
  queue.waiting -= 1;
  return entry;
}

function add(queue: Queue, network: string, entry: Waiting): void {
  const others = queue.networks.get(network);
  if (others) others.push(entry);
  else queue.networks.set(network, [entry]);
  queue.waiting += 1;
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
