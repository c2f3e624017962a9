import { dayWords } from '#kernel';
import { paperStyles } from '../pdf/paper-styles.js';
import { drawQr } from '../pdf/qr-drawing.js';
import { pageSizes, taggedPdf } from '../pdf/tagged-pdf.js';
import type { MembershipMailFacts } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { drawVenue } from './tickets-pdf.js';

const side = 300;
const pageSize = pageSizes.a5;

/** Renders a membership card as a PDF of one page. Accepts any text; characters without a glyph become boxes. */
export function membershipPdf({ language, tenant, membership }: MembershipMailFacts): Promise<Buffer> {
  const { membership: words, reference: referenceWord } = mailWords[language];
  const { firstName, lastName, email, name, reference, validFrom, validUntil, code } = membership;
  const day = (instant: Date): string => dayWords(instant, language, tenant.timeZone);
  const member = [firstName, lastName].filter(Boolean).join(' ') || email;
  // The membership ends at midnight, so the last valid day is the day before.
  const until = validUntil ? day(new Date(validUntil.getTime() - 1)) : words.unlimited;
  const lines = [`${words.from} ${day(validFrom)}`, `${words.until} ${until}`];
  const ids = `${referenceWord} ${reference}`;
  return taggedPdf(
    { language, title: words.subject(tenant.name), author: tenant.name, subject: reference },
    { bold: [tenant.name, name, member], regular: [...lines, ids] },
    [
      [
        (page) => {
          const { doc } = page;
          page.decorate(() => doc.rect(0, 0, pageSize.width, 6).fill(paperStyles.venue.color));
          let top = drawVenue(page, { venue: tenant.name, logo: tenant.logo }, pageSize.width - 2 * pageSize.margin) + 10;
          top = page.add('H1', page.fit(name, paperStyles.event), { top }) + 8;
          top = page.add('P', page.fit(member, paperStyles.holder), { top }) + 8;
          for (const line of lines) top = page.add('P', page.fit(line, paperStyles.price), { top });
          const foot = pageSize.height - 38;
          const [x, y] = [(pageSize.width - side) / 2, top + (foot - top - side) / 2];
          page.figure(words.picture, [x, y, side, side], () => drawQr(doc, code, x, y, side));
          page.add('P', page.fit(ids, paperStyles.foot), { top: foot, align: 'center' });
        },
      ],
    ],
  );
}
