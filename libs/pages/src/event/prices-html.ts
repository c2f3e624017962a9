import { escapeHtml, grouped, type Language } from '#kernel';
import { pageWords } from '../frame/pages.words.js';
import { priceWords } from '../event-lists/price-words.js';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { isGone, shutWords } from './sale-words.js';

/** Prices by product; a product with the same name as its only price is named once. */
export function pricesHtml(prices: readonly PublicPrice[], language: Language, timeZone: string): string {
  const words = pageWords[language];
  const line = (offered: PublicPrice): string => {
    const { name, membership } = offered;
    const note = membership !== null ? ` <small>(${escapeHtml(words.membersOnly)})</small>` : '';
    const price = escapeHtml(priceWords(offered, language));
    const shut = shutWords(offered, language, timeZone);
    const state = shut === undefined ? price : `${isGone(offered) ? `<s>${price}</s>` : price} <em>${escapeHtml(shut)}</em>`;
    return `<li><span><bdi>${escapeHtml(name)}</bdi>${note}</span> <span class="amount">${state}</span></li>`;
  };
  return [...grouped(prices, ({ product }) => product)]
    .map(([product, members]) => `<h3 dir="auto">${escapeHtml(product)}</h3>\n<ul class="prices">\n${members.map(line).join('\n')}\n</ul>`)
    .join('\n');
}
