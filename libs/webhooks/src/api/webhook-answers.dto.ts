import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { databaseNow, isoInZone, present } from '#kernel';
import { currentTenant } from '#tenancy';
import { attemptFailures, type AttemptFailure } from '../delivery/attempt-failures.js';
import type { WebhookDelivery } from '../delivery/webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { FeedEvent } from '../outbox/webhook-feed.service.js';
import { everyType, webhookEventTypes, type WebhookData } from '../webhook-events.js';

const endpointExample: EndpointAnswer = {
  identifier: '6f1c8f0e-2f0b-4a0e-9a63-5d3f3b8f1a11',
  url: 'https://example.org/hook',
  types: ['ticket.scanned', 'ticket.scan_undone'],
  enabled: true,
  dateCreated: '2026-11-21T11:15:37.383+01:00',
};
const secret = { type: String, pattern: '^whsec_', description: 'Shown this once.' };
const secretExample = 'whsec_avZSSW4YmshITKMYf/sDYKdHGUtrWtdTAXi4WELCE/8=';

/** An endpoint; its secret is not shown again. */
@ApiModel('WebhookEndpoint', { example: endpointExample })
export class EndpointAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.url)
  readonly url!: string;

  @ApiProperty({ type: 'array', items: { enum: [...webhookEventTypes, everyType] }, minItems: 1 })
  readonly types!: readonly string[];

  @ApiPropertyOptional(formats.text)
  readonly description?: string;

  @ApiProperty(formats.boolean)
  readonly enabled!: boolean;

  @ApiPropertyOptional({ enum: ['staff', 'gone', 'failing'] })
  readonly disabledReason?: string;

  @ApiPropertyOptional(formats.instant)
  readonly disabledAt?: string;

  @ApiPropertyOptional(formats.instant)
  readonly failingSince?: string;

  @ApiPropertyOptional(formats.instant)
  readonly lastSuccessAt?: string;

  @ApiPropertyOptional(formats.instant)
  readonly previousSecretValidUntil?: string;

  @ApiProperty(formats.instant)
  readonly dateCreated!: string;
}

/** A created endpoint, with its secret. */
@ApiModel('NewWebhookEndpoint', { example: { ...endpointExample, secret: secretExample } })
export class NewEndpointAnswer extends EndpointAnswer {
  @ApiProperty(secret)
  readonly secret!: string;
}

export class EndpointList {
  @ApiProperty({ type: [EndpointAnswer] })
  readonly results!: readonly EndpointAnswer[];
}

/** A new secret of an endpoint. */
@ApiModel('WebhookSecret')
export class SecretAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(secret)
  readonly secret!: string;

  @ApiProperty(formats.instant)
  readonly previousSecretValidUntil!: string;
}

/** A test event. */
@ApiModel('WebhookPing')
export class PingAnswer {
  @ApiProperty(formats.uuid)
  readonly delivery!: string;

  @ApiProperty(formats.uuid)
  readonly event!: string;
}

@ApiModel('WebhookDelivery')
export class DeliveryAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.uuid)
  readonly event!: string;

  @ApiProperty(formats.text)
  readonly type!: string;

  @ApiProperty({ enum: ['waiting', 'delivered', 'failed'] })
  readonly status!: 'waiting' | 'delivered' | 'failed';

  @ApiProperty(formats.count)
  readonly attempts!: number;

  @ApiPropertyOptional(formats.instant)
  readonly lastAttemptAt?: string;

  @ApiPropertyOptional({ type: 'integer' })
  readonly lastStatus?: number;

  @ApiPropertyOptional({ enum: Object.keys(attemptFailures) })
  readonly lastFailure?: AttemptFailure;

  @ApiPropertyOptional(formats.instant)
  readonly nextAttemptAt?: string;

  @ApiProperty(formats.instant)
  readonly dateCreated!: string;
}

export class DeliveryList {
  @ApiProperty({ type: [DeliveryAnswer] })
  readonly results!: readonly DeliveryAnswer[];
}

/** The number of deliveries that are sent again. */
@ApiModel('WebhookDeliveriesSentAgain')
export class SentAgainAnswer {
  @ApiProperty(formats.count)
  readonly deliveries!: number;
}

@ApiModel('WebhookEvent', { description: 'Deliveries carry type, timestamp and data as their body.' })
export class FeedEventAnswer {
  @ApiProperty({ ...formats.uuid, description: 'The webhook-id of its deliveries.' })
  readonly identifier!: string;

  @ApiProperty(formats.count)
  readonly position!: number;

  @ApiProperty({ enum: webhookEventTypes })
  readonly type!: string;

  @ApiProperty(formats.instant)
  readonly timestamp!: string;

  @ApiProperty({
    type: 'object',
    description: 'The object as the API shows it; `webhooks` describes it for each type.',
    properties: { sequence: { type: 'integer', minimum: 1, description: 'Counts the changes of this object.' } },
    required: ['sequence'],
    additionalProperties: true,
    selfRequired: true,
  })
  readonly data!: WebhookData;
}

@ApiModel('WebhookFeed')
export class FeedAnswer {
  @ApiProperty({ type: [FeedEventAnswer] })
  readonly results!: readonly FeedEventAnswer[];

  @ApiProperty({ anyOf: [{ type: 'integer' }, { type: 'string' }], description: 'Send it as `after` next time.' })
  readonly next!: number | string;

  @ApiProperty({ ...formats.boolean, description: 'There is more to get right now.' })
  readonly more!: boolean;
}

const at = (instant: Date | null): string | undefined => (instant ? isoInZone(instant, currentTenant().timeZone) : undefined);

/** Renders an endpoint, without its secret. */
export function toEndpointAnswer(endpoint: WebhookEndpoint): EndpointAnswer {
  const previous = endpoint.previousSecretExpiresAt;
  return present({
    identifier: endpoint.id,
    url: endpoint.url,
    types: endpoint.types,
    description: endpoint.description,
    enabled: endpoint.disabledAt === null,
    disabledReason: endpoint.disabledReason,
    disabledAt: at(endpoint.disabledAt),
    failingSince: at(endpoint.failingSince),
    lastSuccessAt: at(endpoint.lastSuccessAt),
    previousSecretValidUntil: previous && previous > databaseNow() ? at(previous) : undefined,
    dateCreated: isoInZone(endpoint.createdAt, currentTenant().timeZone),
  });
}

/** Renders a delivery. */
export function toDeliveryAnswer(delivery: WebhookDelivery): DeliveryAnswer {
  return present({
    identifier: delivery.id,
    event: delivery.eventId,
    type: delivery.event.type,
    status: delivery.status,
    attempts: delivery.attempts,
    lastAttemptAt: at(delivery.lastAttemptAt),
    lastStatus: delivery.lastStatus,
    lastFailure: delivery.lastFailure,
    nextAttemptAt: at(delivery.nextAttemptAt),
    dateCreated: isoInZone(delivery.createdAt, currentTenant().timeZone),
  });
}

/** Renders an event of the feed. `identifier` is the `webhook-id` of its deliveries; `type`, `timestamp` and `data` are their body. */
export function toFeedAnswer(event: FeedEvent): FeedEventAnswer {
  return {
    identifier: event.id,
    position: Number(event.position),
    type: event.type,
    timestamp: isoInZone(event.occurredAt, currentTenant().timeZone),
    data: event.data,
  };
}
