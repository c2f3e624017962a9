/** Amounts are decimal text with two places (`12.50`) and are added as whole cents, never as floats. */

/** @param amount decimal text with at most two places, as PostgreSQL writes numeric(10, 2) */
export function toCents(amount: string): number {
  const [whole = '0', cents = ''] = amount.split('.');
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

/** Decimal text of an amount in cents: 1250 is `12.50`. */
export function fromCents(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** The sum of amounts, each multiplied by its count. */
export function sumOf(entries: readonly { readonly amount: string; readonly quantity?: number }[]): string {
  return fromCents(entries.reduce((sum, { amount, quantity = 1 }) => sum + toCents(amount) * quantity, 0));
}
