import { describe, expect, it } from '@jest/globals';
import { reservationFacts } from '../../../../test/support/mail-facts.js';
import { printedCodes } from '../../../../test/support/pdf-codes.js';
import { readPdf } from '../../../../test/support/read-pdf.js';
import { mailWords } from '../facts/mail.words.js';
import { ticketsPdf } from './tickets-pdf.js';
import { ticketsSheet } from './tickets-sheet.js';

const about = { language: 'fr', title: 'Cabaret', author: 'Le Théâtre' } as const;
const millimetre = 72 / 25.4;

describe('a sheet of tickets', () => {
  it('has eight tickets per page, each with a readable code at least 30 mm wide and a quiet zone', async () => {
    const facts = reservationFacts(
      'fr',
      Array.from({ length: 11 }, (_, index) => `Holder ${index}`),
    );
    const pages = printedCodes(await ticketsSheet(about, [facts]));
    expect(pages.map((codes) => codes.length)).toEqual([8, 3]);
    expect(pages.flat().map(({ text }) => text)).toEqual(facts.tickets.map(({ code }) => code));
    for (const { width, quietModules } of pages.flat()) {
      expect(width).toBeGreaterThanOrEqual(30 * millimetre);
      expect(quietModules).toBeGreaterThan(3.99);
    }
  });

  it.each(['en', 'fr'] as const)(
    'states event, time in the venue’s time zone, holder and price beside each code, in %s',
    async (language) => {
      const facts = reservationFacts(language, ['Zoë Łukasiewicz', '']);
      const { isTagged, pages } = await readPdf(await ticketsSheet({ ...about, language }, [facts]));
      expect(isTagged).toBe(true);
      const parts = pages.flat();
      const starts = parts.flatMap(({ text }, index) => (text === facts.event.name ? [index] : []));
      expect(starts).toHaveLength(2);
      for (const [ticket, start] of starts.entries()) {
        const text = parts
          .slice(start - 1, starts[ticket + 1] ?? parts.length)
          .map((part) => part.text)
          .join(' ');
        // 19:30 UTC is 20:30 in Paris.
        expect(text).toMatch(language === 'fr' ? /20 novembre 2026, *de 20 h 30/ : /20 November 2026, *20:30/);
        expect(text).toContain('Salle des fêtes');
        expect(text).toContain('K7M-2QX');
        expect(text).toContain(mailWords[language].paper.number(ticket + 1, 2));
        expect(text).toMatch(ticket === 0 ? /Zoë Łukasiewicz.*Plein tarif.*15/ : /Entrée.*Tarif réduit.*12/);
      }
    },
  );

  it('prints each reservation in its own language, and keeps long texts inside their ticket', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(12);
    const one = reservationFacts('fr', ['Ada']);
    const other = reservationFacts('en', [long], { name: long, place: { name: long, street: long, city: long } });
    const sheet = await ticketsSheet(about, [one, other]);
    const [parts] = (await readPdf(sheet)).pages;
    const text = parts!.map((part) => part.text).join(' ');
    expect(text).toMatch(/novembre.*November/);
    expect(
      printedCodes(sheet)
        .flat()
        .map((code) => code.text),
    ).toEqual([one, other].map(({ tickets }) => tickets[0]!.code));
  });

  it('states that the code of goods is shown at the counter', async () => {
    const facts = reservationFacts('en', ['Ada']);
    const goods = { ...facts, tickets: facts.tickets.map((ticket) => ({ ...ticket, admission: false })) };
    const [page] = (await readPdf(await ticketsPdf(goods))).pages;
    expect(page!.map(({ text }) => text)).toContain(mailWords.en.paper.showAtCounter);
  });
});
