import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, Problem, type Logger } from '#kernel';
import { LoopService, tenantsAtLimit, WorkLoop } from '#jobs';
import { DatabaseSignals, runInTenant, TenantsService, type TenantIdentity } from '#tenancy';
import { limits } from '../limits.js';
import { dispatchBatch, DispatcherService } from '../outbox/dispatcher.service.js';
import { OutboxService, outboxChannel } from '../outbox/outbox.service.js';
import { DelivererService } from './deliverer.service.js';
import { DeliveryPace } from './delivery-pace.js';
import { DeliveryQueueService, renewEveryMs, type Lease } from './delivery-queue.service.js';

/** Endpoints that one worker serves at the same time. Failing endpoints have their own slots. */
const slots = { healthy: limits.slots.number, failing: limits.slots.number / 2 } as const;
const slotsOfTenant = limits.slotsOfTenant.number;
const pollMs = limits.poll.ms;

/**
 * The background loop of a process: dispatches the outbox and delivers to endpoints, up to its number of slots. Any number of workers
 * share the work; the leases of a dead worker expire after a few seconds and other workers take over.
 */
@Injectable()
export class WebhookWorker extends LoopService {
  private readonly held = new Map<string, { lease: Lease; valid: boolean }>();
  /**
   * Tenants whose messages could not be dispatched, with the time until which they are skipped, so that they do not block other tenants.
   */
  private readonly resting = new Map<string, number>();
  protected readonly loop: WorkLoop;

  constructor(
    private readonly tenants: TenantsService,
    outbox: OutboxService,
    private readonly dispatcher: DispatcherService,
    private readonly queue: DeliveryQueueService,
    private readonly deliverer: DelivererService,
    private readonly pace: DeliveryPace,
    signals: DatabaseSignals,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
    this.loop = new WorkLoop({
      round: () => this.work(),
      onError: (error) => this.logger.warn({ err: error }, 'webhook worker'),
      pollMs,
      // Pauses between two rounds, so that new messages are dispatched in batches.
      gapMs: () => this.pace.gapMs,
      wakers: [(wake) => signals.listen(outboxChannel, wake), (wake) => outbox.subscribe(wake)],
      renewal: { everyMs: renewEveryMs, renew: () => this.renew() },
    });
  }

  /** @returns whether more messages may wait, of these tenants or of others */
  private async work(): Promise<boolean> {
    const handedOn = await this.handOn();
    const claimed = await this.claim();
    return handedOn > 0 || claimed > 0;
  }

  private async handOn(): Promise<number> {
    for (const [id, until] of this.resting) if (until < performance.now()) this.resting.delete(id);
    const waiting = await this.dispatcher.waitingTenants(20, [...this.resting.keys()]);
    if (waiting.length === 0) return 0;
    const tenants = await this.tenantsById(waiting);
    const gone = waiting.filter((id) => !tenants.has(id));
    if (gone.length > 0) await this.dispatcher.forget(gone);
    let handedOn = 0;
    for (const { id, schemaState } of tenants.values())
      if (schemaState !== 'current') this.resting.set(id, performance.now() + limits.migratingRest.ms);
    const present = waiting.flatMap((id) => tenants.get(id) ?? []).filter(({ id }) => !this.resting.has(id));
    for (const [index, tenant] of present.entries()) {
      // Each tenant gets its share of the remaining messages, so that one backlog does not delay the others.
      const share = Math.ceil(this.pace.messagesLeft(handedOn) / (present.length - index));
      if (share === 0) break;
      const limit = Math.min(dispatchBatch, share);
      const count = await this.guarded(tenant, () => this.dispatcher.dispatch({ limit }), undefined);
      if (count === undefined && !this.resting.has(tenant.id)) this.resting.set(tenant.id, performance.now() + limits.rest.ms);
      handedOn += count ?? 0;
    }
    return handedOn;
  }

  private async claim(): Promise<number> {
    const leases: Lease[] = [];
    for (const failing of [false, true]) {
      const inUse = [...this.held.values()].filter(({ lease }) => lease.failing === failing);
      const free = slots[failing ? 'failing' : 'healthy'] - inUse.length;
      if (free <= 0) continue;
      const tenants = inUse.map(({ lease }) => lease.tenantId);
      const full = tenantsAtLimit(tenants, slotsOfTenant);
      leases.push(...(await this.queue.claim(failing, Math.min(free, slotsOfTenant), full)));
    }
    if (leases.length === 0) return 0;
    const tenants = await this.tenantsById(leases.map(({ tenantId }) => tenantId));
    for (const lease of leases) {
      const tenant = tenants.get(lease.tenantId);
      // The lease expires, which is the pause before the next attempt.
      if (tenant?.schemaState !== 'current') continue;
      this.loop.track(this.serve(tenant, lease));
    }
    return leases.length;
  }

  private async serve(tenant: TenantIdentity, lease: Lease): Promise<void> {
    const hold = { lease, valid: true };
    this.held.set(lease.endpointId, hold);
    const served = await this.guarded(
      tenant,
      async () => {
        await this.deliverer.serve(lease, () => this.loop.running && hold.valid);
        return true;
      },
      false,
    );
    this.held.delete(lease.endpointId);
    // After a failure the lease expires, which is also the pause before the next attempt.
    if (served && hold.valid) await this.guarded(tenant, () => this.queue.release(lease), undefined);
  }

  /** Runs work for one tenant; a broken or migrating tenant must not stop the others. */
  private async guarded<Result>(tenant: TenantIdentity, work: () => Promise<Result>, otherwise: Result): Promise<Result> {
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
