import { describe, expect, it } from '@jest/globals';
import { readSettings, type Language } from '#kernel';
import { attachmentBytes } from '../documents/attachment-bytes.js';
import type { MailMessage } from '../transport/mail-message.js';
import { MailTransportService } from '../transport/mail-transport.service.js';
import sharp from 'sharp';
import { membershipFacts, reservationFacts } from '../../../../test/support/mail-facts.js';
import { mailWords } from '../../../../test/support/mail-words.js';
import { possibleCodes, printedCodes } from '../../../../test/support/pdf-codes.js';
import { readPdf } from '../../../../test/support/read-pdf.js';
import { openSmtpSink } from '../../../../test/support/smtp-sink.js';
import type { PayAtVenueFacts, ReservationMailFacts } from '../facts/mail-facts.js';
import {
  confirmEmailMessage,
  eventCancelledMessage,
  membershipMessage,
  payAtVenueMessage,
  refundedMessage,
  reservationCancelledMessage,
  ticketsMessage,
} from './messages.js';

/** Text with all kinds of white space normalised. */
const read = (text: string): string => text.replace(/[\u00A0\u202F\s]+/g, ' ');

/** The visible text of HTML. */
const seen = (html: string): string =>
  read(
    html
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<!--.*?-->/gs, '')
      .replace(/<br>|<[^>]+>/g, ' '),
  )
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const languages = Object.keys(mailWords) as (keyof typeof mailWords)[];

const confirmUrl = 'https://ile.example.org/confirm/abc?a=1&b=2';
const refund = { amount: '27.50' };

/** @param minutes the address is to be confirmed within them; undefined: it is confirmed */
const venueFacts = (facts: Omit<ReservationMailFacts, 'others'>, minutes?: number): PayAtVenueFacts => ({
  ...facts,
  lines: facts.tickets,
  payBefore: new Date('2026-11-20T17:30:00Z'),
  holderUrl: confirmUrl,
  ...(minutes !== undefined && { minutes }),
});

function every(language: Language, facts = reservationFacts(language)): Record<string, MailMessage> {
  const membership = { ...membershipFacts(language), isConfirmed: facts.isConfirmed === true };
  const { tenant, reservation, event } = facts;
  return {
    confirm: confirmEmailMessage({ ...facts, confirmUrl, minutes: 30, ticketsCount: 2 }),
    confirmVenue: payAtVenueMessage(venueFacts(facts, 30)),
    payAtVenue: payAtVenueMessage(venueFacts(facts)),
    tickets: ticketsMessage(facts),
    cancelled: reservationCancelledMessage({ ...facts, words: '', refunds: [refund] }),
    eventCancelled: eventCancelledMessage({ ...facts, words: event.name, refunds: [] }),
    refunded: refundedMessage({ ...facts, refund, cause: 'late' }),
    membership: membershipMessage({
      ...membership,
      tenant,
      membership: {
        ...membership.membership,
        name: event.name,
        reference: reservation.reference,
        firstName: reservation.firstName,
      },
    }),
  };
}

describe.each(languages)('mails in %s', (language) => {
  const words = mailWords[language];

  it('are sent to the buyer with the name of the venue', () => {
    for (const [kind, mail] of Object.entries(every(language))) {
      const toName = kind.startsWith('confirm') ? '' : 'Zoë Łukasiewicz';
      expect([kind, mail.to, mail.toName, mail.fromName]).toEqual([kind, 'zoe@example.org', toName, 'Le Théâtre']);
      expect(mail.html).toContain(`<html lang="${language}"`);
      if (toName) expect(seen(mail.html)).toContain(words.hello);
      expect(mail.text).toContain('https://ile.example.org/');
      expect(mail.text).toContain('K7M-2QX');
    }
  });

  it('say when the doors open', () => {
    const mail = ticketsMessage(reservationFacts(language, ['Zoë'], { doorsAt: new Date('2026-11-20T18:30:00Z') }));
    const said = { en: 'doors 19:30', fr: 'portes à 19 h 30', de: 'Einlass 19:30', es: 'puertas 19:30' }[language];
    expect(mail.text.replaceAll(/[\u00A0\u202F]/g, ' ')).toContain(said);
  });

  it('show the subtitle below the name of the event', () => {
    const facts = reservationFacts(language, ['Zoë'], { subtitle: 'Lieder & <b>Songs</b>' });
    const mail = ticketsMessage(facts);
    expect(mail.html).toMatch(/Cabaret d’automne<\/h1>\s*<p [^>]*>Lieder &amp; &lt;b>Songs&lt;\/b><\/p>/);
    expect(mail.text).toMatch(/^Cabaret d’automne\nLieder & <b>Songs<\/b>\n\n/);
  });

  it('contain the tickets with all details', async () => {
    const mail = ticketsMessage(reservationFacts(language));
    expect(read(mail.subject)).toBe(words.subjects.several);
    const same = [
      'Cabaret d’automne',
      'Salle des fêtes',
      '12 rue de l’Église',
      '69001 Lyon',
      'Zoë Łukasiewicz',
      'Đorđe',
      'Plein tarif',
      'Tarif réduit',
      'Entrée',
      'K7M-2QX',
      'Portes à 20 h',
      'Vestiaire',
    ];
    for (const fact of [...words.details, ...same]) {
      expect(seen(mail.html)).toContain(fact);
      expect(read(mail.text)).toContain(fact);
    }
    expect(mail.html).toContain('href="https://ile.example.org/event/cabaret"');
    expect(mail.text).toContain('https://ile.example.org/event/cabaret');
    const [pdf, calendar] = mail.attachments;
    expect(pdf).toMatchObject({
      filename: words.file,
      contentType: 'application/pdf',
    });
    expect((await attachmentBytes(pdf!)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(calendar!.filename).toBe('K7M-2QX.ics');
    expect((await attachmentBytes(calendar!)).toString()).toContain('BEGIN:VEVENT');
    const one = ticketsMessage(reservationFacts(language, ['Zoë'], { endsAt: null, place: null, confirmationHtml: null }));
    expect(read(one.subject)).toBe(words.subjects.one);
    expect(read(one.text)).toContain(words.withoutEnd);
  });

  it('show zero amounts as free', () => {
    const { reservation, tickets, ...facts } = reservationFacts(language, ['Zoë']);
    const mail = ticketsMessage({
      ...facts,
      reservation: { ...reservation, total: '0.00' },
      tickets: tickets.map((ticket) => ({ ...ticket, amount: '0' })),
    });
    expect(mail.text.match(words.free)).toHaveLength(2);
  });

  it('ask to confirm the address, with the link and its validity', () => {
    const facts = reservationFacts(language);
    const mail = confirmEmailMessage({ ...facts, confirmUrl, minutes: 30, ticketsCount: 1 });
    expect(mail.html.match(/href="https:\/\/ile\.example\.org\/confirm\/abc\?a=1&amp;b=2"/g)).toHaveLength(2);
    expect(mail.text.split('\n')).toContain(confirmUrl);
    expect(read(mail.text)).toContain(words.hold[0]);
    const hours = confirmEmailMessage({ ...facts, confirmUrl, minutes: 120, ticketsCount: 3 });
    expect(read(hours.text)).toContain(words.hold[1]);
    expect(read(hours.text)).toContain(words.hold[2]);
  });

  it('say what is to be paid at the venue and until when, and ask to confirm only an unknown address', () => {
    const facts = reservationFacts(language);
    const asking = payAtVenueMessage(venueFacts(facts, 30));
    const stating = payAtVenueMessage(venueFacts(facts));
    for (const mail of [asking, stating]) {
      for (const fact of [...words.atVenue, words.amount]) expect(read(mail.text)).toContain(fact);
      expect(mail.text.split('\n')).toContain(confirmUrl);
    }
    expect(read(stating.text)).toContain('Đorđe');
    expect(read(asking.text)).toContain(words.hold[0]);
    expect(read(stating.text)).not.toContain(words.hold[0]);
  });

  it('state the refund when there is one', () => {
    const facts = reservationFacts(language);
    const { amount } = words;
    expect(read(reservationCancelledMessage({ ...facts, words: '', refunds: [refund] }).text)).toContain(amount);
    expect(read(refundedMessage({ ...facts, refund, cause: 'late' }).text)).toContain(amount);
    const unpaid = reservationCancelledMessage({ ...facts, words: '', refunds: [] });
    expect(unpaid.text + unpaid.html).not.toMatch(/27[,.]50/);
    expect(unpaid.text).toContain(words.unpaid);
    const ways = ['cash', 'card', 'processing'] as const;
    const texts = ways.map((way) => read(reservationCancelledMessage({ ...facts, words: '', refunds: [{ ...refund, way }] }).text));
    for (const text of texts) expect(text).toContain(amount);
    for (const [index, way] of ways.entries()) expect(texts[index]).toContain(words.ways[way]);
    const event = eventCancelledMessage({ ...facts, refunds: [refund], words: 'La chanteuse\nest <malade> & triste' });
    expect(event.html).toContain(words.notHeld);
    expect(read(event.text)).toContain(amount);
    expect(event.text).toContain('La chanteuse');
  });

  it('contain the membership card, with days in the venue’s time zone', async () => {
    const facts = membershipFacts(language);
    const mail = membershipMessage(facts);
    for (const fact of words.card) expect(read(mail.text)).toContain(fact);
    const [picture] = mail.attachments;
    expect(mail.html).toContain(`src="cid:${picture!.contentId}"`);
    const codes = possibleCodes(facts.membership.code);
    const { size } = codes[0]!;
    const dots = await sharp(await attachmentBytes(picture!))
      .extractChannel(0)
      .raw()
      .toBuffer();
    const side = (size + 8) * 8;
    const middles = Array.from({ length: size * size }, (_, index) => {
      const [row, column] = [Math.floor(index / size) + 4, (index % size) + 4];
      return dots[(row * 8 + 4) * side + column * 8 + 4] === 0 ? 1 : 0;
    });
    expect(codes.map(({ modules }) => modules)).toContainEqual(middles);
    expect(dots.subarray(0, side * 32).every((dot) => dot === 255)).toBe(true);
    const endless = membershipMessage({ ...facts, membership: { ...facts.membership, validUntil: null } });
    expect(endless.text).toContain(words.unlimited);
  });

  it('escape all input, link only to http and https, and load nothing', () => {
    const evil = `<script>alert(1)</script><img src=x onerror="a()">"'&\r\nBcc: x`;
    const facts = reservationFacts(language, [evil, evil], {
      name: evil,
      place: { name: evil, street: evil, city: evil },
      url: 'javascript:alert(1)',
      confirmationHtml: `<p onclick="a()">x</p><a href="javascript:alert(1)">y</a>${evil}`,
    });
    const attacked: ReservationMailFacts = {
      ...facts,
      tenant: { ...facts.tenant, name: evil, url: 'javascript:alert(1)' },
      reservation: { ...facts.reservation, firstName: evil, lastName: evil, reference: evil },
      tickets: facts.tickets.map((ticket) => ({ ...ticket, product: evil, price: evil })),
    };
    for (const [kind, mail] of Object.entries(every(language, attacked))) {
      const elements = [...mail.html.matchAll(/<\/?([a-z][a-z0-9]*)([^>]*)>/gi)];
      const names = new Set(elements.map((match) => match[1]));
      expect([kind, [...names].filter((name) => ['script', 'iframe', 'form', 'object', 'svg', 'link'].includes(name as string))]).toEqual([
        kind,
        [],
      ]);
      expect(
        elements.filter(
          ([, name, attributes]) => / on\w+=/.test(attributes as string) || (name === 'img' && !/src="cid:/.test(attributes as string)),
        ),
      ).toEqual([]);
      expect(mail.html).not.toContain('javascript:');
      expect(mail.html).not.toMatch(/url\(|@import|src="http/);
      for (const { filename } of mail.attachments) expect(filename).toMatch(/^[A-Za-z0-9.-]+$/);
    }
  });

  it('are complete documents with balanced elements', () => {
    for (const [kind, { html }] of Object.entries(every(language))) {
      const open: string[] = [];
      for (const [, end, name] of html.replace(/<!--.*?-->/gs, '').matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
        if (['meta', 'br', 'img'].includes(name as string)) continue;
        if (end) expect([kind, open.pop()]).toEqual([kind, name]);
        else open.push(name as string);
      }
      expect(open).toEqual([]);
      expect(html.length).toBeLessThan(60_000);
    }
  });

  it('arrive over SMTP with their attachments', async () => {
    const sink = await openSmtpSink();
    const settings = readSettings({ SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' });
    const transport = new MailTransportService(settings);
    try {
      const tickets = ticketsMessage(reservationFacts(language));
      await transport.send(tickets);
      await transport.send(membershipMessage(membershipFacts(language)));
      const [first, second] = sink.mails.map(({ parsed }) => parsed);
      expect(first!.from).toEqual({ name: 'Le Théâtre', address: 'tickets@example.org' });
      expect(first!.subject).toBe(tickets.subject);
      expect(read(first!.text ?? '')).toBe(read(tickets.text));
      expect(first!.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf', 'text/calendar']);
      const sent = Buffer.from(first!.attachments[0]!.content as ArrayBuffer);
      expect((await readPdf(sent)).pages).toEqual((await readPdf(await attachmentBytes(tickets.attachments[0]!))).pages);
      expect(printedCodes(sent)).toHaveLength(2);
      const kinds = second!.attachments.map(({ mimeType, contentId }) => [mimeType, contentId]);
      expect(kinds).toEqual([
        ['image/png', '<membership-card>'],
        ['application/pdf', undefined],
      ]);
    } finally {
      await transport.onApplicationShutdown();
      await sink.close();
    }
  });
});
