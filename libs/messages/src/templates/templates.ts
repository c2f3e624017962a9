import { costsNothing, dayWords, type Language } from '#kernel';
import {
  address,
  button,
  facts,
  fineprint,
  linkedLines,
  noBlock,
  note,
  paragraph,
  picture,
  type MailBlock,
} from '../layout/mail-blocks.js';
import { mailFrame, type MailContent } from '../layout/mail-frame.js';
import { fillOwnTexts, type PlaceholderValues } from '../layout/own-texts.js';
import { chargeWords, eventWhen, eventWhenLines } from '../facts/event-facts.js';
import { bill, heading, linkRows, venueWords, whereRows, type BillLine } from './booking-blocks.js';
import type {
  BookingMailFacts,
  ConfirmEmailFacts,
  EventCancelledFacts,
  MailLine,
  MailReservation,
  MembershipMailFacts,
  Refund,
  RefundedFacts,
  ReservationCancelledFacts,
  ReservationMailFacts,
} from '../facts/mail-facts.js';
import { mailWords, mailWordsFor } from '../facts/mail.words.js';

/** Asks the buyer of a free booking, or of one for members, to confirm the e-mail address. */
export function confirmEmailMail(data: ConfirmEmailFacts): MailContent {
  const { language, confirmUrl, minutes, code, ticketsCount, paysOnline = false, others = [] } = data;
  const [words, name] = [mailWordsFor(data), namesIn(data)];
  const count = others.reduce((sum, other) => sum + other.ticketsCount, ticketsCount);
  return bookingMail(data, words.confirm.subject(name), [
    paragraph((paysOnline ? words.confirm.payLead : words.confirm.lead)(count, name)),
    codeBlock(words, code),
    ...ofEach(data, (part) => [eventBlock(part)]),
    button(words.confirm.button, confirmUrl),
    paragraph(words.confirm.until(duration(minutes, language))),
    address(words.confirm.link, confirmUrl),
    fineprint(words.unasked),
  ]);
}

/** The code that confirms on the page of the order. */
export function codeBlock(words: ReturnType<typeof mailWordsFor>, code: string | undefined): MailBlock {
  return code === undefined ? noBlock : note(words.confirm.code(code));
}

/** Lists the tickets, which are attached as a PDF. */
export function ticketsMail(data: ReservationMailFacts): MailContent {
  const { others = [] } = data;
  const [words, name] = [mailWordsFor(data), namesIn(data)];
  const { subject, lead } = data.isGift ? words.givenTicket : data.isReplacement ? words.newTickets : words.yourTickets;
  const count = others.reduce((sum, { tickets }) => sum + tickets.length, data.tickets.length);
  return bookingMail(data, subject(count, name), [paragraph(lead(count, name)), ...ofEach(data, ticketBlocks)]);
}

function ticketBlocks(data: ReservationMailFacts): MailBlock[] {
  const { event, tickets, withdrawUrl } = data;
  const words = mailWordsFor(data);
  return [
    eventBlock(data),
    paragraph(words.yourTickets.door(tickets.length)),
    button(words.yourBooking, data.holderUrl),
    walletBlock(data),
    venueWords(words.fromVenue, event.confirmationHtml ?? ''),
    ...linesBlock(data, tickets),
    withdrawUrl ? linkedLines(words.withdraw.link, withdrawUrl, [words.withdraw.goods]) : noBlock,
    button(words.seeEvent, event.url),
  ];
}

/** The events of an order: the name of the first one, and the number of the others. */
export function namesIn({ language, event, others = [] }: BookingMailFacts & { readonly others?: readonly unknown[] }): string {
  return others.length === 0 ? event.name : mailWords[language].andMore(event.name, others.length);
}

/** Blocks about each event of an order, each event under its name where there are several. */
export function ofEach<Facts extends BookingMailFacts & { readonly others?: readonly Facts[] }>(
  data: Facts,
  blocksOf: (part: Facts) => readonly MailBlock[],
): MailBlock[] {
  const { others = [] } = data;
  if (others.length === 0) return [...blocksOf(data)];
  return [data, ...others].flatMap((part) => [heading(part.event.name), ...blocksOf(part)]);
}

/** Reports the cancellation of a reservation, by the buyer or by the venue. */
export function reservationCancelledMail(data: ReservationCancelledFacts): MailContent {
  const { cancelled, fromVenue, yourBooking, seeEvent } = mailWordsFor(data);
  return bookingMail(data, cancelled.subject(data.event.name), [
    paragraph(cancelled.lead(data.event.name)),
    venueWords(fromVenue, data.words),
    ...refundBlocks(data),
    eventBlock(data),
    button(yourBooking, data.holderUrl),
    button(seeEvent, data.event.url),
  ]);
}

/** Reports the cancellation of an event. */
export function eventCancelledMail(data: EventCancelledFacts): MailContent {
  const { eventCancelled, fromVenue, yourBooking } = mailWordsFor(data);
  return bookingMail(data, eventCancelled.subject(data.event.name), [
    paragraph(eventCancelled.lead(data.event.name)),
    venueWords(fromVenue, data.words),
    ...refundBlocks(data),
    eventBlock(data),
    button(yourBooking, data.holderUrl),
  ]);
}

/** Reports the refund of a payment that could not be accepted. */
export function refundedMail(data: RefundedFacts): MailContent {
  const { late, yourBooking, seeEvent } = mailWordsFor(data);
  return bookingMail(data, late.subject(data.event.name), [
    paragraph({ late: late.lead, twice: late.twice, limit: late.limit }[data.cause](data.event.name)),
    ...refundBlocks({ ...data, refunds: [data.refund] }),
    eventBlock(data),
    button(yourBooking, data.holderUrl),
    button(seeEvent, data.event.url),
  ]);
}

/** Tickets of a mail with links for wallets. */
const mostWithWallets = 10;

/** Content id of the QR code picture. */
export const cardPicture = 'membership-card';

/** Shows a membership card; its QR code is an attached picture. */
export function membershipMail(data: MembershipMailFacts): MailContent {
  const { language, tenant, membership } = data;
  const { firstName, lastName, name, reference, amount, currency, validFrom, validUntil } = membership;
  const { hello, membership: words, reference: referenceWord } = mailWords[language];
  const day = (instant: Date): string => dayWords(instant, language, tenant.timeZone);
  const subject = words.subject(tenant.name);
  const member = [firstName, lastName].filter(Boolean).join(' ');
  // An end at midnight is shown as the day before.
  const until = validUntil ? day(new Date(validUntil.getTime() - 1)) : words.unlimited;
  const values: PlaceholderValues<'membership'> = {
    first_name: firstName,
    last_name: lastName,
    membership: name,
    date: until,
    venue: tenant.name,
  };
  const blocks = [
    paragraph(data.isReplacement ? words.replacedLead : words.lead),
    facts([
      ...(member ? [[words.member, member] as const] : []),
      [words.kind, name],
      [words.from, day(validFrom)],
      [words.until, until],
      [words.paid, chargeWords(amount, currency, language)],
      [referenceWord, reference],
    ]),
    picture(cardPicture, words.picture, 240),
    paragraph(words.door),
    button(words.button, data.holderUrl),
    withdrawBlock(data),
  ];
  return mailFrame({
    language,
    tenant,
    subject,
    title: name,
    greeting: hello(firstName),
    blocks,
    own: fillOwnTexts(data.own, values),
    footer: words.footer(tenant.name),
  });
}

/** The way to withdraw from a membership. */
function withdrawBlock({ language, tenant, withdrawal }: MembershipMailFacts): MailBlock {
  if (!withdrawal) return noBlock;
  const { withdraw } = mailWords[language];
  const day = dayWords(new Date(withdrawal.until.getTime() - 1), language, tenant.timeZone);
  return linkedLines(withdraw.link, withdrawal.url, [withdraw.until(day)]);
}

/** A mail about a reservation. */
export function bookingMail(
  data: BookingMailFacts & { readonly others?: readonly unknown[] },
  subject: string,
  blocks: readonly MailBlock[],
): MailContent {
  const { language, tenant, event, reservation, others = [] } = data;
  const { hello, footer } = mailWords[language];
  return mailFrame({
    language,
    tenant,
    subject,
    title: namesIn(data),
    subtitle: others.length === 0 ? event.subtitle : null,
    greeting: hello(reservation.firstName),
    blocks,
    own: fillOwnTexts(data.own, bookingValues(data)),
    footer: footer(tenant.name),
  });
}

function bookingValues(data: BookingMailFacts): PlaceholderValues<'booking'> {
  const { reservation, event, tenant } = data;
  const { firstName, lastName, reference } = reservation;
  return { first_name: firstName, last_name: lastName, event: namesIn(data), date: eventWhen(event, data), venue: tenant.name, reference };
}

/** When and where the event is, and the reference. */
export function eventBlock(data: BookingMailFacts): MailBlock {
  const words = mailWords[data.language];
  return facts([
    [words.when, eventWhenLines(data.event, data)],
    ...whereRows(data.event.place, data.language),
    [words.reference, data.reservation.reference],
  ]);
}

/** Links that add each ticket to a wallet. Mails with many tickets have none: the page of the booking has them. */
function walletBlock(data: ReservationMailFacts): MailBlock {
  const { tickets } = data;
  const { wallets: words, paper } = mailWordsFor(data);
  if (tickets.length > mostWithWallets) return noBlock;
  const rows = tickets.map(({ holder, wallets = {} }, index) => {
    const number = paper.number(index + 1, tickets.length);
    const title = tickets.length === 1 ? '' : [number, holder].filter(Boolean).join(' · ');
    const links = (['apple', 'google'] as const).map((name) => [words[name], wallets[name] ?? ''] as const);
    return { title, links: links.filter(([, url]) => url !== '') };
  });
  return linkRows(words.lead(tickets.length), rows);
}

/** The tickets with their amounts, the total, and what a code saved. */
export function linesBlock(data: BookingMailFacts, tickets: readonly MailLine[]): MailBlock[] {
  const { language, reservation } = data;
  const words = mailWordsFor(data);
  const total = chargeWords(reservation.total, reservation.currency, language);
  const { usedCode, discounts = [] } = reservation;
  const saved = usedCode && !data.hidesAmounts ? usedCodeWords(usedCode, data) : undefined;
  return [
    bill(words.tickets, billLines(tickets, data), data.hidesAmounts ? undefined : [words.total, total]),
    ...(saved === undefined ? [] : [paragraph(saved)]),
    ...(data.hidesAmounts
      ? []
      : discounts.map((one) =>
          paragraph(mailWords[language].discountSaved(one.name, chargeWords(one.saved, reservation.currency, language))),
        )),
  ];
}

/** What a code saved; undefined: nothing. */
function usedCodeWords(
  { code, saved }: NonNullable<BookingMailFacts['reservation']['usedCode']>,
  { language, reservation }: BookingMailFacts,
): string | undefined {
  if (costsNothing(saved)) return undefined;
  return mailWords[language].codeSaved(code, chargeWords(saved, reservation.currency, language));
}

/** What amounts need to be written. */
type Charged = Pick<BookingMailFacts, 'language' | 'hidesAmounts'> & { readonly reservation: Pick<MailReservation, 'currency'> };

/** The rows of a list of tickets with their amounts. */
export function billLines(tickets: readonly MailLine[], { language, reservation, hidesAmounts }: Charged): BillLine[] {
  return tickets.map(({ holder, product, price, amount }) => ({
    title: holder || product,
    detail: [...(holder ? [product] : []), ...(price === product ? [] : [price])].filter(Boolean).join(' · '),
    amount: hidesAmounts ? '' : chargeWords(amount, reservation.currency, language),
  }));
}

/** The refunds with their methods, or a sentence that nothing was paid. */
export function refundBlocks({ language, reservation, refunds }: Charged & { readonly refunds: readonly Refund[] }): MailBlock[] {
  const words = mailWords[language];
  if (refunds.length === 0) return [paragraph(words.refundNone)];
  return refunds.map(({ amount, way = 'online' }) => {
    const money = chargeWords(amount, reservation.currency, language);
    return note(way === 'online' ? words.refund(money) : words.refundOf[way](money));
  });
}

/** `30 minutes`, `2 hours`: whole hours are used from two hours on. */
export function duration(minutes: number, language: Language): string {
  const hours = minutes >= 120 && minutes % 60 === 0;
  const unit = { style: 'unit', unit: hours ? 'hour' : 'minute', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, unit).format(hours ? minutes / 60 : minutes);
}
