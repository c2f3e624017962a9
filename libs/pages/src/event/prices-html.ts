import { costsNothing, escapeHtml, grouped, moneyWords, type Language } from '#kernel';
import { pageWords } from '../frame/pages.words.js';
import type { PublicPrice } from '../public-events/public-events.service.js';

/** `€12.50`, `12,50 €`; zero is shown as free. The decimal text is never converted to a float. */
export function amountWords(amount: `${number}`, language: Language): string {
  return costsNothing(amount) ? pageWords[language].free : moneyWords(amount, 'EUR', language);
}

/** `Pay what you want`, `From €5.00`. */
function freeAmountWords(amount: `${number}`, language: Language): string {
  const words = pageWords[language];
  return costsNothing(amount) ? words.payWhatYouWant : words.from(moneyWords(amount, 'EUR', language));
}

/** The amount of a price, or the minimum of a free one. */
export function priceWords({ amount, freeAmount }: Pick<PublicPrice, 'amount' | 'freeAmount'>, language: Language): string {
  return freeAmount ? freeAmountWords(amount, language) : amountWords(amount, language);
}

/** Prices by product; a product with the same name as its only price is named once. */
export function pricesHtml(prices: readonly PublicPrice[], language: Language): string {
  const words = pageWords[language];
  const line = ({ name, amount, freeAmount, soldOut, membership }: PublicPrice): string => {
    const note = membership !== null ? ` <small>(${escapeHtml(words.membersOnly)})</small>` : '';
    const price = escapeHtml(priceWords({ amount, freeAmount }, language));
    const state = soldOut ? `<s>${price}</s> <em>${escapeHtml(words.soldOut)}</em>` : price;
    return `<li><span><bdi>${escapeHtml(name)}</bdi>${note}</span> <span class="amount">${state}</span></li>`;
  };
  return [...grouped(prices, ({ product }) => product)]
    .map(([product, members]) => `<h3 dir="auto">${escapeHtml(product)}</h3>\n<ul class="prices">\n${members.map(line).join('\n')}\n</ul>`)
    .join('\n');
}
