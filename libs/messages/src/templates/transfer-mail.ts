import type { TransferMailFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';
import { chargeWords } from '../facts/event-facts.js';
import { address, button, facts, fineprint, noBlock, note, paragraph, picture } from '../layout/mail-blocks.js';
import type { MailContent } from '../layout/mail-frame.js';
import { bookingMail, codeBlock, duration, eventBlock, linesBlock } from './templates.js';
import { transferDay, transferRows, transferWords } from '../transfers/transfer-words.js';

/** Content id of the QR code picture. */
export const transferPicture = 'bank-transfer';

/** States how an order is paid by bank transfer, or asks to confirm the e-mail address first. */
export function transferMail(data: TransferMailFacts): MailContent {
  const { language, event, lines, holderUrl, minutes, code, transfer } = data;
  const [words, own] = [mailWordsFor(data), transferWords[language]];
  const { confirm } = words;
  const money = (amount: string): string => chargeWords(amount, transfer.currency, language);
  const pay = note(own.pay(money(transfer.amount), transferDay(transfer.dueOn, language)));
  if (minutes === undefined) {
    return bookingMail(data, own.subject(event.name), [
      paragraph(own.lead(lines.length, event.name)),
      pay,
      Number(transfer.received) > 0 ? paragraph(own.missing(money(transfer.received))) : noBlock,
      facts(transferRows(transfer, language)),
      picture(transferPicture, own.picture, 240),
      paragraph(own.scan),
      paragraph(own.after),
      button(words.payAtVenue.button, holderUrl),
      eventBlock(data),
      ...linesBlock(data, lines),
    ]);
  }
  return bookingMail(data, confirm.subject(event.name), [
    paragraph(own.confirmLead(lines.length, event.name)),
    codeBlock(words, code),
    button(confirm.button, holderUrl),
    paragraph(confirm.until(duration(minutes, language))),
    pay,
    eventBlock(data),
    ...linesBlock(data, lines),
    address(confirm.link, holderUrl),
    fineprint(words.unasked),
  ]);
}
