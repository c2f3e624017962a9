import type { Type } from '@nestjs/common';

/** A webhook that is sent: what it tells. */
export interface WebhookDescription {
  readonly summary: string;
  readonly description: string;
  /** The class of its `data`. */
  readonly data: Type<object>;
}

const webhooks = new Map<string, WebhookDescription>();

/** Describes a webhook for the API document. */
export function describeWebhook(type: string, description: WebhookDescription): void {
  webhooks.set(type, description);
}

/** Every described webhook, by its type. */
export function allWebhooks(): ReadonlyMap<string, WebhookDescription> {
  return webhooks;
}
