/** Amounts are decimal text with two places (`12.50`) and are added as whole cents, never as floats. */

/** The currency in which everything is sold (ISO 4217). */
export const currency = 'EUR';

/** @param amount decimal text with at most two places, as PostgreSQL writes numeric(10, 2); may be negative */
export function toCents(amount: string): number {
  const [whole = '0', cents = ''] = amount.replace('-', '').split('.');
  const size = Number(whole) * 100 + Number(cents.padEnd(2, '0'));
  return amount.startsWith('-') && size > 0 ? -size : size;
}

/** Decimal text of an amount in cents: 1250 is `12.50`, -1250 is `-12.50`. */
export function fromCents(cents: number): string {
  const size = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}

/** The sum of amounts, each multiplied by its count. */
export function sumOf(entries: readonly { readonly amount: string; readonly quantity?: number }[]): string {
  return fromCents(entries.reduce((sum, { amount, quantity = 1 }) => sum + toCents(amount) * quantity, 0));
}
