import { Injectable } from '@nestjs/common';
import type { WebhookData, WebhookEventType } from '../webhook-events.js';

type Face<Facts> = (facts: Facts, sequence: number) => WebhookData;

/**
 * How facts that a statement wrote at the door become the object that the API shows. Types without a face are written as they are
 * shown. A face sees the facts of the moment and nothing else, so that a later change does not alter what is told.
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
