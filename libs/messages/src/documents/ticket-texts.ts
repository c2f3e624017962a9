import type { TicketTexts } from '../drawings/drawing.js';
import { chargeWords, eventWhen, placeLines } from '../facts/event-facts.js';
import type { MailTicket, ReservationMailFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';

/** Formats the texts of the tickets of a reservation. */
export function ticketTexts(facts: ReservationMailFacts): TicketTexts[] {
  return facts.tickets.map((ticket, index) => textsOf(facts, ticket, index + 1));
}

/** @param number position in the reservation, from 1 */
function textsOf(facts: ReservationMailFacts, ticket: MailTicket, number: number): TicketTexts {
  const { language, tenant, event, reservation, tickets } = facts;
  const { paper, reference } = mailWordsFor(facts);
  const { id, code, holder, product, price, amount, admission } = ticket;
  const cost = facts.hidesAmounts ? '' : chargeWords(amount, reservation.currency, language);
  const kind = [...(holder ? [product] : []), ...(price === product ? [] : [price]), cost];
  return {
    number: paper.number(number, tickets.length),
    venue: tenant.name,
    event: event.name,
    subtitle: event.subtitle ?? '',
    when: eventWhen(event, facts),
    // An event without an address takes place at the venue.
    place: placeLines(event.place).join(', ') || (tenant.address ?? ''),
    holder: holder || product,
    price: kind.filter(Boolean).join(' · '),
    show: admission ? paper.show : paper.showAtCounter,
    reference: `${reference} ${reservation.reference}`,
    id,
    picture: paper.picture(number, tickets.length),
    code,
  };
}
