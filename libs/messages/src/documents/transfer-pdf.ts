import type { ReceiptDrawing } from '../drawings/drawing.js';
import type { BookingMailFacts, TransferMailFacts } from '../facts/mail-facts.js';
import { chargeWords, eventWhen } from '../facts/event-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { drawInThread } from '../threads/shared-threads.js';
import { transferRows, transferWords } from '../transfers/transfer-words.js';
import { contactLines } from '../drawings/venue-head.js';

/** What the PDF of a transfer needs. */
export type TransferPdfFacts = BookingMailFacts & Pick<TransferMailFacts, 'transfer'>;

/** What is to be transferred for an order, with the QR code for banking programs, as a PDF. @throws DrawingFailedError */
export const transferPdf = (facts: TransferPdfFacts): Promise<Buffer> => drawInThread(transferDrawing(facts));

/** The same as it is drawn. */
export function transferDrawing(facts: TransferPdfFacts): ReceiptDrawing {
  const { language, tenant, reservation, event, transfer } = facts;
  const [words, { receipt, when }] = [transferWords[language], mailWords[language]];
  const title = words.title(transfer.reference);
  const buyer = [`${reservation.firstName} ${reservation.lastName}`.trim(), reservation.email].filter(Boolean).join(', ');
  return {
    kind: 'receipt',
    about: { language, title, author: tenant.name, subject: transfer.reference },
    receipt: {
      venue: tenant.name,
      address: contactLines(tenant),
      title,
      facts: [
        ...(buyer ? [[receipt.buyer, buyer] as const] : []),
        [receipt.event, event.name],
        [when, eventWhen(event, facts)],
        ...transferRows(transfer, language),
      ],
      lines: [],
      sums: [{ label: words.amount, amount: chargeWords(transfer.amount, transfer.currency, language), isStrong: true }],
      code: { content: transfer.epc, picture: words.picture, caption: words.scan },
    },
    logo: tenant.logo,
  };
}
