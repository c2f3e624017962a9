import { fromCents, toCents } from '#kernel';

/** An amount with VAT, and its rate in percent; decimal text. */
export interface Taxed {
  readonly amount: string;
  readonly vatRate: string;
}

/** VAT in a gross amount, rounded half away from zero: cents of cents at a rate in hundredths of a percent. */
const vatOf = (gross: number, rate: number): number =>
  Math.sign(gross) * Math.floor((2 * Math.abs(gross) * rate + (10_000 + rate)) / (2 * (10_000 + rate)));

/**
 * The VAT of lines of one order, decimal text. VAT is computed once from the sum of all lines with the same rate. Each line gets its share
 * without fractions of a cent; the missing cents go to the lines with the largest fractions, the first ones when these are equal.
 */
export function vatOfLines(lines: readonly Taxed[]): string[] {
  const cents = lines.map(({ amount, vatRate }) => ({ gross: toCents(amount), rate: toCents(vatRate) }));
  const vat = cents.map(() => 0);
  for (const rate of new Set(cents.map((line) => line.rate))) {
    const own = cents.flatMap((line, index) =>
      line.rate === rate ? [{ index, gross: line.gross, share: Math.floor((line.gross * rate) / (10_000 + rate)) }] : [],
    );
    const rest = ({ gross, share }: (typeof own)[number]): number => gross * rate - share * (10_000 + rate);
    const sum = own.reduce((total, { gross }) => total + gross, 0);
    const missing = vatOf(sum, rate) - own.reduce((total, { share }) => total + share, 0);
    const byRest = own.toSorted((one, other) => rest(other) - rest(one) || one.index - other.index);
    for (const [place, { index, share }] of byRest.entries()) vat[index] = share + (place < missing ? 1 : 0);
  }
  return vat.map((one) => fromCents(one));
}
