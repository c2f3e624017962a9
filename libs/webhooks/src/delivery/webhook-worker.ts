import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LOGGER, Problem, type Logger } from '#kernel';
import { ScheduledTasks, DatabaseSignals, runInTenant, Tenants, type TenantIdentity } from '#tenancy';
import { dispatchBatch, Dispatcher } from '../outbox/dispatcher.service.js';
import { Outbox, outboxChannel } from '../outbox/outbox.service.js';
import { Deliverer } from './deliverer.service.js';
import { DeliveryPace } from './delivery-pace.js';
import { DeliveryQueue, renewEveryMs, type Lease } from './delivery-queue.service.js';

/** Endpoints that one worker serves at the same time. Failing endpoints have their own slots. */
const slots = { healthy: 48, failing: 24 } as const;
/** Maximum slots of each kind for one tenant. */
const slotsOfTenant = 8;
/** Pause after a failure in a tenant, in milliseconds. */
const restMs = 30_000;
/** Pause for a tenant that waits for its migration, in milliseconds. */
const migratingRestMs = 5000;
/** Interval at which the queue is polled when no signal arrives, in milliseconds. */
const pollMs = 1000;

/**
 * The background loop of a process: dispatches the outbox and delivers to endpoints, up to its number of slots. Any number of workers
 * share the work; the leases of a dead worker expire after a few seconds and other workers take over.
 */
@Injectable()
export class WebhookWorker implements BeforeApplicationShutdown {
  private readonly held = new Map<string, { lease: Lease; valid: boolean }>();
  private readonly serving = new Set<Promise<void>>();
  /**
   * Tenants whose messages could not be dispatched, with the time until which they are skipped, so that they do not block other tenants.
   */
  private readonly resting = new Map<string, number>();
  private stopping: (() => void)[] = [];
  private round: Promise<void> | undefined;
  private nextRound: NodeJS.Timeout | undefined;
  private roundBegan = 0;
  private again = false;
  private running = false;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly tenants: Tenants,
    private readonly outbox: Outbox,
    private readonly dispatcher: Dispatcher,
    private readonly queue: DeliveryQueue,
    private readonly deliverer: Deliverer,
    private readonly chores: ScheduledTasks,
    private readonly pace: DeliveryPace,
    private readonly signals: DatabaseSignals,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Starts the loop; a second call does nothing. */
  start(): void {
    if (this.running) return;
    this.running = true;
    this.stopped = undefined;
    const poll = setInterval(() => this.wake(), pollMs);
    const renew = setInterval(() => void this.renew(), renewEveryMs);
    const listener = this.signals.listen(outboxChannel, () => this.wake());
    const unsubscribe = this.outbox.subscribe(() => this.wake());
    this.stopping = [() => clearInterval(poll), () => clearInterval(renew), () => listener.stop(), unsubscribe];
    this.wake();
  }

  /**
   * Claims nothing new, finishes running work and releases its leases. Does not wait longer than `graceMs` for a slow receiver; another
   * worker then repeats that delivery.
   */
  stop(graceMs = 5000): Promise<void> {
    // Both the program and Nest call this; the grace period must run only once.
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  /** Runs before the connection pools are closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async end(graceMs: number): Promise<void> {
    this.running = false;
    for (const end of this.stopping.splice(0)) end();
    clearTimeout(this.nextRound);
    this.nextRound = undefined;
    await this.round;
    const late = new AbortController();
    await Promise.race([
      Promise.all(this.serving).then(() => late.abort()),
      pass(graceMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
  }

  /** Runs one round at a time with a pause between rounds; a call during a round starts another one afterwards. */
  private wake(): void {
    if (!this.running) return;
    this.again = true;
    if (this.round || this.nextRound) return;
    const wait = this.roundBegan + this.pace.gapMs - performance.now();
    this.nextRound = setTimeout(
      () => {
        this.nextRound = undefined;
        this.roundBegan = performance.now();
        this.again = false;
        this.round = this.work().finally(() => {
          this.round = undefined;
          if (this.again) this.wake();
        });
      },
      Math.max(0, wait),
    );
  }

  private async work(): Promise<void> {
    try {
      await this.handOn();
      await this.claim();
      this.chores.beginWhenDue();
    } catch (error) {
      // The database is unreachable or an entry is broken: the next poll tries again.
      this.again = false;
      this.logger.warn({ err: error }, 'webhook worker');
    }
  }

  private async handOn(): Promise<void> {
    for (const [id, until] of this.resting) if (until < performance.now()) this.resting.delete(id);
    const waiting = await this.dispatcher.waitingTenants(20, [...this.resting.keys()]);
    if (waiting.length === 0) return;
    const tenants = await this.tenantsById(waiting);
    const gone = waiting.filter((id) => !tenants.has(id));
    if (gone.length > 0) await this.dispatcher.forget(gone);
    let handedOn = 0;
    for (const { id, schemaState } of tenants.values())
      if (schemaState !== 'current') this.resting.set(id, performance.now() + migratingRestMs);
    const present = waiting.flatMap((id) => tenants.get(id) ?? []).filter(({ id }) => !this.resting.has(id));
    for (const [index, tenant] of present.entries()) {
      // Each tenant gets its share of the remaining messages, so that one backlog does not delay the others.
      const share = Math.ceil(this.pace.messagesLeft(handedOn) / (present.length - index));
      if (share === 0) break;
      const limit = Math.min(dispatchBatch, share);
      const count = await this.guarded(tenant, () => this.dispatcher.dispatch({ limit }), undefined);
      if (count === undefined && !this.resting.has(tenant.id)) this.resting.set(tenant.id, performance.now() + restMs);
      handedOn += count ?? 0;
    }
    // More messages may wait, of these tenants or of others.
    if (handedOn > 0) this.again = true;
  }

  private async claim(): Promise<void> {
    const leases: Lease[] = [];
    for (const failing of [false, true]) {
      const inUse = [...this.held.values()].filter(({ lease }) => lease.failing === failing);
      const free = slots[failing ? 'failing' : 'healthy'] - inUse.length;
      if (free <= 0) continue;
      const tenants = inUse.map(({ lease }) => lease.tenantId);
      const full = [...new Set(tenants)].filter(
        (id) => tenants.filter((other) => other === id).length >= slotsOfTenant,
      );
      leases.push(...(await this.queue.claim(failing, Math.min(free, slotsOfTenant), full)));
    }
    if (leases.length === 0) return;
    this.again = true;
    const tenants = await this.tenantsById(leases.map(({ tenantId }) => tenantId));
    for (const lease of leases) {
      const tenant = tenants.get(lease.tenantId);
      // The lease is left to expire, which is the pause before the next attempt.
      if (tenant?.schemaState !== 'current') continue;
      const work = this.serve(tenant, lease).finally(() => this.serving.delete(work));
      this.serving.add(work);
    }
  }

  private async serve(tenant: TenantIdentity, lease: Lease): Promise<void> {
    const hold = { lease, valid: true };
    this.held.set(lease.endpointId, hold);
    const served = await this.guarded(
      tenant,
      async () => {
        await this.deliverer.serve(lease, () => this.running && hold.valid);
        return true;
      },
      false,
    );
    this.held.delete(lease.endpointId);
    // After a failure the lease is left to expire, which is also the pause before the next attempt.
    if (served && hold.valid) await this.guarded(tenant, () => this.queue.release(lease), undefined);
    this.wake();
  }

  /** Runs work for one tenant; a broken or migrating tenant must not stop the others. */
  private async guarded<Result>(
    tenant: TenantIdentity,
    work: () => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> {
    try {
      return await runInTenant(tenant, work);
    } catch (error) {
      // The tenant was suspended or resumed just now: the next round reads its new state.
      if (error instanceof Problem && error.code === 'tenant.changed') {
        this.resting.set(tenant.id, performance.now() + pollMs);
        return otherwise;
      }
      this.logger.warn({ err: error, tenant: tenant.slug }, 'webhook worker');
      return otherwise;
    }
  }

  private async renew(): Promise<void> {
    const ids = [...this.held.keys()];
    if (ids.length === 0) return;
    try {
      const own = await this.queue.renew(ids);
      for (const id of ids) {
        const hold = this.held.get(id);
        if (hold && !own.has(id)) hold.valid = false;
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'webhook leases not renewed');
    }
  }

  private async tenantsById(ids: readonly string[]): Promise<Map<string, TenantIdentity>> {
    return new Map((await this.tenants.byIds(ids)).map((tenant) => [tenant.id, tenant]));
  }
}
