import { RefusedBooking, saleFault } from '#tickets';
import { fieldOf, priceOf, type Rule } from './sale.js';

/** The sale of each price has begun and has not ended. */
export const saleWindow: Rule = {
  name: 'sale-window',
  refuse: (sale) =>
    sale.decides ? [] : sale.items.flatMap((item, index) => saleFault(priceOf(sale, item), fieldOf(index, 'priceId')) ?? []),
  // They stay on sale for their buyer as long as they are held.
  refuseHeld: ({ offer, lapsed }) =>
    lapsed && [...offer.prices.values()].some(({ sale }) => sale === 'ended') ? [new RefusedBooking('sale_ended', 'tickets')] : [],
};
