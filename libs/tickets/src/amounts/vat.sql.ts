import { vatRateSql } from '#catalogue';

/** SQL: the VAT rate in percent at which a row of `ticket` or `membership` was sold; needs the price joined. */
export const soldVatRateSql = (row: string, price = 'price'): string => `coalesce(${row}.vat_rate, ${vatRateSql(`${price}.vat`)})`;

/** SQL: the VAT in a gross amount, rounded to cents. */
export const vatInSql = (amount: string, rate: string): string => `round((${amount}) * ${rate} / (100 + ${rate}), 2)`;

/** SQL: the sum of those tickets of the reservation that have the same rate and stand before a ticket, or are the ticket itself. */
const upTo = (compare: '<' | '<='): string => `(select coalesce(sum(same.amount), 0) from ticket same
  join price same_price on same_price.id = same.price_id
  where same.reservation_id = ticket.reservation_id and (same.status = 'R') = (ticket.status = 'R')
    and ${soldVatRateSql('same', 'same_price')} = ${soldVatRateSql('ticket')}
    and (same.position, same.id) ${compare} (ticket.position, ticket.id))`;

/**
 * SQL: the VAT in a row of `ticket`; needs `price` joined. VAT is computed once from the sum of all tickets of a receipt that have the same
 * rate, and spread over them: each has what the VAT of the sum grows by with it, so that the parts always add up to the VAT of the receipt.
 * Cancelled tickets are spread among themselves.
 */
export const ticketVatSql = `(${vatInSql(upTo('<='), soldVatRateSql('ticket'))} - ${vatInSql(upTo('<'), soldVatRateSql('ticket'))})`;

/** SQL: the VAT in the tickets of the reservation `reservation` that are not cancelled. */
export const reservationVatSql = `(select coalesce(sum(vat), 0.00) from (
  select ${vatInSql('sum(ticket.amount)', soldVatRateSql('ticket'))} as vat
  from ticket join price on price.id = ticket.price_id
  where ticket.reservation_id = reservation.id and ticket.status <> 'R' group by ${soldVatRateSql('ticket')}) rates)`;
