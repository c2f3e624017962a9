import { pageSizes, taggedPdf, type TaggedPage } from '../pdf/tagged-pdf.js';
import { drawQr } from '../pdf/qr-drawing.js';
import { paperStyles } from '../pdf/paper-styles.js';
import { amountWords, eventWhen, placeLines } from '../facts/event-facts.js';
import type { MailTicket, ReservationMailFacts } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';

const pageSize = pageSizes.a5;
const inner = pageSize.width - 2 * pageSize.margin;
const largestCode = 320;

/** The texts of one ticket, formatted. */
export interface TicketTexts {
  readonly number: string;
  readonly venue: string;
  readonly event: string;
  readonly subtitle: string;
  readonly when: string;
  readonly place: string;
  readonly holder: string;
  readonly price: string;
  readonly show: string;
  readonly reference: string;
  readonly id: string;
  readonly picture: string;
  readonly code: string;
  readonly logo?: Buffer | undefined;
}

/** Renders the tickets of a reservation as a PDF, one A5 page each. Accepts any text; characters without a glyph become boxes. */
export function ticketsPdf(facts: ReservationMailFacts): Promise<Buffer> {
  const { language, tenant, event, reservation, tickets } = facts;
  const title = mailWords[language].yourTickets.subject(tickets.length, event.name);
  const texts = tickets.map((ticket, index) => textsOf(facts, ticket, index + 1));
  return taggedPdf(
    { language, title, author: tenant.name, subject: reservation.reference },
    {
      bold: texts.flatMap(({ venue, event: name, when, holder }) => [venue, name, when, holder]),
      regular: texts.flatMap(({ subtitle, number, place, price, show, reference, id }) => [
        subtitle,
        number,
        place,
        price,
        show,
        reference,
        id,
      ]),
    },
    texts.map((ticket) => [(page) => drawTicket(page, ticket)]),
  );
}

/** Formats the texts of one ticket. @param number its position in the reservation, from 1 */
export function textsOf(facts: ReservationMailFacts, ticket: MailTicket, number: number): TicketTexts {
  const { language, tenant, event, reservation, tickets } = facts;
  const { paper, reference } = mailWords[language];
  const { id, code, holder, product, price, amount, admission } = ticket;
  const cost = amountWords(amount, reservation.currency, language);
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
    logo: tenant.logo,
  };
}

/** Draws the head of a ticket or card: the logo and the venue's name beside it. @returns the top of the content below, in points */
export function drawVenue(page: TaggedPage, { logo, venue }: Pick<TicketTexts, 'logo' | 'venue'>, width: number): number {
  const [top, height] = [26, 34];
  const taken = page.logo(logo, [pageSize.margin, top - 6], [width / 2, height]);
  const gap = taken > 0 ? taken + 10 : 0;
  const name = page.fit(venue, paperStyles.venue, width - gap);
  const below = page.add('P', name, { top, x: pageSize.margin + gap, width: width - gap });
  return taken > 0 ? Math.max(below, top - 6 + height) : below;
}

function drawTicket(page: TaggedPage, texts: TicketTexts): void {
  const { margin, width, height } = pageSize;
  const { doc } = page;
  page.decorate(() => doc.rect(0, 0, width, 6).fill(paperStyles.venue.color));

  let top = drawVenue(page, texts, inner - 120) + 10;
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
