import { guichet } from '../page/guichet.js';

// The format of an amount, such as `0,00 €`; its digits are replaced.
const zero = new Intl.NumberFormat(guichet.locale, { style: 'currency', currency: guichet.currency }).format(0);
const [zeroDigits = '0.00', sign = '.'] = /0(.)00/.exec(zero) ?? [];

/** A decimal text with the decimal sign of the page's language. It is never converted to a float. */
export const decimal = (text: string | number): string => String(text).replace('.', sign).replace('-', '−');

/** `12.50` → `€12.50`, or `12,50 €`. */
export const money = (text: string): string =>
  text.startsWith('-') ? `−${money(text.slice(1))}` : zero.replace(zeroDigits, decimal(text));

/** Multiplies a decimal text by a whole number; computes in cents. */
export const times = (amount: string, quantity: number): string => fromCents(toCents(amount) * quantity);

const localFormat = new Intl.NumberFormat(guichet.locale, { maximumFractionDigits: 1 });

/** `7.5`, or `7,5`: with at most one decimal. */
export const localNumber = (number: number): string => localFormat.format(number);

/** The sum of decimal texts. */
export const sum = (amounts: readonly string[]): string => fromCents(amounts.reduce((all, amount) => all + toCents(amount), 0));

/** One decimal text less another; nothing when that one is more. */
export const less = (full: string, part: string): string => fromCents(Math.max(0, toCents(full) - toCents(part)));

/**
 * The amount per ticket of a price: the typed amount for a free price; an incomplete amount counts as the minimum.
 */
export const amountOf = (
  { id, amount, freeAmount }: { readonly id: string; readonly amount: string; readonly freeAmount: boolean },
  amounts: Readonly<Record<string, string>>,
): string => {
  const typed = (amounts[id] ?? '').trim().replace(',', '.');
  return freeAmount && /^\d{1,8}(\.\d{1,2})?$/.test(typed) ? typed : amount;
};

const toCents = (amount: string): number => {
  const [whole, cents = ''] = amount.split('.');
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
};

const fromCents = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** The cents in an amount as people type it, with a point or a comma; undefined when it is none. */
export const centsIn = (typed: string): number | undefined => {
  const text = typed.trim().replace(',', '.');
  return /^\d{1,8}(\.\d{1,2})?$/.test(text) ? toCents(text) : undefined;
};

/** Cents as a decimal text. */
export const textOfCents = (cents: number): string => fromCents(cents);
