import type { OfferedDiscount } from '#tickets';
import type { Buying, DiscountRule } from './discount-rule.js';

/** How many events of an order a discount counts: all, or those that it names. */
const counted = ({ eventIds }: OfferedDiscount, order: Buying): number =>
  order.eventIds.filter((id) => eventIds.length === 0 || eventIds.includes(id)).length;

/** From a number of different events in one order on, each ticket is cheaper. */
export const events: DiscountRule = {
  isGiven: (discount, _, buying) => counted(discount, buying) >= (discount.least ?? 1),
  missing(discount, pieces, buying) {
    const count = (discount.least ?? 1) - counted(discount, buying);
    return pieces.length > 0 && count > 0 ? { what: 'events', count } : undefined;
  },
};
