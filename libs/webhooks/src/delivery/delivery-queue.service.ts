import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { currentTenant, pausedTenantsStatement, TenantDb, type Tx } from '#tenancy';
import { WebhookQueueRow } from '../endpoints/webhook-endpoint.entity.js';

/** A claim on an endpoint: only this worker delivers to it until the lease ends. */
export interface Lease {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly failing: boolean;
}

/** Lifetime of a lease that is not renewed. After it, other workers may claim the endpoint, because its worker probably died. */
export const leaseSeconds = 6;
export const renewEveryMs = 2000;

/**
 * The queue of endpoints over all tenants: one row per endpoint, claimed with SKIP LOCKED by any number of workers. The endpoint that was
 * served longest ago comes first.
 */
@Injectable()
export class DeliveryQueueService {
  /** The id of this worker in the rows it has claimed. */
  private readonly worker = randomUUID();

  constructor(private readonly db: TenantDb) {}

  /**
   * Claims endpoints that have a due delivery.
   * @param failing claims failing endpoints (true) or healthy ones (false): each kind has its own slots, so that dead receivers do not
   * delay healthy ones
   * @param without ids of tenants that already use their share of this worker's slots
   */
  claim(failing: boolean, limit: number, without: readonly string[]): Promise<Lease[]> {
    // The update checks again that the lease has ended: of several workers that found the same row, one gets it.
    const statement = {
      name: 'webhook-claim',
      text: `update shared.webhook_queue q
        set leased_by = $1, leased_until = now() + make_interval(secs => ${leaseSeconds}), served_at = now()
        from (
          select endpoint_id from shared.webhook_queue
          where due_at <= now() and failing = $2 and (leased_until is null or leased_until <= now()) and tenant_id <> all($4::uuid[])
          order by served_at limit $3 for update skip locked) due
        where q.endpoint_id = due.endpoint_id and (q.leased_until is null or q.leased_until <= (select now()))
        returning q.endpoint_id as "endpointId", q.tenant_id as "tenantId", q.failing`,
    };
    return this.db.collect(limit, async (left) => {
      const paused = await this.db.sharedStatement<{ id: string }>(pausedTenantsStatement, []);
      const values = [this.worker, failing, left, [...without, ...paused.map(({ id }) => id)]];
      return this.db.sharedStatement<Lease & Record<string, unknown>>(statement, values);
    });
  }

  /** Renews the leases of this worker. @returns the ids of the endpoints that it still holds */
  async renew(endpointIds: readonly string[]): Promise<Set<string>> {
    const statement = {
      name: 'webhook-renew',
      text: `update shared.webhook_queue set leased_until = now() + make_interval(secs => ${leaseSeconds})
        where endpoint_id = any($2::uuid[]) and leased_by = $1 returning endpoint_id as id`,
    };
    const rows = await this.db.onEachNode(() => this.db.sharedStatement<{ id: string }>(statement, [this.worker, endpointIds]));
    return new Set(rows.flat().map(({ id }) => id));
  }

  /**
   * Releases an endpoint of the current tenant and stores when its next delivery is due. Locks the queue row before it reads that time: a
   * dispatcher that adds deliveries updates the same row, so neither overwrites what the other wrote.
   */
  release({ endpointId }: Lease): Promise<void> {
    return this.db.transaction(async (tx) => {
      const [held] = await tx.query<object[]>('select 1 from shared.webhook_queue where endpoint_id = $1 and leased_by = $2 for update', [
        endpointId,
        this.worker,
      ]);
      if (!held) return;
      // As text: a Date would lose the microseconds, and the endpoint would be due before its delivery is.
      const [next] = await tx.query<{ dueAt: string | null; failing: boolean }[]>(
        `select case when e.disabled_at is null and count(d.id) > 0
           then greatest(min(d.next_attempt_at), e.paused_until) end::text as "dueAt",
           e.failing_since is not null as failing
         from webhook_endpoint e left join webhook_delivery d on d.endpoint_id = e.id and d.status = 'waiting'
         where e.id = $1 group by e.id`,
        [endpointId],
      );
      // A separate statement, because the endpoint and its deliveries are in the tenant's schema and the queue is shared.
      await tx.query(
        `update shared.webhook_queue set leased_by = null, leased_until = null, due_at = $2::timestamptz, failing = $3
         where endpoint_id = $1`,
        [endpointId, next?.dueAt ?? null, next?.failing ?? false],
      );
    });
  }
}

/** Adds a new endpoint of the current tenant to the queue. */
export async function enqueueEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.insert(WebhookQueueRow, { endpointId, tenantId: currentTenant().id });
}

/** Removes a deleted endpoint from the queue. */
export async function dequeueEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.delete(WebhookQueueRow, { endpointId, tenantId: currentTenant().id });
}

/** Makes an endpoint due now, because deliveries were added or it was enabled. */
export async function wakeEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.update(WebhookQueueRow, { endpointId, tenantId: currentTenant().id }, { dueAt: () => 'now()' });
}
