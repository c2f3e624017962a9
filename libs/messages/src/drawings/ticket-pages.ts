import { drawQr } from '../pdf/qr-drawing.js';
import { pageSizes, taggedPdf, type TaggedPage } from '../pdf/tagged-pdf.js';
import type { TicketsDrawing, TicketTexts } from './drawing.js';
import { paperStyles } from './paper-styles.js';
import { drawVenueHead } from './venue-head.js';

const pageSize = pageSizes.a5;
const inner = pageSize.width - 2 * pageSize.margin;
const largestCode = 320;

/** Draws tickets as a PDF, one A5 page each. */
export function drawTicketPages({ about, tickets, logo, accent }: TicketsDrawing): Promise<Buffer> {
  return taggedPdf(
    about,
    {
      bold: tickets.flatMap(({ venue, event, when, holder }) => [venue, event, when, holder]),
      regular: tickets.flatMap(({ subtitle, number, place, price, show, reference, id }) => [
        subtitle,
        number,
        place,
        price,
        show,
        reference,
        id,
      ]),
    },
    tickets.map((ticket) => [(page) => drawTicket(page, ticket, { logo, accent })]),
  );
}

function drawTicket(page: TaggedPage, texts: TicketTexts, head: Pick<TicketsDrawing, 'logo' | 'accent'>): void {
  const { margin, width, height } = pageSize;
  const { doc } = page;
  let top = drawVenueHead(page, { ...head, venue: texts.venue, width: inner - 120 }) + 10;
  page.add('P', page.fit(texts.number, paperStyles.number, 120), { top: 27, align: 'end' });
  const name = page.fit(texts.event, paperStyles.event);
  // A name of two lines leaves no room for the subtitle, because the code must stay large.
  const subtitle = page.fit(name.lines.length < paperStyles.event.maxLines ? texts.subtitle : '', paperStyles.subtitle);
  top = page.add('H1', name, { top });
  if (subtitle.lines.length > 0) top = page.add('P', subtitle, { top: top + 2 });
  top += 8;
  top = page.add('P', page.fit(texts.when, paperStyles.when), { top }) + 3;
  top = page.add('P', page.fit(texts.place, paperStyles.place), { top });

  const holder = page.fit(texts.holder, paperStyles.holder);
  const price = page.fit(texts.price, paperStyles.price);
  const foot = height - 52;
  const bottom = foot - 14 - holder.height - price.height;
  const side = Math.min(largestCode, bottom - top - 8);
  const [x, y] = [(width - side) / 2, top + (bottom - top - side) / 2];
  page.figure(texts.picture, [x, y, side, side], () => drawQr(doc, texts.code, x, y, side));
  page.add('P', holder, { top: bottom, align: 'center' });
  page.add('P', price, { top: bottom + holder.height + 2, align: 'center' });

  page.decorate(() =>
    doc
      .moveTo(margin, foot)
      .lineTo(width - margin, foot)
      .lineWidth(0.75)
      .stroke('#e3dacd'),
  );
  page.add('P', page.fit(texts.show, paperStyles.foot), { top: foot + 8, align: 'center' });
  page.add('P', page.fit(`${texts.reference}  ·  ${texts.id}`, paperStyles.foot), { top: foot + 22, align: 'center' });
}
