import type { Language } from '#kernel';
import type { ReservationMailFacts } from '../facts/mail-facts.js';
import type { TicketsDrawing, TicketTexts } from '../drawings/drawing.js';
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

/** The texts of a card to hand out, formatted. */
export interface SheetCard {
  readonly venue: string;
  readonly title: string;
  readonly facts: string;
  readonly details: string;
  /** What people type. */
  readonly typed: string;
  readonly where: string;
  /** Below the QR code. */
  readonly foot: string;
  /** What the picture of the QR code shows, for screen readers. */
  readonly picture: string;
  /** Content of the QR code. */
  readonly code: string;
}

/**
 * Renders cards as one PDF, in the form of `ticketsSheet`.
 * @throws DrawingFailedError
 */
export function cardsSheet(about: SheetAbout, cards: readonly SheetCard[]): Promise<Buffer> {
  return drawInThread(cardsDrawing(about, cards));
}

/** Cards as a document in the form of `ticketsSheet`. */
export function cardsDrawing({ language, title, author }: SheetAbout, cards: readonly SheetCard[]): TicketsDrawing {
  const tickets = cards.map(
    ({ venue, title: event, facts: when, details: place, typed: holder, where: price, foot, picture, code }): TicketTexts => ({
      venue,
      event,
      when,
      place,
      holder,
      price,
      picture,
      code,
      subtitle: '',
      number: '',
      show: '',
      reference: foot,
      id: code,
    }),
  );
  return { kind: 'ticket-sheet', about: { language, title, author, subject: title }, tickets };
}
