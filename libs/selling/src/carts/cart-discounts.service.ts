import { Injectable } from '@nestjs/common';
import { lockOrder } from '#orders';
import type { Tx } from '#tenancy';
import { lockEvent } from '#tickets';
import { partsWithTooFewEvents } from '../discounts/order-discounts.js';
import { choiceOf } from '../drafts/draft-rows.js';
import { DraftsService } from '../drafts/drafts.service.js';
import { stillSold } from './cart-refusals.js';
import type { CartPart } from './cart-rows.js';

/** Keeps the discounts of the parts of a cart right that depend on what else the cart contains. */
@Injectable()
export class CartDiscountsService {
  constructor(private readonly drafts: DraftsService) {}

  /** Locks the events of a cart, in the order of their ids, when its parts depend on one another. */
  async lock(tx: Tx, parts: readonly CartPart[], eventIds: readonly string[] = []): Promise<void> {
    const others = parts.flatMap(({ eventId, isDependent }) => (isDependent ? [eventId] : []));
    const ids = new Set([...eventIds, ...others]);
    if (ids.size > 1) for (const id of [...ids].toSorted()) await lockEvent(tx, id);
  }

  /**
   * Prices these parts of a cart anew that depend on others. Holds that have ended stay as they are: they may not be had again.
   * @param memberships products of memberships that the buyer has; default: those for which it was reduced
   */
  async reprice(tx: Tx, parts: readonly CartPart[], memberships?: readonly string[]): Promise<void> {
    const changing = parts.filter(({ isDependent, isDraft, lapsed }) => isDependent && isDraft && !lapsed);
    for (const part of changing.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1))) {
      const choice = { ...(await choiceOf(tx, part)), allDates: true, isKept: true, buying: memberships && { memberships } };
      await this.drafts.repriceIn(tx, part, choice);
    }
  }

  /**
   * Takes discounts back for which a cart has too few events, in a transaction of its own. A hold that has ended begins anew, because the
   * cart could never be completed with its price.
   * @throws RefusedCartPart when a part cannot be had any more
   */
  async takeBack(cartId: string): Promise<void> {
    await this.drafts.taking(async (tx) => {
      if (!(await lockOrder(tx, cartId))) return;
      const parts = await partsWithTooFewEvents(tx, cartId);
      for (const { eventId } of parts) await lockEvent(tx, eventId);
      for (const part of parts) {
        const choice = { ...(await choiceOf(tx, part)), allDates: true, isKept: true };
        await stillSold(part.id, this.drafts.changeIn(tx, part.id, choice));
      }
    });
  }
}
