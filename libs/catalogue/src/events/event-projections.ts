import { Injectable } from '@nestjs/common';
import type { Tx } from '#tenancy';

/**
 * Brings copies of events up to date: those of these ids that exist as they are in this transaction, those that do not exist any more. Works
 * in the transaction of the change, so that event and copy are committed together.
 */
export type EventProjection = (tx: Tx, ids: readonly string[]) => Promise<void>;

/** So many events are handed on at a time: an address may be that of thousands. */
const atOnce = 200;

/**
 * The one list of who keeps copies of events outside of the tenant's tables. Every transaction that makes, changes, cancels or deletes an
 * event, or changes what its rows point to (tags, address, pictures), calls `changed` as its last step: a projection takes locks that
 * others wait for.
 */
@Injectable()
export class EventProjections {
  private readonly projections: EventProjection[] = [];

  /** To be called when the module is initialised. */
  add(projection: EventProjection): void {
    this.projections.push(projection);
  }

  /** Events of the current tenant changed in this transaction. */
  async changed(tx: Tx, ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += atOnce) {
      for (const projection of this.projections) await projection(tx, ids.slice(from, from + atOnce));
    }
  }
}
