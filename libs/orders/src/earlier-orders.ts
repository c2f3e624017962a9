import type { Tx } from '#tenancy';
import { takeBackPieces, takenBackSql } from './order-rows.js';

/** SQL of what the tickets lib knows about a row `ticket`, with `price` joined. */
export interface TicketSql {
  /** VAT rate in percent. */
  readonly vatRate: string;
  /** VAT in its amount. */
  readonly vat: string;
}

/** SQL: id of the line that a ticket of an earlier sale gets. The same in each run, so that runs may be repeated. */
export const earlierLineSql = ({ vatRate }: Pick<TicketSql, 'vatRate'>): string =>
  `md5(concat_ws(' ', ticket.reservation_id, ticket.price_id, ticket.amount, ${vatRate}))::uuid`;

/**
 * Writes the orders and lines of reservations that were made before orders were written. Their rows are locked. What is cancelled gets
 * lines that take it back. The VAT is what receipts said.
 */
export async function orderEarlierReservations(tx: Tx, ids: readonly string[], sql: TicketSql): Promise<void> {
  await tx.query(
    `insert into orders (id, state, channel, by_user_id, by_key_id, created_at, placed_at, void_at)
     select coalesce(sold.cart_id, sold.id), case when bool_or(sold.is_draft) then 'open'
         when bool_and(sold.status = 'C' and sold.confirmed_at is null) then 'void' else 'placed' end,
       (array_agg(sold.origin order by sold.created_at))[1], (array_agg(sold.by_user_id order by sold.created_at))[1],
       (array_agg(sold.by_key_id order by sold.created_at))[1], min(sold.created_at),
       case when not bool_or(sold.is_draft) then min(coalesce(sold.completed_at, sold.created_at)) end,
       case when bool_and(not sold.is_draft and sold.status = 'C' and sold.confirmed_at is null) then max(sold.cancelled_at) end
     from reservation sold where coalesce(sold.cart_id, sold.id) in (select coalesce(cart_id, id) from reservation where id = any($1))
     group by 1 on conflict (id) do nothing`,
    [ids],
  );
  await tx.query(
    `with piece as (
       select ticket.*, ${sql.vatRate} as rate, ${sql.vat} as vat, ${earlierLineSql(sql)} as line, price.product_id,
         concat(product.name, ' · ', price.name) as name
       from ticket join price on price.id = ticket.price_id join product on product.id = price.product_id
       where ticket.reservation_id = any($1) and ticket.line_id is null),
     line as (
       select line as id, reservation_id, row_number() over (partition by reservation_id order by min(position)) - 1 as position,
         bool_and(admission) as admits, price_id, product_id, event_id, name, amount, rate, count(*)::int as quantity, sum(vat) as vat,
         count(*) filter (where status = 'R')::int as back, coalesce(sum(vat) filter (where status = 'R'), 0) as vat_back,
         max(cancelled_at) filter (where status = 'R') as back_at
       from piece group by line, reservation_id, price_id, product_id, event_id, name, amount, rate),
     sold as (
       select line.*, reservation.by_user_id, reservation.by_key_id, reservation.created_at, reservation.confirmed_at as sold_at,
         coalesce(line.back_at, reservation.cancelled_at, now()) as taken_at, coalesce(reservation.cart_id, reservation.id) as order_id
       from line join reservation on reservation.id = line.reservation_id),
     rows as (
       select id, null::uuid as of_line, quantity, vat, sold_at, created_at from sold
       union all select md5(concat(id, ' back'))::uuid, id, -back, -vat_back, case when sold_at is not null then taken_at end, taken_at
       from sold where back > 0)
     insert into order_line (id, order_id, position, kind, price_id, product_id, event_id, reservation_id, of_line, name, quantity,
       unit_amount, amount, vat_rate, vat_amount, effective_at, by_user_id, by_key_id, created_at)
     select rows.id, order_id, position, case when admits then 'ticket' else 'goods' end, price_id, product_id, event_id, reservation_id,
       of_line, name, rows.quantity, amount, rows.quantity * amount, rate, rows.vat, rows.sold_at, by_user_id, by_key_id, rows.created_at
     from rows join sold on sold.id = coalesce(rows.of_line, rows.id) on conflict (id) do nothing`,
    [ids],
  );
}

/**
 * Writes the orders and lines of up to `count` memberships that were made before orders were written.
 * @param vatRate SQL of the VAT rate of a row `membership`, with `price` joined
 * @param vat SQL of the VAT in its amount
 * @returns the number of memberships
 */
export async function orderEarlierMemberships(tx: Tx, count: number, { vatRate, vat }: TicketSql): Promise<number> {
  const found = await tx.query<{ id: string }[]>(
    `select id from membership where not exists (select from order_line where membership_id = membership.id)
     order by created_at, id limit $1 for no key update`,
    [count],
  );
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const paid = `(select min(paid_at) from payment where membership_id = membership.id and kind = 'payment' and status = 'paid')`;
  await tx.query(
    `with sold as (
       select membership.id, coalesce(membership.cart_id, membership.id) as order_id, membership.by_user_id, membership.by_key_id,
         membership.created_at, membership.status, price_id, membership.product_id, concat(product.name, ' · ', price.name) as name,
         membership.amount, ${vatRate} as rate, ${vat} as vat,
         coalesce(${paid}, case when membership.status = 'active' then membership.created_at end) as sold_at
       from membership join price on price.id = membership.price_id join product on product.id = membership.product_id
       where membership.id = any($1)),
     ordered as (
       insert into orders (id, state, channel, by_user_id, by_key_id, created_at, placed_at, void_at)
       select distinct on (order_id) order_id, case when status = 'cancelled' and sold_at is null then 'void' else 'placed' end,
         case when by_user_id is not null then 'panel' when by_key_id is not null then 'api' else 'page' end, by_user_id, by_key_id,
         created_at, created_at, case when status = 'cancelled' and sold_at is null then now() end
       from sold order by order_id, created_at on conflict (id) do nothing),
     rows as (
       select md5(concat('membership ', id))::uuid as line, null::uuid as of_line, id, 1 as quantity, vat, sold_at, created_at from sold
       union all select md5(concat('membership ', id, ' back'))::uuid, md5(concat('membership ', id))::uuid, id, -1, -vat,
         case when sold_at is not null then now() end, now() from sold where status = 'cancelled')
     insert into order_line (id, order_id, position, kind, price_id, product_id, membership_id, of_line, name, quantity, unit_amount,
       amount, vat_rate, vat_amount, effective_at, by_user_id, by_key_id, created_at)
     select line, order_id, 0, 'membership', price_id, product_id, sold.id, of_line, name, rows.quantity, amount,
       rows.quantity * amount, rate, rows.vat, rows.sold_at, by_user_id, by_key_id, rows.created_at
     from rows join sold using (id) on conflict (id) do nothing`,
    [ids],
  );
  return ids.length;
}

/**
 * Adds what programs without orders did to orders during a rollout, in the last days: they completed and deleted holds, sold lines and
 * cancelled tickets. The orders of completed holds are deleted, so that `orderEarlierReservations` writes them.
 * @param forgetLinesOf makes the tickets of reservations forget their lines
 */
export async function catchUpOrders(tx: Tx, forgetLinesOf: (reservationIds: readonly string[]) => Promise<void>): Promise<void> {
  const recent = `orders.created_at > (select now() - interval '7 days')`;
  const completed = await tx.query<{ id: string }[]>(
    `select id from reservation where not is_draft and id in (select reservation_id from order_line
       join orders on orders.id = order_id where state = 'open' and ${recent}) order by id for no key update`,
  );
  const ids = completed.map(({ id }) => id);
  if (ids.length > 0) {
    await forgetLinesOf(ids);
    await tx.query('delete from order_line where reservation_id = any($1)', [ids]);
  }
  await tx.query(
    `delete from orders where state = 'open' and not exists (select from order_line where order_id = orders.id)
       and (created_at < (select now() - interval '1 day') or id in (select coalesce(cart_id, id) from reservation where id = any($1)))`,
    [ids],
  );
  await tx.query(
    `update order_line set effective_at = reservation.confirmed_at from reservation, orders where reservation.id = reservation_id
       and orders.id = order_id and state = 'placed' and ${recent} and confirmed_at is not null and effective_at is null`,
  );
  const cancelled = await tx.query<{ id: string; back: number }[]>(
    `select line.id, (line.left - kept.count)::int as back from (select line.id, line.reservation_id,
         line.quantity - ${takenBackSql} as left
       from order_line line where of_line is null and id in (
         select line_id from ticket where status = 'R' and cancelled_at > (select now() - interval '7 days'))) line
     join lateral (select count(*) from ticket where line_id = line.id and status <> 'R') kept on line.left > kept.count
     join reservation on reservation.id = reservation_id order by reservation.id, line.id for no key update of reservation`,
  );
  await takeBackPieces(tx, new Map(cancelled.map(({ id, back }) => [id, back])));
}

/** The same for memberships, which are few: those that were activated or cancelled. */
export async function catchUpMemberships(tx: Tx): Promise<void> {
  await tx.query(
    `update order_line set effective_at = (select now()) from membership
     where membership.id = membership_id and status = 'active' and effective_at is null and of_line is null`,
  );
  const cancelled = await tx.query<{ id: string }[]>(
    `select line.id from order_line line join membership on membership.id = membership_id
     where status = 'cancelled' and of_line is null and not exists (select from order_line back where back.of_line = line.id)
     order by membership.id for no key update of membership`,
  );
  await takeBackPieces(tx, new Map(cancelled.map(({ id }) => [id, 1])));
}
