import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { membershipFacts, reservationFacts } from '../../../../test/support/mail-facts.js';
import { drawnModules, paintedPages, possibleCodes } from '../../../../test/support/pdf-codes.js';
import { readPdf, type PdfPart } from '../../../../test/support/read-pdf.js';
import { loadFonts } from '../pdf/pdf-fonts.js';
import type { MailEvent } from '../facts/mail-facts.js';
import { membershipPdf } from './membership-pdf.js';
import { ticketsDrawing, ticketsPdf } from './tickets-pdf.js';

const codesOf = (text: string): number[][] => possibleCodes(text).map(({ modules }) => modules);

describe('tickets as PDF', () => {
  it('have a page for each ticket, with its code as a QR code that is large enough to scan', async () => {
    const facts = reservationFacts('fr', ['Zoë Łukasiewicz', 'Đorđe', '']);
    const pages = paintedPages(await ticketsPdf(facts));
    expect(pages).toHaveLength(3);
    for (const [index, { code }] of facts.tickets.entries()) {
      const { modules, points } = drawnModules(pages[index]!);
      expect(codesOf(code)).toContainEqual(modules);
      // 4 points are 1.4 mm.
      expect(points).toBeGreaterThanOrEqual(4);
    }
  });

  it('have the colour of the venue, darker where it is too bright on paper', () => {
    const accentOf = (accent: string | null): string | undefined => {
      const facts = reservationFacts('fr', ['Zoë']);
      return ticketsDrawing({ ...facts, tenant: { ...facts.tenant, accent } }).accent;
    };
    expect([accentOf(null), accentOf('#1f6b46')]).toEqual(['#6b2d5c', '#1f6b46']);
    expect(accentOf('#f5d90a')).toMatch(/^#(?!f5d90a)[0-9a-f]{6}$/);
  });

  it('have correct text when an earlier document used the same glyphs for other characters', async () => {
    const font = async () =>
      (await loadFonts({ regular: 'Ŧ', bold: '' })).regular[0].font as unknown as {
        _cmapProcessor: { lookup(codePoint: number): number };
        getGlyph(id: number, codePoints: number[]): unknown;
        layout(text: string): { glyphs: { codePoints: number[] }[] };
      };
    const earlier = await font();
    const { _cmapProcessor: characters } = earlier;
    earlier.getGlyph(characters.lookup(0x166), [33]);
    expect((await font()).layout('Ŧ').glyphs[0]!.codePoints).toEqual([0x166]);
  });

  it('keep the code large enough with the longest texts', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(12);
    // A name of two lines has its subtitle below it, a longer one has none.
    for (const name of [long, long.slice(0, 60)]) {
      const facts = reservationFacts('en', [long], { name, subtitle: long, place: { name: long, street: long, city: long } });
      const [page] = paintedPages(await ticketsPdf({ ...facts, tenant: { ...facts.tenant, name: long } }));
      expect(codesOf(facts.tickets[0]!.code)).toContainEqual(drawnModules(page!).modules);
    }
  });

  it('show the subtitle below the name of the event, if there is room', async () => {
    const texts = async (event: Partial<MailEvent>): Promise<string[]> => {
      const [parts] = (await readPdf(await ticketsPdf(reservationFacts('fr', ['Zoë'], event)))).pages;
      return (parts as PdfPart[]).map(({ text }) => text);
    };
    const short = await texts({ subtitle: 'Valses et mazurkas' });
    expect(short[short.indexOf('Cabaret d’automne') + 1]).toBe('Valses et mazurkas');
    expect(await texts({ name: 'Cabaret '.repeat(30), subtitle: 'Valses et mazurkas' })).not.toContain('Valses et mazurkas');
  });

  it.each(['en', 'fr'] as const)('have tags for screen readers in %s', async (language) => {
    const facts = reservationFacts(language, ['Zoë Łukasiewicz', '']);
    const { isTagged, language: pdfLanguage, title, pages } = await readPdf(await ticketsPdf(facts));
    expect([isTagged, pdfLanguage]).toEqual([true, language]);
    expect(title).toContain(facts.event.name);
    expect(pages).toHaveLength(2);
    for (const [index, parts] of pages.entries()) {
      const headings = parts.filter(({ role }) => role === 'H1').map(({ text }) => text);
      expect(headings).toEqual([facts.event.name]);
      const picture = parts.find(({ role }) => role === 'Figure');
      const number = language === 'fr' ? `Code QR du billet ${index + 1} sur 2` : `QR code of ticket ${index + 1} of 2`;
      expect(picture?.alt).toBe(number);
    }
    // The reading order: venue, number, event, time, place, code, holder, price, footer.
    expect(pages[0]!.map(({ role }) => role).join(' ')).toBe('P P H1 P P Figure P P P P');
    expect(pages[0]!.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Le Théâtre', 'Zoë Łukasiewicz', expect.stringContaining('K7M-2QX')]),
    );
  });

  it.each([
    ['Chinese', '王小明'],
    ['traditional Chinese', '臺灣國家兩廳院'],
    ['Japanese', '山田 太郎さん'],
    ['Korean', '김철수'],
    ['Greek and Cyrillic', 'Ωμέγα Жанна Łđ'],
  ])('have glyphs for %s', async (_script, name) => {
    const [parts] = (await readPdf(await ticketsPdf(reservationFacts('fr', [name], { name })))).pages;
    expect((parts as PdfPart[]).filter(({ text }) => text === name).map(({ role }) => role)).toEqual(['H1', 'P']);
  });

  it.each([
    ['Arabic', 'مريم العلي', 'R'],
    ['Hebrew', 'דוד בן־גוריון', 'R'],
    ['Arabic between Latin words', 'Karim كريم Dupont', 'L'],
    ['Arabic with digits and brackets', 'ليلة القاهرة 2026 (الجزء ٢)', 'R'],
  ])('draw %s from right to left and keep the logical order for screen readers', async (_script, name) => {
    const [parts] = (await readPdf(await ticketsPdf(reservationFacts('fr', [name], { name })))).pages;
    const heading = (parts as PdfPart[]).find(({ role }) => role === 'H1');
    expect(heading?.alt).toBe(name);
    // All letters are drawn, none is replaced by a box.
    const sorted = (text: string): string => [...text.replace(/[\s()]/g, '')].toSorted().join('');
    expect(sorted(heading?.text ?? '')).toBe(sorted(name));
  });

  it('parse each font once, and load fonts for ideographs only when needed', async () => {
    const latin = await loadFonts({ regular: 'Zoë', bold: 'Zoë' });
    expect(latin.regular).toHaveLength(1);
    const [one, other] = [await loadFonts({ regular: '王', bold: '' }), await loadFonts({ regular: '王', bold: '' })];
    expect(one.regular.length).toBeGreaterThan(1);
    expect(one.regular.map(({ font }) => other.regular.some((again) => again.font === font))).not.toContain(false);
    expect(one.regular[0].font).toBe(latin.regular[0].font);
  });

  it('have the same tags as a membership card', async () => {
    const facts = membershipFacts('fr');
    const { membership } = facts;
    const { isTagged, pages } = await readPdf(
      await membershipPdf({ ...facts, membership: { ...membership, firstName: 'مريم', lastName: '' } }),
    );
    const [parts] = pages;
    expect([isTagged, pages.length]).toEqual([true, 1]);
    expect(parts!.find(({ role }) => role === 'H1')?.text).toBe('Adhésion 2026');
    expect(parts!.find(({ role }) => role === 'Figure')?.alt).toMatch(/QR/);
    expect(parts!.map(({ alt }) => alt)).toContain('مريم');
  });

  it('can have fifty pages', async () => {
    const pdf = await ticketsPdf(
      reservationFacts(
        'en',
        Array.from({ length: 50 }, () => 'Zoë'),
      ),
    );
    expect(paintedPages(pdf)).toHaveLength(50);
    expect(pdf.length).toBeLessThan(2_000_000);
  });

  it('are drawn for any name', async () => {
    const hard = [
      '😀👨‍👩‍👧 ',
      '王小明',
      'مريم העברית',
      '\u0000\uD800',
      '\u202Eevil',
      'é'.normalize('NFD').repeat(500),
      '\u200D\uFE0F',
      ' ',
      'z\u0335\u0321\u0353'.repeat(99),
      'ﷺ'.repeat(200),
    ];
    expect(paintedPages(await ticketsPdf(reservationFacts('fr', hard, { name: hard.join(' ') })))).toHaveLength(hard.length);
    const any = fc.string({ unit: 'binary', maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(any, any, any, async (holder, name, place) => {
        const facts = reservationFacts('fr', [holder], { name, place: { name: place, street: null, city: null } });
        return (await ticketsPdf(facts)).length > 1000;
      }),
      { numRuns: 40 },
    );
  });
});
