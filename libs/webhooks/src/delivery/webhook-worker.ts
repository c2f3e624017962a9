import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LOGGER, Problem, type Logger } from '#kernel';
import { ScheduledTasks, DatabaseSignals, runInTenant, Tenants, type TenantIdentity } from '#tenancy';
import { dispatchBatch, Dispatcher } from '../outbox/dispatcher.service.js';
import { Outbox, outboxChannel } from '../outbox/outbox.service.js';
import { Deliverer } from './deliverer.service.js';
import { DeliveryPace } from './delivery-pace.js';
import { DeliveryQueue, renewEveryMs, type Lease } from './delivery-queue.service.js';

/** Endpoints that one worker serves at the same time; those that fail have slots of their own. */
const slots = { healthy: 48, failing: 24 } as const;
/** Of either kind, for one tenant. */
const slotsOfTenant = 8;
/** After a failure a tenant is left alone for so long. */
const restMs = 30_000;
/** The same while it waits for its migration. */
const migratingRestMs = 5000;
/** Looked at so often without being told to. */
const pollMs = 1000;

/**
 * The background work of a process: hands the outbox on and serves endpoints, as many as it has slots for. Any number of workers share
 * the work; one that dies loses its leases after a few seconds and what it had claimed is done by others.
 */
@Injectable()
export class WebhookWorker implements BeforeApplicationShutdown {
  private readonly held = new Map<string, { lease: Lease; valid: boolean }>();
  private readonly serving = new Set<Promise<void>>();
  /** Tenants whose messages could not be handed on, and until when they are passed over: they must not hold up those behind them. */
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

  /** Begins to work; the second call does nothing. */
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
   * Takes nothing new, ends what is under way and gives its leases back. A receiver that lets it wait for longer than the time of grace
   * is left; the delivery is made again by another worker.
   */
  stop(graceMs = 5000): Promise<void> {
    // The program stops it first, and Nest once more: the time of grace is spent once.
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  /** Before the pools are closed. */
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

  /** One round at a time, and some time between them; being woken during one makes another. */
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
      // The database is away, or an entry is broken: the next poll tries again.
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
      // Each gets its share of what is left, so that nobody's backlog is in the way of the others.
      const share = Math.ceil(this.pace.messagesLeft(handedOn) / (present.length - index));
      if (share === 0) break;
      const limit = Math.min(dispatchBatch, share);
      const count = await this.guarded(tenant, () => this.dispatcher.dispatch({ limit }), undefined);
      if (count === undefined && !this.resting.has(tenant.id)) this.resting.set(tenant.id, performance.now() + restMs);
      handedOn += count ?? 0;
    }
    // More may wait: of these tenants, or of others behind them.
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
      // What is not served is left to run out, which is the pause before the next try.
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
    // What could not be served is left to run out, which is also the pause before the next try.
    if (served && hold.valid) await this.guarded(tenant, () => this.queue.release(lease), undefined);
    this.wake();
  }

  /** A tenant whose data is broken or being migrated must not stop the others. */
  private async guarded<Result>(
    tenant: TenantIdentity,
    work: () => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> {
    try {
      return await runInTenant(tenant, work);
    } catch (error) {
      // Suspended or resumed in the same moment: the next look knows.
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
