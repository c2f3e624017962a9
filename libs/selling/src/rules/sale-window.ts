import { saleFault } from '#tickets';
import { fieldOf, priceOf, type Rule } from './sale.js';

/** The sale of each price has begun and has not ended. */
export const saleWindow: Rule = {
  name: 'sale-window',
  refuse: (sale) =>
    sale.decides ? [] : sale.items.flatMap((item, index) => saleFault(priceOf(sale, item), fieldOf(index, 'priceId')) ?? []),
};
