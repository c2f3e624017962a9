import type { TicketGivenFacts, TicketOfferedFacts, TicketsCancelledFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';
import { button, fineprint, note, paragraph } from '../layout/mail-blocks.js';
import type { MailContent } from '../layout/mail-frame.js';
import { bill, venueWords } from './booking-blocks.js';
import { billLines, bookingMail, eventBlock, refundBlocks } from './templates.js';

/** Asks a person to accept a ticket that its holder offers. The price is not told. */
export function ticketOfferedMail(data: TicketOfferedFacts): MailContent {
  const { event, giver, words, holderUrl } = data;
  const { ticketOffered, seeEvent } = mailWordsFor(data);
  return bookingMail(data, ticketOffered.subject(event.name), [
    paragraph(ticketOffered.lead(giver, event.name)),
    ...(words ? [paragraph(ticketOffered.words(giver)), note(words)] : []),
    eventBlock(data),
    button(ticketOffered.button, holderUrl),
    paragraph(ticketOffered.until(giver)),
    button(seeEvent, event.url),
    fineprint(ticketOffered.unknown(giver)),
  ]);
}

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
  const { event, by, cancelled, left, refunds, holderUrl } = data;
  const { ticketsCancelled: words, fromVenue, yourBooking, tickets, seeEvent } = mailWordsFor(data);
  const leads = { recipient: words.lead, holder: words.byHolder, venue: words.byVenue };
  const count = cancelled.length;
  return bookingMail(data, words.subject(count, event.name), [
    paragraph(leads[by](count, event.name)),
    venueWords(fromVenue, data.words),
    ...(refunds ? refundBlocks({ ...data, refunds }) : []),
    bill(tickets, billLines(cancelled, data)),
    ...(left > 0 ? [paragraph(words.left(left))] : []),
    eventBlock(data),
    ...(refunds ? [button(yourBooking, holderUrl)] : [button(seeEvent, event.url)]),
  ]);
}
