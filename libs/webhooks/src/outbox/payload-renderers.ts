import { Injectable } from '@nestjs/common';
import type { WebhookData, WebhookEventType } from '../webhook-events.js';

type Renderer<Facts> = (facts: Facts, sequence: number) => WebhookData;

/**
 * Renderers that turn the facts written by a scan statement into the object that the API shows. Data of types without a renderer is sent
 * as it is stored. A renderer uses only the stored facts, so that later changes do not alter the payload.
 */
@Injectable()
export class PayloadRenderers {
  private readonly renderers = new Map<WebhookEventType, Renderer<never>>();

  /** Registers the renderer of a type whose facts a prepared statement writes into the outbox. */
  add<Facts>(type: WebhookEventType, renderer: Renderer<Facts>): void {
    this.renderers.set(type, renderer);
  }

  /** Renders the payload of a message; messages without renderer contain their payload. */
  render(type: WebhookEventType, written: unknown, sequence: number): WebhookData {
    const renderer = this.renderers.get(type) as Renderer<unknown> | undefined;
    return renderer ? renderer(written, sequence) : (written as WebhookData);
  }
}
