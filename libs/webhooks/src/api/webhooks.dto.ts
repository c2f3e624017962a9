import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ApiModel, IsInstant } from '#http';
import { optional, uuidPattern, whenSent } from '#kernel';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { everyType, webhookEventTypes } from '../webhook-events.js';
import { longestUrl } from './webhook-endpoints.service.js';

const wholeNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
);

const address: ApiPropertyOptions = {
  type: String,
  format: 'uri',
  minLength: 1,
  maxLength: longestUrl,
  description: 'Where events are sent: an http or https address.',
};
const types: ApiPropertyOptions = {
  type: 'array',
  items: { enum: [...webhookEventTypes, everyType] },
  minItems: 1,
  description: 'Event types to send; `*` is every type.',
};

/** Body of `POST /api/v2/webhook-endpoints/`. */
@ApiModel('NewEndpointBody', { example: { url: 'https://example.org/hook', types: ['ticket.scanned', 'ticket.scan_undone'] } })
export class NewEndpointBody {
  @ApiProperty(address)
  @IsString({ message: 'Write the address of your receiver.' })
  @Length(1, longestUrl, { message: `Write the address of your receiver, in at most ${longestUrl} characters.` })
  url!: string;

  @ApiProperty(types)
  @IsArray({ message: 'List the event types to send, or ["*"] for all.' })
  @IsString({ each: true, message: 'List the event types to send, or ["*"] for all.' })
  types!: string[];

  @ApiProperty({ type: String, maxLength: 500, description: 'What it is for. null: nothing.' })
  @optional()
  @IsString({ message: 'Write a text.' })
  @MaxLength(500, { message: 'Write at most 500 characters.' })
  description?: string | null;
}

/** Body of `PATCH /api/v2/webhook-endpoints/{id}/`; absent members stay unchanged. */
@ApiModel('EndpointChangeBody', { example: { enabled: false } })
export class EndpointChangeBody {
  @whenSent()
  @ApiProperty(address)
  @IsString({ message: 'Write the address of your receiver.' })
  @Length(1, longestUrl, { message: `Write the address of your receiver, in at most ${longestUrl} characters.` })
  url?: string;

  @whenSent()
  @ApiProperty(types)
  @IsArray({ message: 'List the event types to send, or ["*"] for all.' })
  @IsString({ each: true, message: 'List the event types to send, or ["*"] for all.' })
  types?: string[];

  @ApiProperty({ type: String, maxLength: 500, description: 'What it is for. null clears it.' })
  @optional()
  @IsString({ message: 'Write a text.' })
  @MaxLength(500, { message: 'Write at most 500 characters.' })
  description?: string | null;

  @whenSent()
  @ApiProperty({ type: Boolean })
  @IsBoolean({ message: 'Send true or false.' })
  enabled?: boolean;
}

/** Body of `POST /api/v2/webhook-endpoints/{id}/send-again/`: one delivery, or all that were not received since a time. */
@ApiModel('SendAgainBody', { example: { since: '2026-11-20T18:00:00+01:00' } })
export class SendAgainBody {
  @whenSent()
  @ApiProperty({ type: String, format: 'uuid' })
  @Matches(new RegExp(`^${uuidPattern}$`), { message: 'Send the identifier of a delivery.' })
  delivery?: string;

  @whenSent()
  @IsInstant()
  since?: string;
}

/** Query of `GET /api/v2/webhook-events/`. */
export class FeedQuery {
  @optional()
  @ApiProperty({
    type: String,
    pattern: `^(\\d{1,15}|${uuidPattern})$`,
    description: 'The position, or the identifier, of the last event that the caller has.',
  })
  @Matches(new RegExp(`^(\\d{1,15}|${uuidPattern})$`), {
    message: 'Send the position, or the identifier, of the last event that you have.',
  })
  after?: string;

  @optional()
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 100 })
  @wholeNumber
  @IsInt({ message: 'Send a whole number from 1 to 500.' })
  @Min(1, { message: 'Send a whole number from 1 to 500.' })
  @Max(500, { message: 'Send a whole number from 1 to 500.' })
  limit?: number;
}

/** Query of `GET /api/v2/webhook-endpoints/{id}/deliveries/`. */
export class DeliveriesQuery {
  @optional()
  @ApiProperty({ enum: ['waiting', 'delivered', 'failed'] })
  @IsIn(['waiting', 'delivered', 'failed'], { message: 'Send waiting, delivered or failed.' })
  status?: 'waiting' | 'delivered' | 'failed';

  @optional()
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 100 })
  @wholeNumber
  @IsInt({ message: 'Send a whole number from 1 to 500.' })
  @Min(1, { message: 'Send a whole number from 1 to 500.' })
  @Max(500, { message: 'Send a whole number from 1 to 500.' })
  limit?: number;
}
