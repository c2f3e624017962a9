import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { databaseNow, FairLimit, metrics, utcSql } from '#kernel';
import { TenantDb, type PreparedStatement } from '#tenancy';
import { limits } from '../limits.js';
import { WebhookSecrets } from '../endpoints/webhook-secrets.js';
import { webhookBody } from '../webhook-body.js';
import type { DisabledReason } from '../endpoints/webhook-endpoint.entity.js';
import { DeliveryPace } from './delivery-pace.js';
import type { Lease } from './delivery-queue.service.js';
import { retryDelay } from './retry-schedule.js';
import { WebhookRequests, type AttemptOutcome } from './webhook-request.js';

export const endpointConcurrency = limits.requests.turns.each;
const batch = 50;
/** When an endpoint recovers after failing for longer than this, all its waiting deliveries become due at once. */
const recoveryAfterMs = 60_000;

interface Endpoint {
  readonly url: string;
  readonly keys: readonly Buffer[];
  failingSince: Date | null;
}

interface DueDelivery {
  readonly id: string;
  readonly failures: number;
  readonly ahead: boolean;
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: string;
}

const attemptsTotal = new Counter({
  name: 'guichet_webhook_attempts_total',
  help: 'Requests to webhook endpoints, by outcome.',
  labelNames: ['outcome'],
  registers: [metrics],
});
const firstAttemptSeconds = new Histogram({
  name: 'guichet_webhook_lag_seconds',
  help: 'Time from a change to the end of the first attempt to deliver it.',
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  registers: [metrics],
});

/** Sends the due deliveries of one endpoint of the current tenant. */
@Injectable()
export class DelivererService {
  constructor(
    private readonly db: TenantDb,
    private readonly secrets: WebhookSecrets,
    private readonly requests: WebhookRequests,
    private readonly pace: DeliveryPace,
  ) {}

  /**
   * Sends due deliveries for one time slice. `mayGoOn` is called before each request and returns false when the lease is lost or the
   * worker stops.
   */
  async serve({ endpointId }: Lease, mayGoOn: () => boolean): Promise<void> {
    const endpoint = await this.load(endpointId);
    if (!endpoint) return;
    const until = performance.now() + limits.slice.ms;
    let stopped = false;
    const goesOn = (): boolean => !stopped && mayGoOn() && performance.now() < until;
    while (goesOn()) {
      const due = await this.due(endpointId);
      if (due.length === 0) return;
      const turns = new FairLimit({ ...limits.requests.turns, total: endpoint.failingSince ? 1 : endpointConcurrency });
      await Promise.all(
        due.map((delivery) =>
          turns.run(async () => {
            await this.pace.turn();
            if (!goesOn()) return;
            if ((await this.attempt(endpointId, endpoint, delivery)) === 'stop') stopped = true;
          }),
        ),
      );
    }
  }

  private async attempt(endpointId: string, endpoint: Endpoint, delivery: DueDelivery): Promise<'go on' | 'stop'> {
    const { url, keys } = endpoint;
    const outcome = await this.requests.send({ url, id: delivery.eventId, body: webhookBody(delivery), keys });
    attemptsTotal.inc({ outcome: outcome.failure ?? 'delivered' });
    if (delivery.failures === 0)
      firstAttemptSeconds.observe(Math.max(0, (databaseNow().getTime() - Date.parse(delivery.occurredAt)) / 1000));
    const disabled = await this.record(endpointId, delivery, outcome);
    if (outcome.failure !== null) {
      endpoint.failingSince ??= outcome.attemptedAt;
      return disabled || outcome.retryAfter !== undefined || outcome.failure === 'gone' ? 'stop' : 'go on';
    }
    if (endpoint.failingSince && databaseNow().getTime() - endpoint.failingSince.getTime() > recoveryAfterMs)
      await this.bringForward(endpointId);
    endpoint.failingSince = null;
    return 'go on';
  }

  private async load(endpointId: string): Promise<Endpoint | undefined> {
    const [row] = await this.db.statement<{
      url: string;
      secret: Buffer;
      previous: Buffer | null;
      failingSince: Date | null;
    }>(endpointStatement, [endpointId]);
    if (!row) return undefined;
    const sealed = row.previous ? [row.secret, row.previous] : [row.secret];
    return { url: row.url, keys: sealed.map((box) => this.secrets.open(box)), failingSince: row.failingSince };
  }

  private due(endpointId: string): Promise<DueDelivery[]> {
    return this.db.statement<DueDelivery & Record<string, unknown>>(dueStatement, [endpointId, batch]);
  }

  /** @returns the reason when this attempt disabled the endpoint, else undefined */
  private async record(endpointId: string, delivery: DueDelivery, outcome: AttemptOutcome): Promise<DisabledReason | null> {
    const { attemptedAt, milliseconds, status, failure, answer, retryAfter } = outcome;
    // A `Retry-After` answer, and a failed attempt that was moved ahead of its schedule, do not count as failures of the receiver.
    const counts = failure !== null && retryAfter === undefined && !delivery.ahead;
    const failures = delivery.failures + (counts ? 1 : 0);
    const scheduled = retryDelay(Math.max(failures, 1));
    const delay = scheduled === undefined ? undefined : Math.max(scheduled, retryAfter ?? 0);
    const next = failure === null ? 'delivered' : delay === undefined || failure === 'gone' ? 'failed' : 'waiting';
    const [row] = await this.db.statement<{ disabled: DisabledReason | null }>(recordStatement, [
      delivery.id,
      endpointId,
      attemptedAt,
      milliseconds,
      status,
      failure,
      answer,
      next,
      failures,
      next === 'waiting' ? delay : null,
      retryAfter ?? null,
    ]);
    return row?.disabled ?? null;
  }

  private async bringForward(endpointId: string): Promise<void> {
    await this.db.statement(bringForwardStatement, [endpointId]);
  }
}

const endpointStatement: PreparedStatement = {
  name: 'webhook-endpoint',
  text: `select url, sealed_secret as secret, failing_since as "failingSince",
      case when previous_secret_expires_at > now() then sealed_previous_secret end as previous
    from {tenant}.webhook_endpoint where id = $1 and disabled_at is null and (paused_until is null or paused_until <= now())`,
};

const dueStatement: PreparedStatement = {
  name: 'webhook-due',
  text: `select d.id, d.failures, d.ahead_of_schedule as ahead, v.id as "eventId", v.type, v.data::text as data,
      ${utcSql('v.occurred_at')} as "occurredAt"
    from {tenant}.webhook_delivery d join {tenant}.webhook_event v on v.id = d.event_id
    where d.endpoint_id = $1 and d.status = 'waiting' and d.next_attempt_at <= now()
    order by d.next_attempt_at, v.position limit $2`,
};

/**
 * Updates attempt, delivery and endpoint in one statement. $8: new status of the delivery, $9: its failure count, $10: seconds until its
 * next attempt, $11: seconds to pause the endpoint (`Retry-After`). Five days of failures only, or status 410, disable the endpoint
 * (docs/decisions, section 10).
 */
const recordStatement: PreparedStatement = {
  name: 'webhook-record',
  text: `
with delivery as (
    update {tenant}.webhook_delivery set attempts = attempts + 1, failures = $9, status = $8, ahead_of_schedule = false,
      next_attempt_at = now() + make_interval(secs => $10::float8), last_attempt_at = $3, last_status = $5, last_failure = $6
    where id = $1 returning id
  ), attempt as (
    insert into {tenant}.webhook_attempt (delivery_id, attempted_at, milliseconds, status, failure, answer)
    select id, $3, $4, $5, $6, $7 from delivery
  )
update {tenant}.webhook_endpoint e set
    failing_since = case when $6::text is null then null else coalesce(failing_since, $3) end,
    last_success_at = case when $6::text is null then $3 else last_success_at end,
    paused_until = case when $11::float8 is null then paused_until else (select now() + make_interval(secs => $11::float8)) end,
    disabled_at = case when $6 = 'gone' or ($6 is not null and failing_since < (select now() - interval '5 days')) then (select now()) end,
    disabled_reason = case when $6 = 'gone' then 'gone'
      when $6 is not null and failing_since < (select now() - interval '5 days') then 'failing' end
  where id = $2 and disabled_at is null and (
    $6 is not null or failing_since is not null or last_success_at is null or last_success_at < (select now() - interval '1 minute'))
  returning disabled_reason as disabled`,
};

const bringForwardStatement: PreparedStatement = {
  name: 'webhook-bring-forward',
  text: `update {tenant}.webhook_delivery set next_attempt_at = now(), ahead_of_schedule = failures > 0
    where endpoint_id = $1 and status = 'waiting' and next_attempt_at > (select now())`,
};
