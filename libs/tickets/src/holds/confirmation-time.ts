import { poolIsScarceSql } from '../places/free-places.js';

/** How long places are held for the link or code in a mail, in minutes, while they are not scarce; else as long as every hold. */
export const linkMinutes = 120;

/** Places, or the stock of a price, are scarce when less than one in so many is left. */
const scarcePart = 5;

/**
 * SQL: whether a free order may keep its places for `linkMinutes`: a fifth of the places of the event is left, of those that it shares,
 * and of the stock of each of its prices, and the event begins later. Holds that ended but were not released yet count as taken.
 * @param event SQL of its id
 * @param order SQL of the id of the reservation, which holds its places
 */
export const isPlentifulSql = (event: string, order: string): string => `coalesce((
  select (event.capacity - event.booked) * ${scarcePart} >= event.capacity
    and not ${poolIsScarceSql('event', scarcePart)}
    and event.starts_at > statement_timestamp() + interval '${linkMinutes} minutes'
    and not exists (select 1 from ticket join price on price.id = ticket.price_id
      left join event_price on event_price.event_id = ticket.event_id and event_price.price_id = price.id
      where ticket.reservation_id = ${order} and price.stock is not null
        and (price.stock - case when ticket.admission then coalesce(event_price.sold, 0) else price.sold end) * ${scarcePart} < price.stock)
  from event where event.id = ${event}), false)`;

/** SQL: how the venue has an unknown address confirmed. */
export const confirmationWaySql = `coalesce((select booking_confirmation from configuration), 'link')`;
