import { refusalsOf } from '#kernel';
import { amountToPay, checkSum } from '#tickets';
import { fieldOf, priceOf, type Item, type Rule, type Sale } from './sale.js';

/** The amount of each piece of an item, decimal text. @throws RefusedInput on `tickets.<index>.amount` */
export const amountOfItem = (sale: Pick<Sale, 'offer'>, item: Item, index: number): string =>
  amountToPay(priceOf(sale, item), item.amount, fieldOf(index, 'amount'));

/** A chosen amount is a number and at least that of the price; the sum can be stored. */
export const amounts: Rule = {
  name: 'amounts',
  refuse(sale) {
    const paid: string[] = [];
    const faults = sale.items.flatMap((item, index) =>
      refusalsOf(() => {
        const amount = amountOfItem(sale, item, index);
        paid.push(...Array.from({ length: item.quantity }, () => amount));
      }),
    );
    return faults.length > 0 ? faults : refusalsOf(() => checkSum(paid));
  },
};
