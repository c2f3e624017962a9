import { signApplePasses } from './apple-pass.js';
import { qrPng } from '../pdf/qr-drawing.js';
import type { Drawing } from './drawing.js';
import { drawCalendar } from './calendar.js';
import { drawMail } from './mail.js';
import { drawMembershipCard } from './membership-card.js';
import { drawSharePicture } from './share-picture.js';
import { drawReceipt } from './receipt.js';
import { drawTicketPages } from './ticket-pages.js';
import { drawTicketSheet } from './ticket-sheet.js';

/**
 * Draws in the current thread. The program calls `drawInThread` instead, so that the event loop is free meanwhile.
 * @returns PDF, PNG, iCalendar file, a signed pass or a whole mail
 */
export function draw(drawing: Drawing): Promise<Uint8Array> {
  switch (drawing.kind) {
    case 'tickets':
      return drawTicketPages(drawing);
    case 'ticket-sheet':
      return drawTicketSheet(drawing);
    case 'membership-card':
      return drawMembershipCard(drawing);
    case 'share-picture':
      return drawSharePicture(drawing);
    case 'receipt':
      return drawReceipt(drawing);
    case 'apple-pass':
      return signApplePasses(drawing);
    case 'calendar':
      return Promise.resolve(drawCalendar(drawing));
    case 'mail':
      return drawMail(drawing, draw);
    default:
      return qrPng(drawing.code);
  }
}
