import { drawQr } from '../pdf/qr-drawing.js';
import { pageSizes, taggedPdf } from '../pdf/tagged-pdf.js';
import type { CardDrawing } from './drawing.js';
import { paperStyles } from './paper-styles.js';
import { drawVenueHead } from './venue-head.js';

const side = 300;
const pageSize = pageSizes.a5;

/** Draws a membership card as a PDF of one A5 page. */
export function drawMembershipCard({ about, card, logo, accent }: CardDrawing): Promise<Buffer> {
  const { venue, name, member, validity, reference, picture, code } = card;
  return taggedPdf(about, { bold: [venue, name, member], regular: [...validity, reference] }, [
    [
      (page) => {
        const { doc } = page;
        let top = drawVenueHead(page, { venue, logo, accent, width: pageSize.width - 2 * pageSize.margin }) + 10;
        top = page.add('H1', page.fit(name, paperStyles.event), { top }) + 8;
        top = page.add('P', page.fit(member, paperStyles.holder), { top }) + 8;
        for (const line of validity) top = page.add('P', page.fit(line, paperStyles.price), { top });
        const foot = pageSize.height - 38;
        const [x, y] = [(pageSize.width - side) / 2, top + (foot - top - side) / 2];
        page.figure(picture, [x, y, side, side], () => drawQr(doc, code, x, y, side));
        page.add('P', page.fit(reference, paperStyles.foot), { top: foot, align: 'center' });
      },
    ],
  ]);
}
