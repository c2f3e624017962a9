import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ServerLoad } from '#http';
/** Between two rounds of the worker, so that what happens meanwhile is handed on together. */
const gapMs = { calm: 25, busy: 1000 } as const;
/** Between two requests to receivers while the process is busy. */
const spacingMs = 50;
/** Messages handed on in one round, of all tenants. */
const messagesInCalm = 4000;
const messagesInRush = 80;

/**
 * The door comes first: while a process has its hands full with requests, its background work takes a few per cent of the time and
 * lets the rest wait. Processes that only work have no requests and are never held back.
 */
@Injectable()
export class DeliveryPace {
  private nextTurn = 0;

  constructor(private readonly load: ServerLoad) {}

  /** Milliseconds from the beginning of one round to the next. */
  get gapMs(): number {
    return this.load.busy ? gapMs.busy : gapMs.calm;
  }

  /** How many messages more a round may hand on that handed on so many. */
  messagesLeft(handedOn: number): number {
    return Math.max(0, (this.load.busy ? messagesInRush : messagesInCalm) - handedOn);
  }

  /** Resolves when the next request may go out. */
  async turn(): Promise<void> {
    if (!this.load.busy) return;
    const now = performance.now();
    this.nextTurn = Math.max(now, this.nextTurn) + spacingMs;
    await setTimeout(this.nextTurn - now);
  }
}
