import { Injectable } from '@nestjs/common';
import { lockOrder } from '#orders';
import type { Tx } from '#tenancy';
import { lockEvent } from '#tickets';
import { choiceOf } from '../drafts/draft-rows.js';
import { DraftsService } from '../drafts/drafts.service.js';
import { partsOf, type CartPart } from './cart-rows.js';

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
   * Prices the parts of a cart anew that depend on others. Holds that have ended stay as they are: they may not be had again.
   * @param memberships products of memberships that the buyer has; default: those for which it was reduced
   */
  async reprice(tx: Tx, cartId: string, memberships?: readonly string[]): Promise<void> {
    const parts = await partsOf(tx, cartId);
    const changing = parts.filter(({ isDependent, isDraft, lapsed }) => isDependent && isDraft && !lapsed);
    for (const part of changing.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1))) {
      const choice = { ...(await choiceOf(tx, part)), allDates: true, buying: memberships && { memberships } };
      await this.drafts.repriceIn(tx, part, choice);
    }
  }

  /** The same in a transaction of its own, for a cart that lost parts. */
  async repriceAll(cartId: string): Promise<void> {
    await this.drafts.taking(async (tx) => {
      if (!(await lockOrder(tx, cartId))) return;
      await this.lock(tx, await partsOf(tx, cartId));
      await this.reprice(tx, cartId);
    });
  }
}
