import { Injectable } from '@nestjs/common';
import { ServerLoad, SpacedTurns } from '#http';
/** Pause between two rounds of the worker, so that messages are dispatched in batches. */
const gapMs = { calm: 25, busy: 1000 } as const;
/** Pause between two requests to receivers while the process is busy. */
const spacingMs = 50;
/** Maximum number of messages dispatched in one round, over all tenants. */
const messagesInCalm = 4000;
const messagesInRush = 80;

/**
 * Slows background work down while the process answers many HTTP requests, so that scans stay fast. Worker processes answer no requests
 * and are never slowed down.
 */
@Injectable()
export class DeliveryPace {
  private readonly turns = new SpacedTurns(spacingMs);

  constructor(private readonly load: ServerLoad) {}

  /** Milliseconds between the starts of two rounds. */
  get gapMs(): number {
    return this.load.busy ? gapMs.busy : gapMs.calm;
  }

  /** Number of messages that the current round may still dispatch after `handedOn` messages. */
  messagesLeft(handedOn: number): number {
    return Math.max(0, (this.load.busy ? messagesInRush : messagesInCalm) - handedOn);
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    if (this.load.busy) await this.turns.wait();
  }
}
