import type { Type } from '@nestjs/common';

/** The description of a webhook. */
export interface WebhookDescription {
  readonly summary: string;
  readonly description: string;
  /** Class of its `data`. */
  readonly data: Type<object>;
}

const webhooks = new Map<string, WebhookDescription>();

/** Registers a webhook for the API document. */
export function describeWebhook(type: string, description: WebhookDescription): void {
  webhooks.set(type, description);
}

/** All registered webhooks by type. */
export function allWebhooks(): ReadonlyMap<string, WebhookDescription> {
  return webhooks;
}
