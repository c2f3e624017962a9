import { Injectable } from '@nestjs/common';
import type { WebhookData, WebhookEventType } from '../webhook-events.js';

type Face<Facts> = (facts: Facts, sequence: number) => WebhookData;

/**
 * Renderers that turn the facts written by a scan statement into the object that the API shows. Data of types without a renderer is sent
 * as it is stored. A renderer uses only the stored facts, so that later changes do not alter the payload.
 */
@Injectable()
export class PayloadRenderers {
  private readonly faces = new Map<WebhookEventType, Face<never>>();

  add<Facts>(type: WebhookEventType, face: Face<Facts>): void {
    this.faces.set(type, face);
  }

  show(type: WebhookEventType, written: unknown, sequence: number): WebhookData {
    const face = this.faces.get(type) as Face<unknown> | undefined;
    return face ? face(written, sequence) : (written as WebhookData);
  }
}
