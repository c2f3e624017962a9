import { dayAndTimeWords } from '#kernel';
import type { PayAtVenueFacts, TransferMailFacts } from '../facts/mail-facts.js';
import { mailWordsFor } from '../facts/mail.words.js';
import { chargeWords } from '../facts/event-facts.js';
import { address, button, facts, fineprint, noBlock, note, paragraph, picture } from '../layout/mail-blocks.js';
import type { MailContent } from '../layout/mail-frame.js';
import type { MailBlock } from '../layout/mail-blocks.js';
import { bookingMail, codeBlock, duration, eventBlock, linesBlock, namesIn, ofEach } from './templates.js';
import { transferDay, transferRows, transferWords } from '../transfers/transfer-words.js';

/** Content id of the QR code picture. */
export const transferPicture = 'bank-transfer';

/** States how an order is paid by bank transfer, or asks to confirm the e-mail address first. */
export function transferMail(data: TransferMailFacts): MailContent {
  const { language, holderUrl, minutes, transfer } = data;
  const [words, own, name] = [mailWordsFor(data), transferWords[language], namesIn(data)];
  const money = (amount: string): string => chargeWords(amount, transfer.currency, language);
  const pay = note(own.pay(money(transfer.amount), transferDay(transfer.dueOn, language)));
  if (minutes !== undefined) return confirmLaterMail(data, minutes, own.confirmLead(countOf(data), name), [pay]);
  return bookingMail(data, own.subject(name), [
    paragraph(own.lead(countOf(data), name)),
    pay,
    Number(transfer.received) > 0 ? paragraph(own.missing(money(transfer.received))) : noBlock,
    facts(transferRows(transfer, language)),
    picture(transferPicture, own.picture, 240),
    paragraph(own.scan),
    paragraph(own.after),
    button(words.payAtVenue.button, holderUrl),
    ...ofEach<PayAtVenueFacts>(data, (part) => [eventBlock(part), ...linesBlock(part, part.lines)]),
  ]);
}

/** States what is reserved and until when it is to be paid at the venue; asks to confirm the e-mail address where that is due. */
export function payAtVenueMail(data: PayAtVenueFacts): MailContent {
  const { minutes } = data;
  const { payAtVenue } = mailWordsFor(data);
  const name = namesIn(data);
  if (minutes !== undefined) return confirmLaterMail(data, minutes, payAtVenue.confirmLead(countOf(data), name), []);
  return bookingMail(data, payAtVenue.subject(name), [
    paragraph(payAtVenue.lead(countOf(data), name)),
    ...ofEach(data, (part) => [
      eventBlock(part),
      dueNote(part),
      paragraph(payAtVenue.door(part.reservation.reference)),
      ...linesBlock(part, part.lines),
      button(payAtVenue.button, part.holderUrl),
    ]),
  ]);
}

const countOf = ({ lines, others = [] }: PayAtVenueFacts): number => others.reduce((sum, other) => sum + other.lines.length, lines.length);

/** What is to be paid at the venue for one event, and until when. */
function dueNote(data: PayAtVenueFacts): MailBlock {
  const { language, reservation, tenant, payBefore } = data;
  const time = dayAndTimeWords(payBefore, language, tenant.timeZone);
  return note(mailWordsFor(data).payAtVenue.pay(chargeWords(reservation.total, reservation.currency, language), time));
}

/** Asks to confirm the address of an order that is paid later. @param pay says how; empty: at the venue */
function confirmLaterMail(data: PayAtVenueFacts, minutes: number, lead: string, pay: readonly MailBlock[]): MailContent {
  const { language, holderUrl, code } = data;
  const words = mailWordsFor(data);
  const { confirm } = words;
  return bookingMail(data, confirm.subject(namesIn(data)), [
    paragraph(lead),
    codeBlock(words, code),
    button(confirm.button, holderUrl),
    paragraph(confirm.until(duration(minutes, language))),
    ...pay,
    ...ofEach(data, (part) => [...(part.transfer ? [] : [dueNote(part)]), eventBlock(part), ...linesBlock(part, part.lines)]),
    address(confirm.link, holderUrl),
    fineprint(words.unasked),
  ]);
}
