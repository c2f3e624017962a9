import type { Language } from '#kernel';
import type { ReservationMailFacts } from '../facts/mail-facts.js';
import { drawInThread } from '../threads/shared-threads.js';
import { ticketTexts } from './ticket-texts.js';

export interface SheetAbout {
  readonly language: Language;
  readonly title: string;
  readonly author: string;
}

/**
 * Renders the tickets of several reservations as one PDF for printing in black and cutting: eight per A4 page, with dashed cut lines. Each
 * ticket has event, time, place, holder, price and reference. Accepts any text; characters without a glyph become boxes.
 * @throws DrawingFailedError
 */
export function ticketsSheet({ language, title, author }: SheetAbout, reservations: readonly ReservationMailFacts[]): Promise<Buffer> {
  const about = { language, title, author, subject: title };
  return drawInThread({ kind: 'ticket-sheet', about, tickets: reservations.flatMap(ticketTexts) });
}
