import { describe, expect, it } from '@jest/globals';
import { membershipFacts, reservationFacts } from '../../../../test/support/mail-facts.js';
import { mailWords } from '../../../../test/support/mail-words.js';
import type { MailMessage } from '../transport/mail-message.js';
import { confirmMembershipMessage, membershipReminderMessage } from './membership-notices.js';
import {
  confirmEmailMessage,
  eventCancelledMessage,
  membershipMessage,
  payAtVenueMessage,
  refundedMessage,
  reservationCancelledMessage,
  ticketGivenMessage,
  ticketOfferedMessage,
  ticketsCancelledMessage,
  ticketsMessage,
} from './messages.js';

const languages = Object.keys(mailWords) as (keyof typeof mailWords)[];
const typed = /Zoë|Łukasiewicz|Đorđe|dorde/;
const confirmUrl = 'https://ile.example.org/confirm';
const payBefore = new Date('2026-11-20T17:30:00Z');

/** Whether a mail contains something that was typed, without its files. */
const says = ({ subject, toName = '', html, text }: MailMessage): boolean => [subject, toName, html, text].some((part) => typed.test(part));
const pdfOf = ({ attachments }: MailMessage): string =>
  JSON.stringify(attachments.find(({ contentType }) => contentType === 'application/pdf')!.content);

describe.each(languages)('mails in %s to an address that is not confirmed', (language) => {
  const own = { subject: '{first_name}', intro: '{first_name} {last_name}' };
  const facts = { ...reservationFacts(language), own };
  const person = { email: 'zoe@example.org', firstName: 'Zoë', lastName: 'Łukasiewicz' };
  const notice = { ...facts, ...person, name: 'Adhésion', validUntil: null, minutes: 30, url: confirmUrl };
  const mailsTo = (isConfirmed: boolean): Record<string, MailMessage> => {
    const known = { ...facts, isConfirmed };
    const refund = { amount: '27.50' };
    return {
      tickets: ticketsMessage(known),
      payAtVenue: payAtVenueMessage({ ...known, lines: facts.tickets, payBefore }),
      cancelled: reservationCancelledMessage({ ...known, words: '', refunds: [] }),
      eventCancelled: eventCancelledMessage({ ...known, words: '', refunds: [] }),
      refunded: refundedMessage({ ...known, refund, cause: 'twice' }),
      given: ticketGivenMessage({ ...known, ticketName: 'Zoë', newHolder: 'Đorđe, dorde@example.org', isBuyer: true }),
      some: ticketsCancelledMessage({ ...known, by: 'recipient', words: '', cancelled: facts.tickets, left: 1 }),
      card: membershipMessage({ ...membershipFacts(language), own, isConfirmed }),
      reminder: membershipReminderMessage({ ...notice, isConfirmed }),
    };
  };

  it('contain nothing that was typed; others do', () => {
    for (const [kind, mail] of Object.entries(mailsTo(false))) expect([kind, says(mail)]).toEqual([kind, false]);
    for (const [kind, mail] of Object.entries(mailsTo(true))) expect([kind, says(mail)]).toEqual([kind, true]);
  });

  it('contain nothing that was typed when they ask to confirm it, whatever is known', () => {
    const known = { ...facts, isConfirmed: true };
    const asking = {
      buyer: confirmEmailMessage({ ...known, confirmUrl, minutes: 30, ticketsCount: 2 }),
      venue: payAtVenueMessage({ ...known, lines: facts.tickets, payBefore, minutes: 30 }),
      member: confirmMembershipMessage({ ...notice, isConfirmed: true }),
    };
    for (const [kind, mail] of Object.entries(asking)) expect([kind, says(mail)]).toEqual([kind, false]);
  });

  it('name only the giver of a ticket, with the words of that person', () => {
    const gift = { ...facts, isConfirmed: false, giver: 'Grace', words: 'See you!' };
    const mail = ticketOfferedMessage(gift);
    expect([says(mail), mail.text.includes('Grace'), mail.text.includes('See you!')]).toEqual([false, true, true]);
    expect(mail.html + mail.text).not.toMatch(/€|27[.,]50/);
  });

  it('have no typed names in their PDFs, unless a seller wrote them', () => {
    const [tickets, card] = [
      { ...facts, isConfirmed: false },
      { ...membershipFacts(language), isConfirmed: false },
    ];
    for (const isBySeller of [false, true]) {
      expect(typed.test(pdfOf(ticketsMessage({ ...tickets, isBySeller })))).toBe(isBySeller);
      expect(typed.test(pdfOf(membershipMessage({ ...card, isBySeller })))).toBe(isBySeller);
    }
    expect(pdfOf(ticketsMessage({ ...tickets, isConfirmed: true }))).toMatch(typed);
  });
});
