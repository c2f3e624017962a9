import { eventIsOverSql, type AssumedDuration } from './event-end.js';
import { isPostponedSql } from './event-publicity.js';

/** Fewest and most dates of a series that a pass is sold for. */
export const passDates = { fewest: 2, most: 20 } as const;

/**
 * SQL, the end of a query: from the dates of the series of an event that sell a product and remain, with the alias `date`. A pass at a
 * price of that product is for all of them.
 * @param series SQL of the id of the series
 * @param product SQL of the id of the product
 */
export function passDatesSql(series: string, product: string, assumed: AssumedDuration, prefix = ''): string {
  return `from ${prefix}event date join ${prefix}event_product sold on sold.event_id = date.id and sold.product_id = ${product}
    where date.series_id = ${series} and date.published and not date.is_private and not ${isPostponedSql('date')}
      and not ${eventIsOverSql('date', assumed)}`;
}
