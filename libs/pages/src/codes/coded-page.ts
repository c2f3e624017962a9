import { currency, fromCents, moneyWords, toCents, type Language } from '#kernel';
import type { CodeAtEvent } from '#selling';
import type { PublicPrice } from '../public-events/public-events.service.js';
import type { EnteredCode } from './code-form.js';
import { codeWords } from './code.words.js';

/** The prices of an event as they are with a code. */
export function pricesWith(prices: readonly PublicPrice[], { amounts, kept }: CodeAtEvent): PublicPrice[] {
  return prices.map((price) => {
    const amount = amounts.get(price.id);
    if (amount === undefined || price.pass !== null) return price;
    // The places that the code keeps are not among those that everybody sees.
    const places = kept.includes(price.id) ? { soldOut: false, held: false, left: null } : {};
    const isLess = toCents(amount) < toCents(price.amount);
    return { ...price, ...places, amount: amount as `${number}`, ...(isLess && { full: price.amount }) };
  });
}

/** What the form says about a code that applies. */
export function appliedCode({ code, opened }: CodeAtEvent, prices: readonly PublicPrice[], language: Language): EnteredCode {
  const words = codeWords[language];
  const most = Math.max(0, ...prices.map(({ full, amount }) => (full === undefined ? 0 : toCents(full) - toCents(amount))));
  return {
    typed: code,
    notes: [
      words.applies(code),
      ...(most > 0 ? [words.saves(moneyWords(fromCents(most), currency, language))] : []),
      ...(opened.length > 0 ? [words.opens] : []),
    ],
  };
}
