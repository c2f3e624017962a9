import { describe, expect, it } from '@jest/globals';
import { fromCents, toCents } from '#kernel';
import { vatOfLines } from './vat.js';

/** VAT of one sum, rounded half away from zero, computed with whole numbers. */
const vatOfSum = (gross: bigint, rate: bigint): bigint => (2n * gross * rate + 10_000n + rate) / (2n * (10_000n + rate));
const below = (limit: number): number => Math.floor(Math.random() * limit);

describe('the VAT of the lines of an order', () => {
  it('is computed from the sum of a rate: 7 tickets of 3.33 at 5.5 % have 1.22 together', () => {
    const seven = Array.from({ length: 7 }, () => ({ amount: '3.33', vatRate: '5.50' }));
    expect(vatOfLines([{ amount: '23.31', vatRate: '5.50' }])).toEqual(['1.22']);
    expect(vatOfLines(seven).reduce((sum, vat) => sum + toCents(vat), 0)).toBe(122);
  });

  it('gives missing cents to the largest fractions, and to the first line when they are equal', () => {
    expect(
      vatOfLines([
        { amount: '1.00', vatRate: '20' },
        { amount: '1.00', vatRate: '20' },
        { amount: '1.03', vatRate: '20' },
      ]),
    ).toEqual(['0.17', '0.17', '0.17']);
    expect(
      vatOfLines([
        { amount: '0.05', vatRate: '10' },
        { amount: '0.05', vatRate: '10' },
      ]),
    ).toEqual(['0.01', '0.00']);
  });

  it('adds up for each rate, is less than a cent off the share of a line', () => {
    const rates = [0, 210, 550, 700, 1000, 2000];
    for (let round = 0; round < 3000; round += 1) {
      const lines = Array.from({ length: 1 + below(8) }, () => {
        return { gross: below(100_000), rate: rates[below(rates.length)] as number };
      });
      const vat = vatOfLines(lines.map(({ gross, rate }) => ({ amount: fromCents(gross), vatRate: fromCents(rate) }))).map((one) =>
        toCents(one),
      );
      for (const rate of rates) {
        const own = lines.flatMap((line, index) => (line.rate === rate ? [{ gross: line.gross, vat: vat[index] as number }] : []));
        const gross = own.reduce((sum, line) => sum + line.gross, 0);
        expect(BigInt(own.reduce((sum, line) => sum + line.vat, 0))).toBe(vatOfSum(BigInt(gross), BigInt(rate)));
      }
      for (const [index, { gross, rate }] of lines.entries()) {
        const own = vat[index] as number;
        expect(Math.abs(own - (gross * rate) / (10_000 + rate))).toBeLessThan(1);
      }
    }
  });
});
