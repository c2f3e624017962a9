import { inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { create } from 'qrcode';
import { reservationFacts } from '../../../../test/support/mail-facts.js';
import { ticketsPdf } from './tickets-pdf.js';

/** All streams of a PDF that are text, in their order. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/\/Length (\d+)[^>]*>>\r?\nstream\r?\n/g)].flatMap(({ index, 0: head, 1: length }) => {
    const start = index + head.length;
    try {
      return [inflateSync(pdf.subarray(start, start + Number(length))).toString('latin1')];
    } catch {
      return [];
    }
  });
}

const pagesOf = (pdf: Buffer): string[] => streamsOf(pdf).filter((stream) => / re\n/.test(stream));

/** What a page paints black with rectangles, as modules of a QR code. */
function drawnModules(page: string, size: number): number[] {
  const black = /\/DeviceRGB cs\n1 1 1 scn\nf\n(.*?)\/DeviceRGB cs\n0 0 0 scn\nf\n/s.exec(page)?.[1] ?? '';
  const rectangles = [...black.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map((match) =>
    match.slice(1).map(Number),
  );
  const module = rectangles[0]![3] as number;
  const left = Math.min(...rectangles.map(([x]) => x as number));
  const top = Math.min(...rectangles.map(([, y]) => y as number));
  const modules = Array.from({ length: size * size }, () => 0);
  for (const [x, y, width] of rectangles as [number, number, number][]) {
    const row = Math.round((y - top) / module);
    const column = Math.round((x - left) / module);
    for (let step = 0; step < Math.round(width / module); step += 1) modules[row * size + column + step] = 1;
  }
  return modules;
}

describe('the tickets as PDF', () => {
  it('has a page for each ticket, whose QR code is its code, large enough to scan', async () => {
    const facts = reservationFacts('fr', ['Zoë Łukasiewicz', 'Đorđe', '']);
    const pages = pagesOf(await ticketsPdf(facts));
    expect(pages).toHaveLength(3);
    for (const [index, { code }] of facts.tickets.entries()) {
      const { size, data } = create(code, { errorCorrectionLevel: 'M' }).modules;
      expect(drawnModules(pages[index]!, size)).toEqual([...data].map(Number));
      const heights = [...pages[index]!.matchAll(/^[\d.]+ [\d.]+ [\d.]+ ([\d.]+) re$/gm)].map((match) =>
        Number(match[1]),
      );
      // 4 points are 1.4 mm; the white square around it comes first.
      expect(Math.min(...heights.filter((height) => height < 100))).toBeGreaterThanOrEqual(4);
    }
  });

  it('keeps the code large enough beside the longest texts', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(12);
    const facts = reservationFacts('en', [long], { name: long, place: { name: long, street: long, city: long } });
    const [page] = pagesOf(await ticketsPdf({ ...facts, tenant: { ...facts.tenant, name: long } }));
    const { size, data } = create(facts.tickets[0]!.code, { errorCorrectionLevel: 'M' }).modules;
    expect(drawnModules(page!, size)).toEqual([...data].map(Number));
  });

  it('embeds a font for letters that the standard ones lack', async () => {
    const maps = streamsOf(await ticketsPdf(reservationFacts('fr', ['Łukasz', 'Đorđe', 'Ωμέγα Жанна']))).filter(
      (stream) => stream.includes('beginbfrange'),
    );
    for (const letter of 'ŁđΩЖ')
      expect(maps.join()).toContain((letter.codePointAt(0) as number).toString(16).padStart(4, '0'));
  });

  it('takes fifty tickets', async () => {
    const pdf = await ticketsPdf(
      reservationFacts(
        'en',
        Array.from({ length: 50 }, () => 'Zoë'),
      ),
    );
    expect(pagesOf(pdf)).toHaveLength(50);
    expect(pdf.length).toBeLessThan(2_000_000);
  });

  it('never fails on a name, whatever it is made of', async () => {
    const hard = ['😀👨‍👩‍👧 ', '王小明', 'مريم העברית', '\u0000\uD800', '\u202Eevil', 'é'.normalize('NFD').repeat(500), '\u200D\uFE0F', ' ', 'z\u0335\u0321\u0353'.repeat(99), 'ﷺ'.repeat(200)]; // prettier-ignore
    expect(pagesOf(await ticketsPdf(reservationFacts('fr', hard, { name: hard.join(' ') })))).toHaveLength(hard.length);
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
