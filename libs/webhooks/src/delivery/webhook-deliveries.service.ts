import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { everyType, pingType } from '../webhook-events.js';
import { problem } from '../webhooks.problems.js';
import { wakeEndpoint } from './delivery-queue.service.js';
import { WebhookAttempt, WebhookDelivery, type DeliveryStatus } from './webhook-delivery.entity.js';

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
}

/** Lists the deliveries of the current tenant's endpoints and sends them again. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly db: TenantDb,
    private readonly outbox: OutboxService,
  ) {}

  /** Deliveries with their events, newest first. @throws Problem 404 `webhook_endpoint.unknown` */
  list({ endpointId, status, limit }: DeliveryFilter): Promise<WebhookDelivery[]> {
    return this.db.transaction(async (tx) => {
      await endpointOf(tx, endpointId);
      const query = tx
        .createQueryBuilder(WebhookDelivery, 'delivery')
        .innerJoinAndSelect('delivery.event', 'event')
        .where('delivery.endpointId = :endpointId', { endpointId })
        .orderBy({ 'delivery.createdAt': 'DESC', 'delivery.id': 'DESC' })
        .limit(limit);
      if (status) query.andWhere('delivery.status = :status', { status });
      return query.getMany();
    });
  }

  /** The attempts of a delivery, newest first. */
  attempts(deliveryId: string): Promise<WebhookAttempt[]> {
    return this.db.transaction((tx) =>
      tx.find(WebhookAttempt, { where: { deliveryId }, order: { attemptedAt: 'DESC', id: 'DESC' }, take: 100 }),
    );
  }

  /**
   * Sends one delivery again, whatever its status, with the same event id.
   * @param endpointId when given, the delivery must belong to this endpoint
   * @throws Problem 404 `webhook_delivery.unknown`, 409 `webhook_endpoint.disabled`
   */
  async sendAgain(deliveryId: string, endpointId?: string): Promise<void> {
    await this.db.transactionOnce(async (tx) => {
      const delivery = await tx.findOne(WebhookDelivery, { where: { id: deliveryId } });
      if (!delivery || (endpointId && delivery.endpointId !== endpointId)) throw problem('webhook_delivery.unknown');
      await refuseDisabled(tx, delivery.endpointId);
      await tx.query(
        `update webhook_delivery set status = 'waiting', failures = 0, ahead_of_schedule = false, next_attempt_at = now() where id = $1`,
        [deliveryId],
      );
      await this.wake(tx, delivery.endpointId);
    });
  }

  /**
   * Sends every event since a moment that the endpoint did not receive: failed deliveries, deliveries that wait for a retry, and events
   * that happened while the endpoint was disabled.
   * @returns the number of deliveries
   * @throws Problem 404 `webhook_endpoint.unknown`, 409 `webhook_endpoint.disabled`
   */
  sendFailedAgain(endpointId: string, since: Date): Promise<number> {
    return this.db.transactionOnce(async (tx) => {
      const { types } = await refuseDisabled(tx, endpointId);
      const [row] = await tx.query<{ count: number }[]>(
        `with again as (
           update webhook_delivery d set status = 'waiting', failures = 0, ahead_of_schedule = false, next_attempt_at = now()
           from webhook_event v where v.id = d.event_id and d.endpoint_id = $1 and d.status <> 'delivered' and v.occurred_at >= $2
           returning d.id),
         missed as (
           insert into webhook_delivery (endpoint_id, event_id, next_attempt_at)
           select $1, v.id, now() from webhook_event v
           where v.occurred_at >= $2 and v.position is not null and ($3::text[] = array['${everyType}'] or v.type = any($3))
           on conflict (endpoint_id, event_id) do nothing returning id)
         select (select count(*) from again)::int + (select count(*) from missed)::int as count`,
        [endpointId, since, types],
      );
      await this.wake(tx, endpointId);
      return row?.count ?? 0;
    });
  }

  /**
   * Sends a signed test event to one endpoint.
   * @returns the ids of the delivery and of the event, to look up the result
   * @throws Problem 404 `webhook_endpoint.unknown`, 409 `webhook_endpoint.disabled`
   */
  ping(endpointId: string): Promise<{ deliveryId: string; eventId: string }> {
    return this.db.transactionOnce(async (tx) => {
      await refuseDisabled(tx, endpointId);
      const eventId = randomUUID();
      const data = { '@type': 'Thing', name: currentTenant().name, description: 'This is a test.', sequence: 1 };
      await tx.query(`insert into webhook_event (id, type, subject_id, sequence, occurred_at, data) values ($1, $2, $3, 1, now(), $4)`, [
        eventId,
        pingType,
        endpointId,
        JSON.stringify(data),
      ]);
      const [row] = await tx.query<{ id: string }[]>(
        'insert into webhook_delivery (endpoint_id, event_id, next_attempt_at) values ($1, $2, now()) returning id',
        [endpointId, eventId],
      );
      await this.wake(tx, endpointId);
      return { deliveryId: (row as { id: string }).id, eventId };
    });
  }

  private async wake(tx: Tx, endpointId: string): Promise<void> {
    await tx.update(WebhookEndpoint, { id: endpointId }, { pausedUntil: null });
    await wakeEndpoint(tx, endpointId);
    this.db.afterCommit(tx, () => this.outbox.notify());
  }
}

async function endpointOf(tx: Tx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await tx.findOne(WebhookEndpoint, { where: { id } });
  if (!endpoint) throw problem('webhook_endpoint.unknown');
  return endpoint;
}

/** Locks the endpoint: its URL and types do not change until the transaction ends. */
async function refuseDisabled(tx: Tx, id: string): Promise<WebhookEndpoint> {
  // FOR KEY SHARE blocks `WebhookEndpointsService.update` only. A stronger lock could deadlock with deliveries, which update the endpoint
  // in another order.
  const endpoint = await tx.findOne(WebhookEndpoint, { where: { id }, lock: { mode: 'for_key_share' } });
  if (!endpoint) throw problem('webhook_endpoint.unknown');
  if (endpoint.disabledAt) throw problem('webhook_endpoint.disabled');
  return endpoint;
}
