import type { TicketsDrawing } from '../drawings/drawing.js';
import type { ReservationMailFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';
import { drawInThread } from '../threads/shared-threads.js';
import { accentOnPaper } from './drawing-colours.js';
import { ticketTexts } from './ticket-texts.js';

/**
 * Renders the tickets of a reservation as a PDF, one A5 page each. Accepts any text; characters without a glyph become boxes.
 * @throws DrawingFailedError
 */
export function ticketsPdf(facts: ReservationMailFacts): Promise<Buffer> {
  return drawInThread(ticketsDrawing(facts));
}

/** The tickets of a reservation as a document. */
export function ticketsDrawing(facts: ReservationMailFacts): TicketsDrawing {
  const { language, tenant, event, reservation, tickets } = facts;
  const title = mailWordsFor(facts).yourTickets.subject(tickets.length, event.name);
  return {
    kind: 'tickets',
    about: { language, title, author: tenant.name, subject: reservation.reference },
    tickets: ticketTexts(facts),
    logo: tenant.logo,
    accent: accentOnPaper(tenant),
  };
}
