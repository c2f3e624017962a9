import { RefusedBooking } from '#tickets';
import { fieldOf, priceOf, type Rule } from './sale.js';

/** A price for all dates of a series is sold for one of them by staff only. */
export const wholeSeries: Rule = {
  name: 'whole-series',
  refuse: (sale) =>
    sale.decides || sale.allDates
      ? []
      : sale.items.flatMap((item, index) =>
          priceOf(sale, item).wholeSeries ? [new RefusedBooking('whole_series', fieldOf(index, 'priceId'))] : [],
        ),
};
