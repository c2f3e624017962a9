import { drawQr } from '../pdf/qr-drawing.js';
import { pageSizes, taggedPdf, type DrawSection, type TaggedPage } from '../pdf/tagged-pdf.js';
import type { TicketsDrawing, TicketTexts } from './drawing.js';
import { sheetStyles } from './paper-styles.js';

/** Eight A7 tickets on an A4 page, which is cut into halves three times. */
const columns = 2;
const rows = 4;
const cell = { width: pageSizes.a4.width / columns, height: pageSizes.a4.height / rows } as const;
/** Space inside each ticket, in points; larger than the unprintable margin of most printers. */
const padding = { x: 22, y: 28 } as const;
/** In points; with two points per module the code is 32 mm wide, 37 mm with its quiet zone. */
const codeSide = 106;
const gap = 8;

/** Draws tickets as a PDF for printing in black and cutting: eight per A4 page, with dashed cut lines. */
export function drawTicketSheet({ about, tickets }: TicketsDrawing): Promise<Buffer> {
  const pages = Array.from({ length: Math.ceil(tickets.length / (columns * rows)) }, (_, page): DrawSection[] =>
    tickets.slice(page * columns * rows, (page + 1) * columns * rows).map((ticket, place) => (paper) => drawCell(paper, ticket, place)),
  );
  return taggedPdf(
    about,
    {
      bold: tickets.flatMap(({ event, when, holder }) => [event, when, holder]),
      regular: tickets.flatMap(({ venue, number, place, price, reference }) => [venue, number, place, price, reference]),
    },
    pages,
    pageSizes.a4,
  );
}

/** @param place 0 to 7, row by row from the top left */
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
