import type { ReservationMailFacts } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { drawInThread } from '../threads/shared-threads.js';
import { ticketTexts } from './ticket-texts.js';

/**
 * Renders the tickets of a reservation as a PDF, one A5 page each. Accepts any text; characters without a glyph become boxes.
 * @throws DrawingFailedError
 */
export function ticketsPdf(facts: ReservationMailFacts): Promise<Buffer> {
  const { language, tenant, event, reservation, tickets } = facts;
  const title = mailWords[language].yourTickets.subject(tickets.length, event.name);
  return drawInThread({
    kind: 'tickets',
    about: { language, title, author: tenant.name, subject: reservation.reference },
    tickets: ticketTexts(facts),
    logo: tenant.logo,
  });
}
