/** Currencies without decimals at Stripe; all other supported currencies have two. */
const withoutDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/**
 * Converts an amount to minor units without floating-point arithmetic: `12.50` EUR is 1250.
 * @throws TypeError when it is not a positive amount of this currency
 */
export function minorUnits(amount: string, currency: string): number {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  const decimals = decimalsOf(currency);
  const cents = fraction.padEnd(2, '0');
  if (whole === undefined || (decimals === 0 && cents !== '00')) throw new TypeError('not an amount of this currency');
  const units = Number(decimals === 0 ? whole : `${whole}${cents}`);
  if (units === 0) throw new TypeError('nothing to pay');
  return units;
}

/** Converts minor units to decimal text: 1250 EUR is `12.50`. @throws TypeError */
export function decimalText(units: number, currency: string): string {
  if (!Number.isSafeInteger(units) || units < 0) throw new TypeError('not an amount in minor units');
  if (decimalsOf(currency) === 0) return `${units}.00`;
  const digits = String(units).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function decimalsOf(currency: string): 0 | 2 {
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throw new TypeError('not a currency');
  return withoutDecimals.has(code) ? 0 : 2;
}
