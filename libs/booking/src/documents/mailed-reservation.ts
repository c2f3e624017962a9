import { Payment } from '#payments';
import type { Tx } from '#tenancy';
import { Mail } from '../entities/mail.entity.js';
import { Reservation } from '../entities/reservation.entity.js';
import type { StoredMailText } from '../mails/mail-text-rules.js';
import { Ticket } from '../entities/ticket.entity.js';
import type { WholeReservation } from '../reservations/whole-reservation.js';

/** What mails and documents say about a reservation. */
export type MailedReservation = Omit<WholeReservation, 'options' | 'answers'>;

/** A waiting mail. */
export interface WaitingMail {
  readonly mail: Mail;
  /** undefined when the mail is about a membership. */
  readonly reservation: MailedReservation | undefined;
  /** The venue's own texts for its kind, in every language. */
  readonly texts: readonly StoredMailText[];
}

/** Mails that say nothing about payments and refunds. */
const withoutPayments: ReadonlySet<string> = new Set([
  'confirm-email',
  'tickets',
  'tickets-replaced',
  'ticket-transferred',
  'ticket-given',
]);

/** The texts of the mail's kind and the signature; in the same statement as the mail, because each round trip of a mail counts. */
const textsSql = `(select json_agg(json_build_object('kind', own.kind, 'language', own.language, 'part', own.part, 'text', own.text))
  from mail_text own where own.kind in (mail.kind, 'signature'))`;

/**
 * Reads a mail and what it is about in three or four statements, because a rush of bookings adds thousands of mails.
 * @returns undefined when the mail does not wait any more
 */
export async function readWaitingMail(tx: Tx, id: string): Promise<WaitingMail | undefined> {
  const { entities, raw } = await tx
    .createQueryBuilder(Mail, 'mail')
    .addSelect(textsSql, 'texts')
    .where({ id, status: 'waiting' })
    .getRawAndEntities<{ texts: StoredMailText[] | null }>();
  const [mail] = entities;
  if (!mail) return undefined;
  const reservation = mail.reservationId === null ? undefined : await readReservation(tx, mail.reservationId, mail.kind);
  return { mail, reservation, texts: raw[0]?.texts ?? [] };
}

async function readReservation(tx: Tx, id: string, kind: string): Promise<MailedReservation | undefined> {
  // Not `findOne`, which needs two statements when it joins.
  const [reservation] = await tx.find(Reservation, { where: { id }, relations: { event: true } });
  if (!reservation) return undefined;
  const tickets = await tx.find(Ticket, {
    where: { reservationId: id },
    relations: { price: { product: true } },
    order: { position: 'ASC', id: 'ASC' },
  });
  const payments = withoutPayments.has(kind) ? [] : await tx.find(Payment, { where: { reservationId: id }, order: { createdAt: 'ASC' } });
  return Object.assign(reservation, { tickets, payments });
}
