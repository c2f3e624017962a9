import { dayAndTimeWords, type Language } from '#kernel';
import { pageWords } from '#page-kit';
import type { PublicPrice } from '../public-events/public-events.service.js';

type Sold = Pick<PublicPrice, 'sale' | 'opensAt' | 'closesAt' | 'soldOut'> & Partial<Pick<PublicPrice, 'held'>>;

/** Why a price cannot be chosen now: `Sold out`, `Reserved`, `Sales open on …`, `Sales ended`; undefined: it can. */
export function shutWords(
  { sale, opensAt, soldOut, held, admits }: Sold & Pick<PublicPrice, 'admits'>,
  language: Language,
  timeZone: string,
): string | undefined {
  const words = pageWords[language];
  if (sale === 'ended') return words.salesEnded;
  if (held) return words.heldNow;
  if (soldOut) return admits ? words.soldOut : words.goodsSoldOut;
  return sale === 'upcoming' && opensAt !== null ? words.salesFrom(dayAndTimeWords(new Date(opensAt), language, timeZone)) : undefined;
}

/** Until when a price can be chosen; undefined: without an end, or not now. */
export function closingWords({ sale, closesAt, soldOut }: Sold, language: Language, timeZone: string): string | undefined {
  if (sale !== 'open' || soldOut || closesAt === null) return undefined;
  return pageWords[language].salesUntil(dayAndTimeWords(new Date(closesAt), language, timeZone));
}

/** Whether the price stays on the page although it cannot be chosen any more: shown struck through. */
export function isGone({ sale, soldOut, held }: Sold): boolean {
  return (soldOut && !held) || sale === 'ended';
}

/** When the sale of one of these prices opens or ends next; undefined: never. */
export function nextSaleChange(prices: readonly Sold[], now: Date): Date | undefined {
  const later = prices.flatMap(({ opensAt, closesAt }) => [opensAt, closesAt]).filter((time) => time !== null && time > now.getTime());
  return later.length > 0 ? new Date(Math.min(...(later as number[]))) : undefined;
}
