import { Injectable } from '@nestjs/common';
import { ServerLoad } from '#http';
import { TokenBuckets } from '#kernel';
import { limits } from '../limits.js';

/**
 * Slows background work down while the process answers many HTTP requests, so that scans stay fast. Worker processes answer no requests
 * and are never slowed down.
 */
@Injectable()
export class DeliveryPace {
  private readonly turns = new TokenBuckets(1);

  constructor(private readonly load: ServerLoad) {}

  /** Milliseconds between the starts of two rounds. */
  get gapMs(): number {
    return (this.load.busy ? limits.busyGap : limits.calmGap).ms;
  }

  /** Number of messages that the current round may still dispatch after `handedOn` messages. */
  messagesLeft(handedOn: number): number {
    return Math.max(0, (this.load.busy ? limits.busyRound : limits.calmRound).number - handedOn);
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    if (this.load.busy) await this.turns.turn('requests', limits.pace.rate);
  }
}
