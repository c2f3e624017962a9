import { EventEmitter } from 'node:events';
import { currentClient, type WaitingClient } from '../context/request-context.js';
import { currentTenantId } from '../context/scope.js';
import { FairLimit, type FairLimitOptions } from './fair-limit.js';
import { currentNetwork } from '../context/client-networks.js';

/** One piece of work with the requests that wait for it. */
interface Shared {
  /** Set when the work starts. */
  execution?: Promise<unknown>;
  /** By client network, in the order of arrival. */
  readonly groups: Map<string, Group>;
}

/** The requests of one client network. They share one place in the queue. */
interface Group {
  readonly waiters: Waiters;
  readonly result: Promise<unknown>;
}

/** Where results are kept, by key of the current tenant, such as a `TenantCache`. */
interface Store<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/**
 * Reads or makes what many requests ask for, in the turns of a `FairLimit`. Simultaneous calls of a tenant with the same key share one
 * execution and its result, which is then kept when there is a store.
 *
 * Each client network has its own place in the queue, and the first one that gets a slot runs the work for all. So a request never waits
 * behind other work of the network that requested the same work first. A place stays in the queue while one of its requests is open.
 */
export class SharedReading<Value = unknown> {
  private readonly limit: FairLimit;
  private readonly underWay = new Map<string, Shared>();

  /** @param store default: results are not kept. Several readings may have the same one */
  constructor(
    options: FairLimitOptions,
    private readonly store?: Store<Value>,
  ) {
    this.limit = new FairLimit(options);
  }

  /** The result that is kept. */
  kept(key: string): Value | undefined {
    return this.store?.get(key);
  }

  /** Like `read`, unless the result is kept. */
  async get(key: string, work: () => Promise<Value>): Promise<Value> {
    // While this call waited, another reading with the same store may have made it.
    return this.kept(key) ?? this.read(key, async () => this.kept(key) ?? work());
  }

  /**
   * @param key contains everything on which the result depends, except for the tenant
   * @param mayKeep whether the result may be kept
   * @throws the error of `work`; the error of the limit when the queue is full, the wait takes too long, or all requests are closed
   */
  read<Result extends Value>(key: string, work: () => Promise<Result>, mayKeep?: (result: Result) => Promise<boolean>): Promise<Result> {
    return this.share(key, async () => {
      const result = await work();
      if (this.store && (!mayKeep || (await mayKeep(result)))) this.store.set(key, result);
      return result;
    });
  }

  /** Number of running and waiting pieces of work. */
  get size(): number {
    return this.underWay.size;
  }

  private share<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const name = `${currentTenantId() ?? ''} ${key}`;
    const network = currentNetwork() ?? '';
    const client = currentClient();
    let shared = this.underWay.get(name);
    if (shared?.execution) return shared.execution as Promise<Result>;
    if (!shared) this.underWay.set(name, (shared = { groups: new Map() }));
    const own = shared.groups.get(network);
    // When the queue has no place for this network, the request shares the oldest place for the same work.
    const found = own && !own.waiters.destroyed ? own : this.limit.isFull() ? firstPresent(shared) : undefined;
    const group = found ?? this.open(name, shared, network, work, client);
    if (found) found.waiters.add(client);
    return group.result as Promise<Result>;
  }

  private open(name: string, shared: Shared, network: string, work: () => Promise<unknown>, client: WaitingClient | undefined): Group {
    const waiters = new Waiters();
    waiters.add(client);
    const execute = (): Promise<unknown> => (shared.execution ??= this.execute(name, shared, work));
    const result = this.limit
      .run(execute, waiters)
      .catch((error: unknown) => {
        // Another network's place for the same work got a slot first.
        if (shared.execution) return shared.execution;
        throw error;
      })
      .finally(() => {
        waiters.end();
        if (shared.groups.get(network) === group) shared.groups.delete(network);
        if (shared.groups.size === 0) this.forget(name, shared);
      });
    const group: Group = { waiters, result };
    shared.groups.set(network, group);
    return group;
  }

  private async execute(name: string, shared: Shared, work: () => Promise<unknown>): Promise<unknown> {
    for (const { waiters } of shared.groups.values()) waiters.release();
    try {
      return await work();
    } finally {
      this.forget(name, shared);
    }
  }

  private forget(name: string, shared: Shared): void {
    if (this.underWay.get(name) === shared) this.underWay.delete(name);
  }
}

function firstPresent({ groups }: Shared): Group | undefined {
  for (const group of groups.values()) if (!group.waiters.destroyed) return group;
  return undefined;
}

/** Several clients that wait for the same result. It is destroyed when all of them are. */
class Waiters extends EventEmitter implements WaitingClient {
  private readonly present = new Map<WaitingClient, () => void>();
  private stays = false;

  get destroyed(): boolean {
    return !this.stays && this.present.size === 0;
  }

  /** @param client undefined: a job, which waits until the end */
  add(client: WaitingClient | undefined): void {
    if (!client) this.stays = true;
    if (!client || client.destroyed || this.present.has(client)) return;
    const leave = (): void => {
      this.present.delete(client);
      if (this.destroyed) this.emit('close');
    };
    client.once('close', leave);
    this.present.set(client, leave);
  }

  /** Frees the place in the queue. */
  release(): void {
    this.emit('close');
  }

  end(): void {
    for (const [client, leave] of this.present) client.off('close', leave);
    this.present.clear();
  }
}
