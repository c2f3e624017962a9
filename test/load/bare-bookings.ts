/**
 * The baseline of the benches `holds` and `bookings`, in its own process: `node:http` and `pg` that write the rows of a booking with one
 * prepared statement. Without key, tenant, validation, limits, codes, log and metrics.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

interface Body {
  readonly reservationFor: { readonly identifier: string };
  readonly underName: { readonly email: string };
  readonly reservedTicket: readonly { readonly identifier: string }[];
}

const { DATABASE_URL, TENANT, SCHEMA, KIND, POOL } = process.env as Record<string, string>;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(POOL) });
const isHold = KIND === 'hold';
const schema = `"${SCHEMA}"`;
const mail = `mailed as (insert into ${schema}.mail (id, kind, reservation_id, recipient) values ($7, 'tickets', $1, $4)),`;
const text = `with
  place as (
    update ${schema}.event set booked = booked + 1 where id = $2 and booked + 1 <= capacity returning id),
  offered as (
    select price.id, product_id, price.name, price.amount from ${schema}.price, place where price.id = $3),
  counted as (
    insert into ${schema}.event_price as counter (event_id, price_id, sold) select $2::uuid, id, 1 from offered
    on conflict (event_id, price_id) do update set sold = counter.sold + 1),
  made as (
    insert into ${schema}.reservation (id, event_id, email, email_key, status, amount, sequence, expires_at, confirmed_at)
    select $1::uuid, place.id, $4, $4, '${isHold ? 'R' : 'V'}', offered.amount, 1,
      ${isHold ? "now() + interval '15 minutes', null" : 'null, now()'} from place, offered
    returning created_at, coalesce(expires_at, now()) as due_at),
  ordered as (
    insert into ${schema}.orders (id, state, channel, placed_at)
    select $9::uuid, '${isHold ? 'open' : 'placed'}', 'api', ${isHold ? 'null' : 'now()'} from offered),
  lined as (
    insert into ${schema}.order_line (id, order_id, position, kind, price_id, product_id, event_id, reservation_id, name, quantity,
      unit_amount, amount, vat_rate, vat_amount, effective_at)
    select $10::uuid, $9::uuid, 0, 'ticket', id, product_id, $2::uuid, $1::uuid, name, 1, amount, amount, 0, 0,
      ${isHold ? 'null' : 'now()'} from offered),
  booked as (
    insert into ${schema}.ticket (id, line_id, reservation_id, event_id, price_id, amount, status, signing_key_id, sequence)
    select $6::uuid, $10::uuid, $1::uuid, $2::uuid, id, amount, '${isHold ? 'C' : 'K'}', 1, 1 from offered),
  ${isHold ? '' : mail}
  told as (
    insert into shared.outbox (tenant_id, type, subject_id, sequence, data) values ($5, 'reservation.created', $1::uuid::text, 1, $8)),
  planned as (
    insert into shared.job (tenant_id, kind, subject_id, due_at)
    select $5::uuid, '${isHold ? 'reservation-expiry' : 'mail'}', $7::uuid, due_at from made)
  select created_at, due_at from made`;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { reservationFor, underName, reservedTicket } = JSON.parse(Buffer.concat(parts).toString()) as Body;
    const [id, ticketId, subjectId, orderId, lineId] = Array.from({ length: 5 }, () => randomUUID());
    const answer = {
      '@context': 'https://schema.org',
      '@type': 'EventReservation',
      identifier: id,
      reservationStatus: `https://schema.org/${isHold ? 'ReservationHold' : 'ReservationConfirmed'}`,
      bookingTime: new Date(),
      reservationFor: { '@type': 'Event', ...reservationFor, name: 'Bench', startDate: new Date() },
      underName,
      reservedTicket: reservedTicket.map(({ identifier }) => ({
        '@type': 'Ticket',
        identifier: ticketId,
        name: 'Full price',
        ticketQuantity: 1,
        itemOffered: { '@type': 'Offer', identifier, name: 'Full price', category: 'admission' },
        totalPrice: '10.00',
        priceCurrency: 'EUR',
        status: isHold ? 'C' : 'K',
      })),
      totalPrice: '10.00',
      priceCurrency: 'EUR',
      additionalProperty: [{ '@type': 'PropertyValue', name: 'status', value: isHold ? 'R' : 'V' }],
    };
    const values = [
      id,
      reservationFor.identifier,
      reservedTicket[0]?.identifier,
      underName.email,
      TENANT,
      ticketId,
      isHold ? id : subjectId,
      JSON.stringify(answer),
      orderId,
      lineId,
    ];
    pool.query<{ created_at: Date; due_at: Date }>({ name: 'book', text, values }).then(
      ({ rows: [row] }) => {
        const body = JSON.stringify({ ...answer, bookingTime: row?.created_at, paymentDueDate: isHold ? row?.due_at : undefined });
        response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
      },
      (error: unknown) => {
        console.error(error);
        response.writeHead(500).end();
      },
    );
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
