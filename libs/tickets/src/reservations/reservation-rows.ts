import { eventEndSql, type AssumedDuration } from '#catalogue';
import type { Tx } from '#tenancy';
import { bankHoldSql } from '../booking-jobs.js';
import { RefusedTransition } from '../inventory/refused-booking.js';
import {
  isAtOnceSql,
  isHold,
  statesBefore,
  type CancelReason,
  type ReservationOrigin,
  type ReservationStatus,
} from '../entities/reservation-states.js';
import { lockEvent, lockEvents } from '../inventory/inventory.js';
import { ticketStatesBefore, type TicketStatus } from '../entities/ticket-states.js';
import { Reservation } from '../entities/reservation.entity.js';

/** A reservation whose event and row are locked until the transaction ends. */
export interface LockedReservation {
  readonly id: string;
  readonly eventId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly status: ReservationStatus;
  readonly amount: string;
  readonly origin: ReservationOrigin;
  /** Version of its links. */
  readonly linkVersion: number;
  readonly payAtVenue: boolean;
  /** The e-mail address is to be confirmed first: until when the reservation is held then; null: nothing is to be confirmed. */
  readonly payUntil: Date | null;
  /** Its hold has expired. */
  readonly lapsed: boolean;
  /** Its places and stock were released. */
  readonly released: boolean;
}

/**
 * Locks the event, then the reservation, the order of all changes.
 * @returns undefined when the reservation does not exist, or is a draft of a buyer (`DraftsService` changes those)
 */
export async function lockReservation(tx: Tx, id: string): Promise<LockedReservation | undefined> {
  const known = await tx.findOne(Reservation, { select: { id: true, eventId: true }, where: { id, isDraft: false } });
  if (!known) return undefined;
  await lockEvent(tx, known.eventId);
  const [reservation] = await tx.query<LockedReservation[]>(
    `select id, event_id as "eventId", email, email_key as "emailKey", status, amount, origin, link_version as "linkVersion",
       pay_at_venue as "payAtVenue", pay_until as "payUntil",
       coalesce(expires_at <= statement_timestamp(), false) as lapsed, released_at is not null as released
     from reservation where id = $1 and not is_draft for no key update`,
    [id],
  );
  return reservation;
}

/** Locks the events of several reservations, before a transaction locks the reservations themselves. */
export async function lockEventsOf(tx: Tx, reservationIds: readonly string[]): Promise<void> {
  const events = await tx.query<{ id: string }[]>('select distinct event_id as id from reservation where id = any($1)', [reservationIds]);
  await lockEvents(
    tx,
    events.map(({ id }) => id),
  );
}

/**
 * SQL: what changes in a reservation that enters a state; the caller adds the condition.
 * @param to SQL of the state, as text
 * @param reason SQL of the reason of a cancellation
 * @param hold SQL: whether the state is a hold
 */
export function entersSql(to: string, reason = 'null', hold = 'false'): string {
  return `status = ${to}, sequence = sequence + 1, cancel_reason = ${reason},
    cancelled_at = case when ${to} = 'C' then (select now()) end,
    confirmed_at = case when ${hold} or ${to} = 'C' then confirmed_at else coalesce(confirmed_at, (select now())) end,
    expires_at = case when ${hold} then expires_at end,
    network = case when ${hold} or ${isAtOnceSql} then network end,
    network_site = case when ${hold} or ${isAtOnceSql} then network_site end,
    released_at = case when ${hold} or ${to} = 'C' then released_at end`;
}

/**
 * Changes the state of a reservation with a conditional update.
 * @throws RefusedTransition when its current state does not allow the transition
 */
export async function enter(
  tx: Tx,
  { id, status: from }: Pick<LockedReservation, 'id' | 'status'>,
  to: ReservationStatus,
  reason: CancelReason | null = null,
): Promise<void> {
  const [rows] = await tx.query<[unknown[], number]>(
    `update reservation set ${entersSql('$2', '$4', '$5')}
     where id = $1 and status = any($3) returning id`,
    [id, to, statesBefore(to), reason, isHold(to)],
  );
  if (rows.length === 0) throw new RefusedTransition('transition', from);
}

/**
 * Extends the hold of a reservation whose buyer has confirmed the e-mail address, until it is to be paid. The condition lets one of several
 * confirmations do it.
 * @param onlineUntil end of the hold of what is to be paid online
 * @returns the end of the hold; undefined when the time to pay is over, or nothing is to be confirmed any more
 */
export async function holdUntilPaid(tx: Tx, { id }: Pick<LockedReservation, 'id'>, onlineUntil: Date): Promise<Date | undefined> {
  const [rows] = await tx.query<[{ expiresAt: Date }[], number]>(
    `update reservation set expires_at = case when pay_at_venue then pay_until else $2 end, pay_until = null, released_at = null,
       network = case when ${isAtOnceSql} then network end, network_site = case when ${isAtOnceSql} then network_site end,
       sequence = sequence + 1
     where id = $1 and status = 'R' and pay_until > (select statement_timestamp()) returning expires_at as "expiresAt"`,
    [id, onlineUntil],
  );
  return rows[0]?.expiresAt;
}

/** Extends a hold whose payment a bank processes. @returns its end; undefined when it was released meanwhile */
export async function holdForBank(
  tx: Tx,
  { id, released }: Pick<LockedReservation, 'id' | 'released'>,
  assumed: AssumedDuration,
): Promise<Date | undefined> {
  const saleEnd = `(select least(min(price.sales_until), min(${eventEndSql('event', assumed)}))
    from ticket join price on price.id = ticket.price_id join event on event.id = ticket.event_id
    where ticket.reservation_id = $1 and ticket.status <> 'R')`;
  const [rows] = await tx.query<[{ expiresAt: Date }[], number]>(
    `update reservation set expires_at = ${bankHoldSql('expires_at', saleEnd)}, released_at = null
     where id = $1 and ($2 or released_at is null) returning expires_at as "expiresAt"`,
    [id, released],
  );
  return rows[0]?.expiresAt;
}

/** Changes the state of those tickets of a reservation whose current state allows it. @returns the ids of the changed tickets */
export async function moveTickets(tx: Tx, reservationId: string, to: TicketStatus): Promise<string[]> {
  const [rows] = await tx.query<[{ id: string }[], number]>(
    'update ticket set status = $2, sequence = sequence + 1 where reservation_id = $1 and status = any($3) returning id',
    [reservationId, to, ticketStatesBefore(to)],
  );
  return rows.map(({ id }) => id);
}

/** Activates the tickets of a reservation: C→N→K. */
export async function activateTickets(tx: Tx, reservationId: string): Promise<void> {
  await moveTickets(tx, reservationId, 'N');
  await moveTickets(tx, reservationId, 'K');
}
