import {
  codeTables,
  emailKey,
  Mail,
  Reservation,
  Ticket,
  VerifiedEmail,
  usedCodeOf,
  withDiscounts,
  withPrices,
  type WholeReservation,
} from '#tickets';
import { Event, Price, Product } from '#catalogue';
import { Payment } from '#payments';
import { RowsTogether, type TenantDb } from '#tenancy';
import type { StoredMailText } from '../mails/mail-text-rules.js';
import { MailText } from '../mails/mail-text.entity.js';

/** What mails and documents say about a reservation. */
export type MailedReservation = Omit<WholeReservation, 'options' | 'answers'>;

/** A waiting mail. */
export interface WaitingMail {
  readonly mail: Mail;
  /** undefined when the mail is about a membership. */
  readonly reservation: MailedReservation | undefined;
  /** Whether its recipient confirmed the address. */
  readonly isConfirmed: boolean;
  /** The venue's own texts for its kind, in every language. */
  readonly texts: readonly StoredMailText[];
  /** The waiting mails that one message tells together, the first one first; empty: it goes alone. */
  readonly together: readonly Pick<Mail, 'id'>[];
}

/** Reservation of the mail with the id `$1`. */
const reservationId = 'select reservation_id from mail where id = $1';
const priceIds = `select price_id from ticket where reservation_id = (${reservationId})`;

/** Those whom the mail may address; a former holder of a ticket is its recipient only. */
const recipientKeys = `select lower(recipient) from mail where mail.id = $1
  union all select email_key from reservation where id = (${reservationId})
  union all select holder_key from ticket where reservation_id = (${reservationId})
  union all select email_key from membership where id = (select membership_id from mail where mail.id = $1)`;

/** Waiting mails of the same kind, recipient and order. */
const ofSameOrder = `status = 'waiting' and ticket_id is null and kind in ('confirm-email', 'confirm-venue', 'pay-at-venue', 'tickets')
  and (kind, recipient) = (select kind, recipient from mail where mail.id = $1) and reservation_id in (
    select part.id from reservation part join reservation own on own.cart_id = part.cart_id where own.id = (${reservationId}))`;

const waitingMail = new RowsTogether('mail-waiting', {
  mails: { entity: Mail, where: "id = $1 and status = 'waiting'" },
  together: { entity: Mail, where: ofSameOrder, order: 'created_at, id' },
  // The texts of the mail's kind and the signature.
  texts: { entity: MailText, where: "kind = 'signature' or kind = (select kind from mail where mail.id = $1)" },
  reservations: { entity: Reservation, where: `id = (${reservationId})` },
  events: { entity: Event, where: `id = (select event_id from reservation where reservation.id = (${reservationId}))` },
  tickets: { entity: Ticket, where: `reservation_id = (${reservationId})`, order: 'position, id' },
  prices: { entity: Price, where: `id in (${priceIds})` },
  products: { entity: Product, where: `id in (select product_id from price where price.id in (${priceIds}))` },
  ...codeTables(`reservation_id = (${reservationId})`),
  confirmed: { entity: VerifiedEmail, where: `email_key in (${recipientKeys})` },
  payments: { entity: Payment, where: `reservation_id = (${reservationId})`, order: 'created_at' },
});

/**
 * Reads a mail and what it is about in one round trip, because a rush of bookings adds thousands of mails.
 * @returns undefined when the mail does not wait any more
 */
export async function readWaitingMail(db: TenantDb, id: string): Promise<WaitingMail | undefined> {
  const { mails, together, texts, reservations, events, confirmed, ...rest } = await db.transaction((tx) => waitingMail.read(tx, [id]));
  const [[mail], [reservation], [event]] = [mails, reservations, events];
  if (!mail) return undefined;
  const key = emailKey(mail.recipient);
  const isConfirmed = confirmed.some((address) => address.emailKey === key);
  if (!reservation || !event) return { mail, reservation: undefined, isConfirmed, texts, together };
  const tickets = withDiscounts(withPrices(rest.tickets, rest.prices, rest.products), rest.discounts);
  return {
    mail,
    reservation: Object.assign(reservation, { event, tickets, payments: rest.payments, usedCode: usedCodeOf(tickets, rest) }),
    isConfirmed,
    texts,
    together,
  };
}
