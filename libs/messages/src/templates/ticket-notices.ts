import type { TicketGivenFacts, TicketsCancelledFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';
import { button, note, paragraph } from '../layout/mail-blocks.js';
import type { MailContent } from '../layout/mail-frame.js';
import { bill, venueWords } from './booking-blocks.js';
import { billLines, bookingMail, eventBlock, refundBlocks } from './templates.js';

/** Tells a holder who gave a ticket to somebody else who has it now. */
export function ticketGivenMail(data: TicketGivenFacts): MailContent {
  const { event, ticketName, newHolder, isBuyer, holderUrl } = data;
  const { ticketGiven, yourBooking, seeEvent } = mailWordsFor(data);
  return bookingMail(data, ticketGiven.subject(event.name), [
    paragraph(ticketGiven.lead(ticketName, event.name)),
    ...(newHolder ? [note(ticketGiven.to(newHolder))] : []),
    paragraph(ticketGiven.after),
    eventBlock(data),
    // The link of somebody who had been given the ticket opens nothing any more.
    ...(isBuyer ? [button(yourBooking, holderUrl)] : [button(seeEvent, event.url)]),
    paragraph(ticketGiven.notYou),
  ]);
}

/** Lists cancelled tickets of a reservation, and what is refunded. */
export function ticketsCancelledMail(data: TicketsCancelledFacts): MailContent {
  const { language, event, reservation, by, cancelled, left, refunds, holderUrl } = data;
  const { ticketsCancelled: words, fromVenue, yourBooking, tickets, seeEvent } = mailWordsFor(data);
  const leads = { recipient: words.lead, holder: words.byHolder, venue: words.byVenue };
  const count = cancelled.length;
  return bookingMail(data, words.subject(count, event.name), [
    paragraph(leads[by](count, event.name)),
    venueWords(fromVenue, data.words),
    ...(refunds ? refundBlocks({ ...data, refunds }) : []),
    bill(tickets, billLines(cancelled, reservation.currency, language)),
    ...(left > 0 ? [paragraph(words.left(left))] : []),
    eventBlock(data),
    ...(refunds ? [button(yourBooking, holderUrl)] : [button(seeEvent, event.url)]),
  ]);
}
