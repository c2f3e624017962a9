import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, describeWebhook } from '#http';
import { nounOf, webhookEvents, webhookEventTypes, type WebhookEventType } from './webhook-events.js';

/** Members that every `data` has besides the object of the API. */
@ApiModel('WebhookData')
class WebhookDataModel {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Counts the changes of this object.' })
  readonly sequence!: number;
}

/**
 * Describes the `data` of event types for the API document.
 * @param name of its schema
 * @param model the class of the object that changed; `data` also has its `sequence`
 */
export function describeData(types: readonly WebhookEventType[], name: string, model: Type<object>): void {
  @ApiModel(name)
  class Data extends model {
    @ApiProperty({ type: 'integer', minimum: 1, description: 'Counts the changes of this object.' })
    readonly sequence!: number;
  }
  for (const type of types) describe(type, Data);
}

function describe(type: WebhookEventType, data: Type<object>): void {
  describeWebhook(type, {
    summary: webhookEvents[type].en,
    description:
      `\`data\` is ${nounOf(type)?.schema} as it was after the change, with its \`sequence\`. Answer 2xx within 15 seconds, and do ` +
      `each \`webhook-id\` once.`,
    data,
  });
}

// In the order of the list; the libs that publish them describe their data.
for (const type of webhookEventTypes) describe(type, WebhookDataModel);
