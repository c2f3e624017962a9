import type { NewLine } from './new-lines.js';

/** SQL of what an order is written with. */
export interface OrderSql {
  readonly orderId: string;
  /** Whether it is only a hold or a cart yet. */
  readonly isOpen: string;
  readonly channel: string;
  readonly userId: string;
  readonly keyId: string;
  readonly createdAt: string;
  /** When its lines are sold; null: not yet. */
  readonly effectiveAt: string;
  /** What its lines belong to; null: not to one. */
  readonly eventId: string;
  readonly reservationId: string;
  readonly membershipId: string;
  /** The value of `lineRows`. */
  readonly lines: string;
}

/**
 * SQL of data-modifying CTEs that write an order, or more of an open one, with its new lines.
 * @param rule name of a CTE that has a row when they may be written
 */
export const orderSql = (p: OrderSql, rule: string): string => `ordered as (
      insert into orders (id, state, channel, by_user_id, by_key_id, created_at, placed_at)
      select ${p.orderId}, case when ${p.isOpen} then 'open' else 'placed' end, ${p.channel}, ${p.userId}, ${p.keyId}, ${p.createdAt},
        case when not ${p.isOpen} then ${p.createdAt} end from ${rule}
      on conflict (id) do update set version = orders.version + 1),
    lined as (
      insert into order_line (id, order_id, position, kind, price_id, product_id, event_id, reservation_id, membership_id, name, quantity,
        unit_amount, amount, vat_rate, vat_amount, effective_at, by_user_id, by_key_id, created_at)
      select id, ${p.orderId}, position, kind, "priceId", "productId", ${p.eventId}, ${p.reservationId}, ${p.membershipId}, name, quantity,
        "unitAmount", amount, "vatRate", "vatAmount", ${p.effectiveAt}, ${p.userId}, ${p.keyId}, ${p.createdAt}
      from ${rule}, jsonb_to_recordset(${p.lines}) as line (id uuid, position int, kind text, "priceId" uuid, "productId" uuid, name text,
        quantity int, "unitAmount" numeric, amount numeric, "vatRate" numeric, "vatAmount" numeric))`;

/** The value of the parameter `lines`: JSON, in which amounts are text. */
export const lineRows = (lines: readonly NewLine[]): string => JSON.stringify(lines.map((line, position) => ({ ...line, position })));

/** SQL that places an open order. @param orderId SQL of its id */
export const placedSql = (orderId: string): string =>
  `update orders set state = 'placed', placed_at = (select now()), version = version + 1 where id = ${orderId} and state = 'open'`;

/**
 * SQL of data-modifying CTEs that place an open order: its lines do not change any more.
 * @param orderId SQL of its id
 * @param reservationId SQL of the reservation whose lines are sold, unless `soldAt` is null
 */
export const placeOrderSql = (orderId: string, reservationId: string, soldAt: string): string => `placed as (
    ${placedSql(orderId)}),
  sold as (update order_line set effective_at = ${soldAt}
    where reservation_id = ${reservationId} and effective_at is null and ${soldAt} is not null)`;
