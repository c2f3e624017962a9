import { escapeHtml, grouped, type Language } from '#kernel';
import { pageWords, priceWords } from '#page-kit';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { isGone, shutWords } from './sale-words.js';

/** Prices by product; a product with the same name as its only price is named once. */
export function pricesHtml(prices: readonly PublicPrice[], language: Language, timeZone: string): string {
  const words = pageWords[language];
  const line = (offered: PublicPrice): string => {
    const { name, membership } = offered;
    const price = escapeHtml(priceWords(offered, language));
    const shut = shutWords(offered, language, timeZone);
    const notes = [...(membership === null ? [] : [`(${words.membersOnly})`]), ...(shut !== undefined && !isGone(offered) ? [shut] : [])];
    const note = notes.map((text) => ` <small>${escapeHtml(text)}</small>`).join('');
    const state = shut !== undefined && isGone(offered) ? `<s>${price}</s> <em>${escapeHtml(shut)}</em>` : price;
    return `<li><span class="offer-name"><bdi>${escapeHtml(name)}</bdi>${note}</span> <span class="amount">${state}</span></li>`;
  };
  return [...grouped(prices, ({ product }) => product)]
    .map(([product, members]) => `<h3 dir="auto">${escapeHtml(product)}</h3>\n<ul class="prices">\n${members.map(line).join('\n')}\n</ul>`)
    .join('\n');
}
