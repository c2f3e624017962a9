import type { Language } from '#kernel';
import { drawQr } from '../pdf/qr-drawing.js';
import { sheetStyles } from '../pdf/paper-styles.js';
import { pageSizes, taggedPdf, type DrawSection, type TaggedPage } from '../pdf/tagged-pdf.js';
import type { ReservationMailFacts } from '../facts/mail-facts.js';
import { textsOf, type TicketTexts } from './tickets-pdf.js';

/** Eight A7 tickets on an A4 page: the sheet is folded or cut in halves, and each half in halves. */
const columns = 2;
const rows = 4;
const cell = { width: pageSizes.a4.width / columns, height: pageSizes.a4.height / rows } as const;
/** What few printers reach the end of the paper with; in points. */
const padding = { x: 22, y: 28 } as const;
/** Two points a module: the code of a ticket is 32 mm wide, 37 mm with its quiet zone. */
const codeSide = 106;
const gap = 8;

export interface SheetAbout {
  readonly language: Language;
  readonly title: string;
  readonly author: string;
}

/**
 * Tickets of any number of reservations in one PDF to be printed in black and cut: eight on an A4 page, with dashed lines to cut along.
 * Each says its event, time, place, holder, price and reference. Takes any text; what no font has becomes a box.
 */
export function ticketsSheet({ language, title, author }: SheetAbout, told: readonly ReservationMailFacts[]): Promise<Buffer> {
  const texts = told.flatMap((facts) => facts.tickets.map((ticket, index) => textsOf(facts, ticket, index + 1)));
  const pages = Array.from({ length: Math.ceil(texts.length / (columns * rows)) }, (_, page): DrawSection[] =>
    texts.slice(page * columns * rows, (page + 1) * columns * rows).map((ticket, place) => (paper) => drawCell(paper, ticket, place)),
  );
  return taggedPdf(
    { language, title, author, subject: title, size: pageSizes.a4 },
    {
      bold: texts.flatMap(({ event, when, holder }) => [event, when, holder]),
      regular: texts.flatMap(({ venue, number, place, price, reference }) => [venue, number, place, price, reference]),
    },
    pages,
  );
}

/** @param place 0 to 7, from left to right and down */
function drawCell(page: TaggedPage, texts: TicketTexts, place: number): void {
  if (place === 0) page.decorate(() => drawCutLines(page.doc));
  const left = (place % columns) * cell.width + padding.x;
  const top = Math.floor(place / columns) * cell.height + padding.y;
  const width = cell.width - 2 * padding.x - codeSide - gap;
  const add = (type: 'H1' | 'P', words: string, style: keyof typeof sheetStyles, at: number): number =>
    page.add(type, page.fit(words, sheetStyles[style], width), { top: at, x: left, width });

  let at = add('P', texts.venue, 'small', top) + 2;
  at = add('H1', texts.event, 'event', at) + 3;
  at = add('P', texts.when, 'when', at) + 1;
  at = add('P', texts.place, 'place', at) + 6;
  at = add('P', texts.holder, 'holder', at) + 1;
  add('P', texts.price, 'price', at);

  const x = left + width + gap;
  page.figure(texts.picture, [x, top, codeSide, codeSide], () => drawQr(page.doc, texts.code, x, top, codeSide));
  const below = (words: string, style: keyof typeof sheetStyles, under: number): number =>
    page.add('P', page.fit(words, sheetStyles[style], codeSide), { top: under, x, width: codeSide, align: 'center' });
  below(texts.number, 'small', below(texts.reference, 'reference', top + codeSide + 2) + 1);
}

function drawCutLines(doc: PDFKit.PDFDocument): void {
  const { width, height } = pageSizes.a4;
  for (let column = 1; column < columns; column += 1) doc.moveTo(column * cell.width, 0).lineTo(column * cell.width, height);
  for (let row = 1; row < rows; row += 1) doc.moveTo(0, row * cell.height).lineTo(width, row * cell.height);
  doc.lineWidth(0.5).dash(4, { space: 4 }).stroke('#000000').undash();
}
