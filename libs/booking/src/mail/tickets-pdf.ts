import PDFDocument from 'pdfkit';
import { amountWords, eventWhen, placeLines } from './event-facts.js';
import type { MailTicket, ReservationMailFacts } from './mail-facts.js';
import { mailWords } from './mail.words.js';
import { ticketFonts, type FontChain } from './ticket-fonts.js';
import { drawQr } from './ticket-qr.js';
import { TicketText, type TextStyle } from './ticket-text.js';

/** A5 upright: fills a telephone, and half a sheet when printed. In points. */
const page = { width: 419.53, height: 595.28, margin: 34 };
const inner = page.width - 2 * page.margin;
const largestCode = 320;

const ink = '#2a2326';
const soft = '#645a5f';
const accent = '#6b2d5c';

const styles = {
  venue: { weight: 'bold', sizes: [12, 10], color: accent, maxLines: 1 },
  number: { weight: 'regular', sizes: [10], color: soft, maxLines: 1 },
  event: { weight: 'bold', sizes: [24, 21, 18, 15], color: ink, maxLines: 3 },
  when: { weight: 'bold', sizes: [12, 11, 10], color: ink, maxLines: 2 },
  place: { weight: 'regular', sizes: [11, 10, 9], color: soft, maxLines: 2 },
  holder: { weight: 'bold', sizes: [18, 15, 12], color: ink, maxLines: 2 },
  price: { weight: 'regular', sizes: [12, 10], color: ink, maxLines: 2 },
  foot: { weight: 'regular', sizes: [9, 8, 7], color: soft, maxLines: 1 },
} as const satisfies Record<string, TextStyle>;

/** All tickets of a reservation in one PDF, one page each. Takes any text; what no font has becomes a box. */
export async function ticketsPdf(told: ReservationMailFacts, fonts: FontChain = ticketFonts): Promise<Buffer> {
  const { language, tenant, event, reservation, tickets } = told;
  const subject = mailWords[language].yourTickets.subject(tickets.length, event.name);
  const doc = new PDFDocument({
    autoFirstPage: false,
    size: [page.width, page.height],
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    info: {
      Title: subject.toWellFormed(),
      Author: tenant.name.toWellFormed(),
      Subject: reservation.reference,
      Creator: 'Guichet',
    },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject);
  });
  const text = new TicketText(doc, fonts);
  for (const [index, ticket] of tickets.entries()) {
    doc.addPage();
    drawTicket(doc, text, told, ticket, index + 1);
  }
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawTicket(
  doc: PDFKit.PDFDocument,
  text: TicketText,
  told: ReservationMailFacts,
  ticket: MailTicket,
  number: number,
): void {
  const { language, tenant, event, reservation, tickets } = told;
  const words = mailWords[language];
  const { margin, width, height } = page;
  doc.rect(0, 0, width, 6).fill(accent);

  let top = 26;
  const count = text.fit(words.paper.number(number, tickets.length), 120, styles.number);
  text.draw(count, margin, top + 1, inner, 'right');
  top = below(text, tenant.name, styles.venue, top, inner - 120) + 10;
  top = below(text, event.name, styles.event, top) + 8;
  top = below(text, eventWhen(event, told), styles.when, top) + 3;
  top = below(text, placeLines(event.place).join(', '), styles.place, top);

  const { code, holder, product, price, amount } = ticket;
  const cost = amountWords(amount, reservation.currency, language);
  const named = text.fit(holder || product, inner, styles.holder);
  const kind = [...(holder ? [product] : []), ...(price === product ? [] : [price]), cost].filter(Boolean).join(' · ');
  const priced = text.fit(kind, inner, styles.price);
  const foot = height - 52;
  const bottom = foot - 14 - named.height - priced.height;

  const side = Math.min(largestCode, bottom - top - 8);
  drawQr(doc, code, (width - side) / 2, top + (bottom - top - side) / 2, side);
  text.draw(named, margin, bottom, inner, 'center');
  text.draw(priced, margin, bottom + named.height + 2, inner, 'center');

  doc
    .moveTo(margin, foot)
    .lineTo(width - margin, foot)
    .lineWidth(0.75)
    .stroke('#e3dacd');
  text.draw(text.fit(words.paper.show, inner, styles.foot), margin, foot + 8, inner, 'center');
  const ids = `${words.reference} ${reservation.reference}  ·  ${ticket.id}`;
  text.draw(text.fit(ids, inner, styles.foot), margin, foot + 22, inner, 'center');
}

/** Draws text and says where what follows may begin. */
function below(text: TicketText, words: string, style: TextStyle, top: number, width = inner): number {
  const fitted = text.fit(words, width, style);
  text.draw(fitted, page.margin, top, width);
  return top + fitted.height;
}
