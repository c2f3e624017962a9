import { venueMessage, type MailContent } from '../layout/mail-frame.js';
import type { MailAttachment, MailMessage } from '../transport/mail-message.js';
import { calendarDrawing } from '../documents/event-calendar.js';
import type { CalendarDrawing } from '../drawings/drawing.js';
import type {
  BookingMailFacts,
  ConfirmEmailFacts,
  EventCancelledFacts,
  EventChangedFacts,
  EventMessageFacts,
  MembershipMailFacts,
  PayAtVenueFacts,
  RefundedFacts,
  ReservationCancelledFacts,
  ReservationMailFacts,
  TicketGivenFacts,
  TicketOfferedFacts,
  TicketsCancelledFacts,
  TransferMailFacts,
} from '../facts/mail-facts.js';
import { mailWords, mailWordsFor } from '../facts/mail.words.js';
import { toldInBooking, toldInCard } from '../facts/typed-texts.js';
import {
  cardPicture,
  confirmEmailMail,
  eventCancelledMail,
  membershipMail,
  refundedMail,
  reservationCancelledMail,
  ticketsMail,
} from './templates.js';
import { eventChangedMail, eventMessageMail, eventReminderMail } from './event-notices.js';
import { ticketGivenMail, ticketOfferedMail, ticketsCancelledMail } from './ticket-notices.js';
import { cardDrawing } from '../documents/membership-pdf.js';
import { ticketsDrawing } from '../documents/tickets-pdf.js';
import { payAtVenueMail, transferMail, transferPicture } from './pay-later-mails.js';
import { transferDrawing } from '../documents/transfer-pdf.js';
import { transferWords } from '../transfers/transfer-words.js';

/** The mail that asks the buyer of a free booking to confirm the e-mail address. */
export function confirmEmailMessage(data: ConfirmEmailFacts): MailMessage {
  return toBuyer({ ...data, isConfirmed: false }, confirmEmailMail);
}

/** The mail about a reservation to pay at the venue, or by bank transfer; it may ask the buyer to confirm the e-mail address. */
export function payAtVenueMessage(data: PayAtVenueFacts): MailMessage {
  const { transfer, minutes } = data;
  const told = minutes === undefined ? data : { ...data, isConfirmed: false };
  if (!transfer) return toBuyer(told, payAtVenueMail);
  return toBuyer({ ...told, transfer }, transferMail, minutes === undefined ? transferFiles({ ...data, transfer }) : []);
}

/** The mail with the tickets as a PDF and the calendar event. The PDF has names that a visitor typed only at a confirmed address. */
export function ticketsMessage(data: ReservationMailFacts): MailMessage {
  return toBuyer(data, ticketsMail, [data, ...(data.others ?? [])].flatMap(ticketFiles));
}

function ticketFiles(data: ReservationMailFacts): MailAttachment[] {
  const pdf = {
    filename: mailWordsFor(data).yourTickets.file(inFileName(data.reservation.reference)),
    contentType: 'application/pdf',
    content: ticketsDrawing(data.isBySeller ? data : toldInBooking(data)),
  };
  return [pdf, calendarFile(data, 'PUBLISH')];
}

/** The mail about a cancelled reservation, with the cancelled calendar event. */
export function reservationCancelledMessage(data: ReservationCancelledFacts): MailMessage {
  return toBuyer(data, reservationCancelledMail, [calendarFile(data, 'CANCEL')]);
}

/** The mail about a cancelled event, with the cancelled calendar event. */
export function eventCancelledMessage(data: EventCancelledFacts): MailMessage {
  return toBuyer(data, eventCancelledMail, [calendarFile(data, 'CANCEL')]);
}

/** The mail about a changed event, with the calendar event that replaces the one before. */
export function eventChangedMessage(data: EventChangedFacts): MailMessage {
  return toBuyer(data, eventChangedMail, [calendarFile(data, 'PUBLISH')]);
}

/** The mail that reminds a holder of the event on the next day. */
export function eventReminderMessage(data: BookingMailFacts): MailMessage {
  return toBuyer(data, eventReminderMail);
}

/** The mail with a message of staff. */
export function eventMessageMessage(data: EventMessageFacts): MailMessage {
  return toBuyer(data, eventMessageMail);
}

/**
 * The mail to whom a ticket is offered. It has the name and the words of the holder also at an address that nobody has confirmed: both are
 * short and without addresses.
 */
export function ticketOfferedMessage(data: TicketOfferedFacts): MailMessage {
  return toBuyer(data, ticketOfferedMail);
}

/** The mail to a holder who gave a ticket to somebody else. */
export function ticketGivenMessage(data: TicketGivenFacts): MailMessage {
  return toBuyer(data, ticketGivenMail);
}

/** The mail about some cancelled tickets of a reservation whose other tickets stay valid. */
export function ticketsCancelledMessage(data: TicketsCancelledFacts): MailMessage {
  return toBuyer(data, ticketsCancelledMail);
}

/** The mail about the refund of a payment that could not be accepted. */
export function refundedMessage(data: RefundedFacts): MailMessage {
  return toBuyer(data, refundedMail);
}

/** The mail with a membership card as picture and PDF. */
export function membershipMessage(data: MembershipMailFacts): MailMessage {
  const told = toldInCard(data);
  const { language, tenant, membership } = told;
  const { email, firstName, lastName, code, reference } = membership;
  const pdf: MailAttachment = {
    filename: mailWords[language].membership.file(inFileName(reference)),
    contentType: 'application/pdf',
    content: cardDrawing(data.isBySeller ? data : told),
  };
  const picture: MailAttachment = {
    filename: `${cardPicture}.png`,
    contentType: 'image/png',
    content: { kind: 'qr-picture', code },
    contentId: cardPicture,
  };
  return venueMessage(tenant, { to: email, toName: fullName(firstName, lastName) }, membershipMail(told), [picture, pdf]);
}

/** The QR code for banking programs, and all that a transfer needs as a PDF. */
function transferFiles(data: TransferMailFacts): MailAttachment[] {
  const { language, transfer } = data;
  return [
    {
      filename: `${transferPicture}.png`,
      contentType: 'image/png',
      content: { kind: 'qr-picture', code: transfer.epc },
      contentId: transferPicture,
    },
    {
      filename: transferWords[language].file(inFileName(transfer.reference)),
      contentType: 'application/pdf',
      content: transferDrawing(toldInBooking(data)),
    },
  ];
}

function calendarFile(data: BookingMailFacts, method: CalendarDrawing['method']): MailAttachment {
  return {
    filename: `${inFileName(data.reservation.reference)}.ics`,
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: calendarDrawing(data, method),
  };
}

function toBuyer<Facts extends BookingMailFacts>(
  data: Facts,
  template: (told: Facts) => MailContent,
  attachments: readonly MailAttachment[] = [],
): MailMessage {
  const told = toldInBooking(data);
  const { email, firstName, lastName } = told.reservation;
  return venueMessage(told.tenant, { to: email, toName: fullName(firstName, lastName) }, template(told), attachments);
}

const fullName = (first: string, last: string): string => [first, last].filter(Boolean).join(' ');

const inFileName = (reference: string): string => reference.replace(/[^A-Za-z0-9-]+/g, '-');
