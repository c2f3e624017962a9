import { Injectable } from '@nestjs/common';
import type { Tx } from '#tenancy';

/**
 * Updates copies of events: writes those of these ids that exist in this transaction and removes the others. Runs in the transaction of
 * the change, so that event and copy are committed together.
 */
export type EventProjection = (tx: Tx, ids: readonly string[]) => Promise<void>;

/** Events per call, because one address may belong to thousands of events. */
const atOnce = 200;

/**
 * The registry of all copies of events outside of the tenant's tables. `EventPublisherService` calls `changed` for each event that it
 * publishes. Transactions that publish nothing call it when they delete or cancel an event, or change rows that it refers to (its
 * address). It is their last step, because projections take locks that others wait for.
 */
@Injectable()
export class EventProjections {
  private readonly projections: EventProjection[] = [];

  /** Registers a projection; call it when the module is initialised. */
  add(projection: EventProjection): void {
    this.projections.push(projection);
  }

  /** Runs all projections for events of the current tenant that changed in this transaction. */
  async changed(tx: Tx, ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += atOnce) {
      for (const projection of this.projections) await projection(tx, ids.slice(from, from + atOnce));
    }
  }
}
