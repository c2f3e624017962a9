/** SQL: whether everybody sees a price: it is published, and needs no code. @param price alias of its row */
export const isShownSql = (price: string): string => `${price}.published and not ${price}.hidden`;

/** Whether buyers can choose a price now: its sale opens later, is open, or has ended. */
export type SaleState = 'upcoming' | 'open' | 'ended';

/** SQL: the `SaleState` of a price now. @param price alias of its row */
export function saleStateSql(price: string): string {
  return `case when ${price}.sales_from > statement_timestamp() then 'upcoming'
    when ${price}.sales_until <= statement_timestamp() then 'ended' else 'open' end`;
}

/** SQL: when the `SaleState` of a price changes next; null: never. @param price alias of its row */
export function nextSaleChangeSql(price: string): string {
  return `case when ${price}.sales_from > statement_timestamp() then ${price}.sales_from
    when ${price}.sales_until > statement_timestamp() then ${price}.sales_until end`;
}
