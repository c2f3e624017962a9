import { dayWords, type Language } from '#kernel';
import { address, button, facts, fineprint, note, paragraph, picture, type MailBlock } from '../layout/mail-blocks.js';
import { mailFrame, type MailContent } from '../layout/mail-frame.js';
import { amountWords, eventWhen, placeLines } from '../facts/event-facts.js';
import { bill, venueWords } from './booking-blocks.js';
import type {
  BookingMailFacts,
  ConfirmEmailFacts,
  EventCancelledFacts,
  MembershipMailFacts,
  Refund,
  RefundedFacts,
  ReservationCancelledFacts,
  ReservationMailFacts,
} from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';

/** A free booking waits for its address to be confirmed. */
export function confirmEmailMail(told: ConfirmEmailFacts): MailContent {
  const { language, event, confirmUrl, minutes, ticketsCount } = told;
  const words = mailWords[language];
  return bookingMail(told, words.confirm.subject(event.name), [
    paragraph(words.confirm.lead(ticketsCount, event.name)),
    eventBlock(told),
    button(words.confirm.button, confirmUrl),
    paragraph(words.confirm.until(duration(minutes, language))),
    address(words.confirm.link, confirmUrl),
    fineprint(words.unasked),
  ]);
}

/** The tickets, which go along as a PDF. */
export function ticketsMail(told: ReservationMailFacts): MailContent {
  const { language, event, reservation, tickets } = told;
  const words = mailWords[language];
  const money = (amount: string): string => amountWords(amount, reservation.currency, language);
  const rows = tickets.map(({ holder, product, price, amount }) => ({
    title: holder || product,
    detail: [...(holder ? [product] : []), ...(price === product ? [] : [price])].filter(Boolean).join(' · '),
    amount: money(amount),
  }));
  const { subject, lead } = told.isReplacement ? words.newTickets : words.yourTickets;
  return bookingMail(told, subject(tickets.length, event.name), [
    paragraph(lead(tickets.length, event.name)),
    eventBlock(told),
    paragraph(words.yourTickets.door(tickets.length)),
    venueWords(words.fromVenue, event.confirmationHtml ?? ''),
    bill(words.tickets, rows, [words.total, money(reservation.total)]),
    button(words.seeEvent, event.url),
  ]);
}

/** The booking was cancelled, by the buyer or by the venue. */
export function reservationCancelledMail(told: ReservationCancelledFacts): MailContent {
  const { cancelled, fromVenue, seeEvent } = mailWords[told.language];
  return bookingMail(told, cancelled.subject(told.event.name), [
    paragraph(cancelled.lead(told.event.name)),
    venueWords(fromVenue, told.words),
    ...refundBlocks(told),
    eventBlock(told),
    button(seeEvent, told.event.url),
  ]);
}

/** The venue cancelled the event. */
export function eventCancelledMail(told: EventCancelledFacts): MailContent {
  const { eventCancelled, fromVenue } = mailWords[told.language];
  return bookingMail(told, eventCancelled.subject(told.event.name), [
    paragraph(eventCancelled.lead(told.event.name)),
    venueWords(fromVenue, told.words),
    ...refundBlocks(told),
    eventBlock(told),
  ]);
}

/** Paid too late: the money goes back. */
export function refundedMail(told: RefundedFacts): MailContent {
  const { late, seeEvent } = mailWords[told.language];
  return bookingMail(told, late.subject(told.event.name), [
    paragraph(told.ticketsStay ? late.twice(told.event.name) : late.lead(told.event.name)),
    ...refundBlocks({ ...told, refunds: [told.refund] }),
    eventBlock(told),
    button(seeEvent, told.event.url),
  ]);
}

/** Content id of the picture of a card's QR code. */
export const cardPicture = 'membership-card';

/** The card of a member; its QR code goes along as a picture. */
export function membershipMail(told: MembershipMailFacts): MailContent {
  const { language, tenant, membership } = told;
  const { firstName, lastName, name, reference, amount, currency, validFrom, validUntil } = membership;
  const { hello, membership: words, reference: referenceWord } = mailWords[language];
  const day = (instant: Date): string => dayWords(instant, language, tenant.timeZone);
  const subject = words.subject(tenant.name);
  const member = [firstName, lastName].filter(Boolean).join(' ');
  const blocks = [
    paragraph(hello(firstName)),
    paragraph(told.isReplacement ? words.replacedLead : words.lead),
    facts([
      ...(member ? [[words.member, member] as const] : []),
      [words.kind, name],
      [words.from, day(validFrom)],
      [words.until, validUntil ? day(new Date(validUntil.getTime() - 1)) : words.unlimited],
      [words.paid, amountWords(amount, currency, language)],
      [referenceWord, reference],
    ]),
    picture(cardPicture, words.picture, 240),
    paragraph(words.door),
  ];
  return mailFrame({ language, tenant, subject, title: name, blocks, footer: words.footer(tenant.name) });
}

function bookingMail(told: BookingMailFacts, subject: string, blocks: readonly MailBlock[]): MailContent {
  const { language, tenant, event, reservation } = told;
  const { hello, footer } = mailWords[language];
  return mailFrame({
    language,
    tenant,
    subject,
    title: event.name,
    subtitle: event.subtitle,
    blocks: [paragraph(hello(reservation.firstName)), ...blocks],
    footer: footer(tenant.name),
  });
}

function eventBlock(told: BookingMailFacts): MailBlock {
  const words = mailWords[told.language];
  const place = placeLines(told.event.place);
  return facts([
    [words.when, eventWhen(told.event, told)],
    ...(place.length > 0 ? [[words.where, place.join('\n')] as const] : []),
    [words.reference, told.reservation.reference],
  ]);
}

/** How much goes back, and how; that nothing was paid is told, too. */
function refundBlocks({ language, reservation, refunds }: BookingMailFacts & { readonly refunds: readonly Refund[] }): MailBlock[] {
  const words = mailWords[language];
  if (refunds.length === 0) return [paragraph(words.refundNone)];
  return refunds.map(({ amount, way = 'online' }) => {
    const money = amountWords(amount, reservation.currency, language);
    return note(way === 'online' ? words.refund(money) : words.refundOf[way](money));
  });
}

/** `30 minutes`, `2 hours`; whole hours from two on. */
function duration(minutes: number, language: Language): string {
  const hours = minutes >= 120 && minutes % 60 === 0;
  const unit = { style: 'unit', unit: hours ? 'hour' : 'minute', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, unit).format(hours ? minutes / 60 : minutes);
}
