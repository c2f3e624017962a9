import { IsInstant } from '#http';
import { databaseNow, isoInZone, present, uuidPattern, whenSent } from '#kernel';
import { currentTenant } from '#tenancy';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { WebhookDelivery } from '../delivery/webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { everyType, webhookEventTypes } from '../webhook-events.js';
import type { FeedEvent } from '../outbox/webhook-feed.service.js';

const wholeNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
);

/** Body of `POST /api/v2/webhook-endpoints/`. */
export class NewEndpointBody {
  @JSONSchema({ format: 'uri', description: 'Where events are sent: an http or https address.' })
  @IsString({ message: 'Write the address of your receiver.' })
  @Length(1, 2000, { message: 'Write the address of your receiver, in at most 2000 characters.' })
  url!: string;

  @JSONSchema({
    items: { enum: [...webhookEventTypes, everyType] },
    minItems: 1,
    description: 'Event types to send; `*` is every type.',
  })
  @IsArray({ message: 'List the event types to send, or ["*"] for all.' })
  @IsString({ each: true, message: 'List the event types to send, or ["*"] for all.' })
  types!: string[];

  @JSONSchema({ type: ['string', 'null'], description: 'What it is for. null: nothing.' })
  @IsOptional()
  @IsString({ message: 'Write a text.' })
  @MaxLength(500, { message: 'Write at most 500 characters.' })
  description?: string | null;
}

/** Body of `PATCH /api/v2/webhook-endpoints/{id}/`; absent members stay unchanged. */
export class EndpointChangeBody {
  @whenSent()
  @JSONSchema({ format: 'uri', description: 'Where events are sent: an http or https address.' })
  @IsString({ message: 'Write the address of your receiver.' })
  @Length(1, 2000, { message: 'Write the address of your receiver, in at most 2000 characters.' })
  url?: string;

  @whenSent()
  @JSONSchema({
    items: { enum: [...webhookEventTypes, everyType] },
    minItems: 1,
    description: 'Event types to send; `*` is every type.',
  })
  @IsArray({ message: 'List the event types to send, or ["*"] for all.' })
  @IsString({ each: true, message: 'List the event types to send, or ["*"] for all.' })
  types?: string[];

  @JSONSchema({ type: ['string', 'null'], description: 'What it is for. null clears it.' })
  @IsOptional()
  @IsString({ message: 'Write a text.' })
  @MaxLength(500, { message: 'Write at most 500 characters.' })
  description?: string | null;

  @whenSent()
  @IsBoolean({ message: 'Send true or false.' })
  enabled?: boolean;
}

/** Body of `POST /api/v2/webhook-endpoints/{id}/send-again/`: one delivery, or everything that was not received since a moment. */
export class SendAgainBody {
  @whenSent()
  @Matches(new RegExp(`^${uuidPattern}$`), { message: 'Send the identifier of a delivery.' })
  delivery?: string;

  @whenSent()
  @IsInstant()
  since?: string;
}

/** Query of `GET /api/v2/webhook-events/`. */
export class FeedQuery {
  @IsOptional()
  @Matches(new RegExp(`^(\\d{1,15}|${uuidPattern})$`), {
    message: 'Send the position, or the identifier, of the last event that you have.',
  })
  after?: string;

  @IsOptional()
  @wholeNumber
  @IsInt({ message: 'Send a whole number from 1 to 500.' })
  @Min(1, { message: 'Send a whole number from 1 to 500.' })
  @Max(500, { message: 'Send a whole number from 1 to 500.' })
  limit?: number;
}

/** Query of `GET /api/v2/webhook-endpoints/{id}/deliveries/`. */
export class DeliveriesQuery {
  @IsOptional()
  @IsIn(['waiting', 'delivered', 'failed'], { message: 'Send waiting, delivered or failed.' })
  status?: 'waiting' | 'delivered' | 'failed';

  @IsOptional()
  @wholeNumber
  @IsInt({ message: 'Send a whole number from 1 to 500.' })
  @Min(1, { message: 'Send a whole number from 1 to 500.' })
  @Max(500, { message: 'Send a whole number from 1 to 500.' })
  limit?: number;
}

type Answer = Readonly<Record<string, unknown>>;

const at = (instant: Date | null): string | undefined => (instant ? isoInZone(instant, currentTenant().timeZone) : undefined);

export function toEndpointAnswer(endpoint: WebhookEndpoint): Answer {
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
    dateCreated: at(endpoint.createdAt),
  });
}

export function toDeliveryAnswer(delivery: WebhookDelivery): Answer {
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
    dateCreated: at(delivery.createdAt),
  });
}

/** An event as the feed shows it; `identifier` is the `webhook-id` of its deliveries, `type`, `timestamp` and `data` are their body. */
export function toFeedAnswer(event: FeedEvent): Answer {
  return {
    identifier: event.id,
    position: Number(event.position),
    type: event.type,
    timestamp: isoInZone(event.occurredAt, currentTenant().timeZone),
    data: event.data,
  };
}
