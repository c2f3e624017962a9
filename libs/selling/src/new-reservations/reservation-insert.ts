import {
  type GivenAnswer,
  type ReservationOrigin,
  type ReservationStatus,
  type OfferedOption,
  followUpsSql,
  followUpValues,
  type FollowUps,
  type ShownTicket,
} from '#tickets';
import { actorColumns, type Language } from '#kernel';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';

/** A ticket with the VAT rate of its price, in percent as decimal text. */
export interface NewTicket extends ShownTicket {
  readonly vatRate: string | null;
}

/** The rows of a new reservation. */
export interface ReservationRows {
  readonly id: string;
  readonly eventId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language | null;
  readonly status: ReservationStatus;
  /** Decimal text. */
  readonly amount: string;
  readonly origin: ReservationOrigin;
  /** In this order; all have the same state and the same signing key. */
  readonly tickets: readonly NewTicket[];
  readonly options: readonly OfferedOption[];
  readonly answers: readonly GivenAnswer[];
}

/** Times of a new reservation. */
export interface ReservationTimes {
  /** The start of the transaction, by the database's clock, or at most a second earlier or later. */
  readonly createdAt: Date;
  /** null: not a hold. */
  readonly expiresAt: Date | null;
}

// One statement for all rows, because each further statement costs the server about as much as its work in the database. It looks
// nothing up: PostgreSQL, which expects ten tickets, would find a plan for all bookings too expensive and make one for each.
const insertStatement: PreparedStatement = {
  name: 'booking-insert',
  text: `with
    made as (
      insert into reservation (id, event_id, email, email_key, first_name, last_name, language, status, amount, origin, sequence,
        by_user_id, by_key_id, created_at, expires_at, confirmed_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12,
        $13, $14::timestamptz, case when $14::timestamptz is null then $13::timestamptz end)),
    booked as (
      insert into ticket (id, reservation_id, event_id, price_id, amount, first_name, last_name, admission, vat_rate,
        status, signing_key_id, position, sequence)
      select id, $1::uuid, $2::uuid, price_id, amount, first_name, last_name, admission, vat_rate, $15, $16::smallint, position - 1, 1
      from unnest($17::uuid[], $18::uuid[], $19::numeric[], $20::text[], $21::text[], $22::boolean[], $23::numeric[])
        with ordinality as given (id, price_id, amount, first_name, last_name, admission, vat_rate, position)),
    chosen as (
      insert into reservation_option (reservation_id, option_id, name) select $1::uuid, * from unnest($24::uuid[], $25::text[])),
    ${followUpsSql(26, '$3')}
    select 1`,
};

/** Inserts a reservation with everything that belongs to it. The caller has the workers notified of the message and the jobs. */
export async function insertReservation(tx: Tx, rows: ReservationRows & FollowUps, times: ReservationTimes): Promise<void> {
  const { tickets, options } = rows;
  await queryPrepared(tx, insertStatement, [
    rows.id,
    rows.eventId,
    rows.email,
    rows.emailKey,
    rows.firstName,
    rows.lastName,
    rows.language,
    rows.status,
    rows.amount,
    rows.origin,
    ...actorColumns(),
    times.createdAt,
    times.expiresAt,
    tickets[0]?.status,
    tickets[0]?.signingKeyId,
    tickets.map(({ id }) => id),
    tickets.map(({ priceId }) => priceId),
    tickets.map(({ amount }) => amount),
    tickets.map(({ firstName }) => firstName),
    tickets.map(({ lastName }) => lastName),
    tickets.map(({ admission }) => admission),
    tickets.map(({ vatRate }) => vatRate),
    options.map(({ id }) => id),
    options.map(({ name }) => name),
    ...followUpValues(rows.answers, rows),
  ]);
}
