import { dayAndTimeWords } from '#kernel';
import type { BookingMailFacts, PayAtVenueFacts, TransferMailFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';
import { chargeWords } from '../facts/event-facts.js';
import { address, button, facts, fineprint, noBlock, note, paragraph, picture } from '../layout/mail-blocks.js';
import type { MailContent } from '../layout/mail-frame.js';
import type { MailBlock } from '../layout/mail-blocks.js';
import { bookingMail, codeBlock, duration, eventBlock, linesBlock } from './templates.js';
import { transferDay, transferRows, transferWords } from '../transfers/transfer-words.js';

/** Content id of the QR code picture. */
export const transferPicture = 'bank-transfer';

/** States how an order is paid by bank transfer, or asks to confirm the e-mail address first. */
export function transferMail(data: TransferMailFacts): MailContent {
  const { language, event, lines, holderUrl, minutes, transfer } = data;
  const [words, own] = [mailWordsFor(data), transferWords[language]];
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
  return confirmLaterMail(data, minutes, own.confirmLead(lines.length, event.name), pay);
}

/** States what is reserved and until when it is to be paid at the venue; asks to confirm the e-mail address where that is due. */
export function payAtVenueMail(data: PayAtVenueFacts): MailContent {
  const { language, event, reservation, tenant, lines, payBefore, holderUrl, minutes } = data;
  const { payAtVenue } = mailWordsFor(data);
  const time = dayAndTimeWords(payBefore, language, tenant.timeZone);
  const pay = note(payAtVenue.pay(chargeWords(reservation.total, reservation.currency, language), time));
  const count = lines.length;
  if (minutes === undefined) {
    return bookingMail(data, payAtVenue.subject(event.name), [
      paragraph(payAtVenue.lead(count, event.name)),
      eventBlock(data),
      pay,
      paragraph(payAtVenue.door(reservation.reference)),
      ...linesBlock(data, lines),
      button(payAtVenue.button, holderUrl),
    ]);
  }
  return confirmLaterMail(data, minutes, payAtVenue.confirmLead(count, event.name), pay);
}

/** Asks to confirm the address of an order that is paid later. @param pay says how */
function confirmLaterMail(
  data: Pick<PayAtVenueFacts, 'lines' | 'holderUrl' | 'code'> & BookingMailFacts,
  minutes: number,
  lead: string,
  pay: MailBlock,
): MailContent {
  const { language, event, lines, holderUrl, code } = data;
  const words = mailWordsFor(data);
  const { confirm } = words;
  return bookingMail(data, confirm.subject(event.name), [
    paragraph(lead),
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
