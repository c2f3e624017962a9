import { Injectable } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import type { VenueMethod } from '#payments';
import { TenantDb } from '#tenancy';
import { ReservationChangesService } from './reservation-changes.service.js';
import { ReservationPublisherService } from './reservation-publisher.service.js';
import type { ReservationStatus } from '../entities/reservation-states.js';
import { AvailabilityService } from '../sales/availability.service.js';
import { lockEventsOf, lockReservation } from '../reservations/reservation-rows.js';
import type { WholeReservation } from '../reservations/whole-reservation.js';

/** A reservation of an order that has several. */
export interface OrderedReservation {
  readonly id: string;
  readonly event: string;
  readonly startsAt: Date;
  readonly status: ReservationStatus;
  readonly emailKey: string;
  readonly linkVersion: number;
  /** Of its tickets that are not cancelled, decimal text. */
  readonly amount: string;
  /** It can be paid at the venue now. */
  readonly isOpen: boolean;
  /** One of its tickets was sold as a pass for several dates. */
  readonly isPass: boolean;
}

/** An order with several reservations. */
export interface WholeOrder {
  /** As they take place. */
  readonly parts: readonly OrderedReservation[];
  /** What it costs with all else that it sold, less what was cancelled, decimal text. */
  readonly total: string;
}

/** The reservations that were bought together. */
@Injectable()
export class WholeOrdersService {
  constructor(
    private readonly db: TenantDb,
    private readonly changes: ReservationChangesService,
    private readonly publisher: ReservationPublisherService,
    private readonly availability: AvailabilityService,
  ) {}

  /** @returns undefined when the order has no other reservation */
  async of({ cartId }: Pick<WholeReservation, 'cartId'>): Promise<WholeOrder | undefined> {
    if (cartId === null) return undefined;
    const { parts, total } = await this.db.transaction(async (tx) => ({
      parts: await tx.query<OrderedReservation[]>(partsSql, [cartId]),
      total: await tx.query<{ total: string }[]>(totalSql, [cartId]),
    }));
    return parts.length > 1 ? { parts, total: total[0]?.total ?? '0.00' } : undefined;
  }

  /**
   * Confirms the reservations of an order that can be paid at the venue, all or none; each with a payment of its own.
   * @throws RefusedTransition, RefusedBooking as `ReservationChangesService.confirm`
   */
  async confirm(cartId: string, method: VenueMethod): Promise<void> {
    const all = async (): Promise<void> =>
      this.db.transaction(async (tx) => {
        const open = (await tx.query<OrderedReservation[]>(partsSql, [cartId])).filter(({ isOpen }) => isOpen).map(({ id }) => id);
        await lockEventsOf(tx, open);
        for (const id of open.toSorted()) {
          const reservation = await lockReservation(tx, id);
          // Who cancelled one meanwhile took it out of the order.
          if (!reservation || reservation.status === 'C') continue;
          const eventType = await this.changes.confirmIn(tx, reservation, method);
          if (eventType) await this.publisher.publish(tx, eventType, id);
        }
      });
    await this.availability.retryAfterRelease(() => retryOnDeadlock(all));
  }
}

const partsSql = `select reservation.id, event.name as event, event.starts_at as "startsAt", reservation.status,
    reservation.email_key as "emailKey", reservation.link_version as "linkVersion", reservation.status in ('R', 'U', 'F') as "isOpen",
    sold.amount, sold.pass as "isPass"
  from reservation join event on event.id = reservation.event_id
  cross join lateral (
    select coalesce(sum(ticket.amount) filter (where ticket.status <> 'R'), 0.00)::text as amount,
      coalesce(bool_or(price.whole_series), false) as pass
    from ticket join price on price.id = ticket.price_id where ticket.reservation_id = reservation.id) sold
  where reservation.cart_id = $1 and not reservation.is_draft order by event.starts_at, reservation.id`;

const totalSql = 'select coalesce(sum(amount), 0.00)::text as total from order_line where order_id = $1';
