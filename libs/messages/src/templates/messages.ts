import { logoAttachment, type MailContent } from '../layout/mail-frame.js';
import type { MailAttachment, MailMessage } from '../transport/mail-message.js';
import { eventCalendar, type CalendarMethod } from '../documents/event-calendar.js';
import type {
  BookingMailFacts,
  ConfirmEmailFacts,
  EventCancelledFacts,
  MembershipMailFacts,
  RefundedFacts,
  ReservationCancelledFacts,
  ReservationMailFacts,
} from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import {
  cardPicture,
  confirmEmailMail,
  eventCancelledMail,
  membershipMail,
  refundedMail,
  reservationCancelledMail,
  ticketsMail,
} from './templates.js';
import { qrPng } from '../pdf/qr-drawing.js';
import { membershipPdf } from '../documents/membership-pdf.js';
import { ticketsPdf } from '../documents/tickets-pdf.js';

/** Asks the buyer of a free booking to confirm the address. */
export function confirmEmailMessage(told: ConfirmEmailFacts): MailMessage {
  return toBuyer(told, confirmEmailMail(told));
}

/** Brings the tickets, as a PDF, and the event for the calendar. */
export async function ticketsMessage(told: ReservationMailFacts): Promise<MailMessage> {
  const { language, reservation } = told;
  const reference = inFileName(reservation.reference);
  const pdf = {
    filename: mailWords[language].yourTickets.file(reference),
    contentType: 'application/pdf',
    content: await ticketsPdf(told),
  };
  return toBuyer(told, ticketsMail(told), [pdf, calendarFile(told, 'PUBLISH')]);
}

/** Tells the buyer that the booking is cancelled, and the buyer's calendar, too. */
export function reservationCancelledMessage(told: ReservationCancelledFacts): MailMessage {
  return toBuyer(told, reservationCancelledMail(told), [calendarFile(told, 'CANCEL')]);
}

/** Tells a holder that the venue cancelled the event, and the holder's calendar, too. */
export function eventCancelledMessage(told: EventCancelledFacts): MailMessage {
  return toBuyer(told, eventCancelledMail(told), [calendarFile(told, 'CANCEL')]);
}

/** Tells a buyer who paid too late that the money goes back. */
export function refundedMessage(told: RefundedFacts): MailMessage {
  return toBuyer(told, refundedMail(told));
}

/** Brings a member the card. */
export async function membershipMessage(told: MembershipMailFacts): Promise<MailMessage> {
  const { language, tenant, membership } = told;
  const { email, firstName, lastName, code, reference } = membership;
  const pdf = {
    filename: mailWords[language].membership.file(inFileName(reference)),
    contentType: 'application/pdf',
    content: await membershipPdf(told),
  };
  const picture = {
    filename: `${cardPicture}.png`,
    contentType: 'image/png',
    content: await qrPng(code),
    contentId: cardPicture,
  };
  const content = membershipMail(told);
  return {
    to: email,
    toName: fullName(firstName, lastName),
    fromName: tenant.name,
    ...(tenant.email && { replyTo: tenant.email }),
    ...content,
    attachments: [...logoAttachment(tenant), picture, pdf],
  };
}

function calendarFile(told: BookingMailFacts, method: CalendarMethod): MailAttachment {
  return {
    filename: `${inFileName(told.reservation.reference)}.ics`,
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: Buffer.from(eventCalendar(told, method)),
  };
}

function toBuyer(
  { tenant, reservation }: BookingMailFacts,
  content: MailContent,
  attachments: readonly MailAttachment[] = [],
): MailMessage {
  const { email, firstName, lastName } = reservation;
  return {
    to: email,
    toName: fullName(firstName, lastName),
    fromName: tenant.name,
    ...(tenant.email && { replyTo: tenant.email }),
    ...content,
    attachments: [...logoAttachment(tenant), ...attachments],
  };
}

const fullName = (first: string, last: string): string => [first, last].filter(Boolean).join(' ');

const inFileName = (reference: string): string => reference.replace(/[^A-Za-z0-9-]+/g, '-');
