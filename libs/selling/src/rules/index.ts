import { RefusedInputs } from '#kernel';
import { RefusedBooking } from '#tickets';
import { paidLines } from '../discounts/paid-lines.js';
import { amountOfItem, amounts } from './amounts.js';
import { answers } from './answers.js';
import { code, reduced } from './code.js';
import { eventOnSale } from './event-on-sale.js';
import { membersPrice } from './members-price.js';
import { chosenOptions, options } from './options.js';
import { priceOnSale } from './price-on-sale.js';
import { priceOf, type HeldSale, type Item, type Rule, type Sale, type Verdict } from './sale.js';
import { saleWindow } from './sale-window.js';
import { size } from './size.js';
import { wholeSeries } from './whole-series.js';

/** All rules that need no counts, in the order in which they are asked. Counts are compared in the database, where places are taken. */
export const rules: readonly Rule[] = [
  size,
  eventOnSale,
  code,
  priceOnSale,
  saleWindow,
  wholeSeries,
  amounts,
  membersPrice,
  options,
  answers,
];

/**
 * Judges a sale by all rules, without reading the database.
 * @throws RefusedBooking, RefusedInput: the fault of the first rule that refuses; RefusedInputs when it has several
 */
export function judge(sale: Sale): Verdict {
  for (const rule of rules) {
    const [first, ...others] = rule.refuse(sale);
    if (!first) continue;
    // A conflict has an answer of its own, which names one reason.
    throw first instanceof RefusedBooking || others.length === 0 ? first : new RefusedInputs([first, ...others]);
  }
  return {
    lines: paidLines(
      sale.items.map((item, index) => pricedItem(sale, item, index)),
      sale.offer.discounts,
      { eventIds: [sale.offer.event.id], memberships: [], ...sale.buying },
    ),
    options: chosenOptions(sale.offer.options, sale.options),
  };
}

function pricedItem(sale: Sale, item: Item, index: number) {
  const [price, full] = [priceOf(sale, item), amountOfItem(sale, item, index)];
  return { price, full, quantity: item.quantity, coded: reduced(sale, price, full) };
}

/**
 * Judges held tickets that their buyer orders.
 * @throws RefusedBooking on `tickets`: the fault of the first rule that refuses
 */
export function judgeHeld(sale: HeldSale): void {
  for (const rule of rules) {
    const [fault] = rule.refuseHeld?.(sale) ?? [];
    if (fault) throw fault;
  }
}
