import { describe, expect, it } from '@jest/globals';
import { reservationFacts } from '../../../../test/support/mail-facts.js';
import { ticketTexts } from '../documents/ticket-texts.js';
import type { TicketsCancelledFacts } from '../facts/mail-facts.js';
import {
  confirmEmailMessage,
  eventCancelledMessage,
  payAtVenueMessage,
  refundedMessage,
  reservationCancelledMessage,
  ticketGivenMessage,
  ticketOfferedMessage,
  ticketsCancelledMessage,
  ticketsMessage,
} from './messages.js';

/** The visible text of HTML. */
const seen = (html: string): string => html.replace(/<style>.*?<\/style>/s, '').replace(/<!--.*?-->|<[^>]+>/gs, ' ');

describe('mails about goods alone', () => {
  it.each([
    ['en', /\btickets?\b|(?<!take )\bplaces?\b|\bdoor\b/i],
    ['fr', /billet|(?<!sur )\bplaces?\b|entrée/i],
    ['de', /ticket|Pl[aä]tze?\b|einlass/i],
    ['es', /entrada|plaza|en el acceso/i],
  ] as const)('speak of items and codes (%s)', async (language, ticket) => {
    const facts = reservationFacts(language);
    const event = { ...facts.event, name: 'Bal', confirmationHtml: '' };
    const wallets = { apple: 'https://ile.example.org/a', google: 'https://ile.example.org/g' };
    const tickets = facts.tickets.map((one) => ({ ...one, product: 'T-shirt', price: 'M', admission: false, wallets }));
    const goods = { ...facts, event, tickets, isGoods: true };
    const confirmUrl = 'https://ile.example.org/confirm';
    const venue = { ...goods, lines: tickets, payBefore: new Date('2026-11-20T17:30:00Z') };
    const given = { ...goods, newHolder: 'Bob Roy, bob@example.org', isBuyer: true };
    const ended: TicketsCancelledFacts = { ...goods, by: 'recipient', words: '', cancelled: tickets, left: 1, refunds: [] };
    const mails = [
      ticketsMessage(goods),
      ticketsMessage({ ...goods, isReplacement: true }),
      ticketsMessage({ ...goods, isGift: true, tickets: tickets.slice(0, 1) }),
      confirmEmailMessage({ ...goods, confirmUrl, minutes: 30, ticketsCount: 2 }),
      payAtVenueMessage({ ...venue, minutes: 30 }),
      payAtVenueMessage(venue),
      reservationCancelledMessage({ ...goods, words: '', refunds: [] }),
      eventCancelledMessage({ ...goods, words: '', refunds: [] }),
      ...(['twice', 'late', 'limit'] as const).map((cause) => refundedMessage({ ...goods, refund: { amount: '27.50' }, cause })),
      ...['', 'Ada'].map((ticketName) => ticketGivenMessage({ ...given, ticketName })),
      ticketOfferedMessage({ ...goods, giver: 'Ada', words: 'See you!' }),
      ...(['recipient', 'holder', 'venue'] as const).map((by) => ticketsCancelledMessage({ ...ended, by })),
      ticketsCancelledMessage({ ...ended, cancelled: tickets.slice(0, 1) }),
    ];
    for (const { subject, html, text, attachments = [] } of mails) {
      expect(subject).not.toMatch(ticket);
      expect(seen(html)).not.toMatch(ticket);
      expect(text.replaceAll(/https?:\/\/\S+/g, '')).not.toMatch(ticket);
      expect(attachments.map(({ filename }) => filename).join(' ')).not.toMatch(ticket);
    }
    for (const { number, picture, show } of ticketTexts(goods))
      expect([show, `${number} ${picture}`]).toEqual([show, expect.not.stringMatching(ticket)]);
  });
});
