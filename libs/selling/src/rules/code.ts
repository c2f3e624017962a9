import { RefusedInput } from '#kernel';
import { namesPrice, RefusedBooking, withCode, type BookingConflict, type OfferedPrice } from '#tickets';
import { texts } from '../locales/selling.texts.js';
import { fieldOf, type Rule, type Sale } from './sale.js';

/** What a price with a code depends on. */
interface Coded {
  readonly offer: Pick<Sale['offer'], 'code' | 'event'>;
}

/** Whether the code of the offer applies to a price: what it names, or all prices when it names none. A pass keeps its price. */
export function usesCode({ offer: { code, event } }: Coded, price: OfferedPrice): boolean {
  if (!code || code.appliesTo === 'memberships' || price.wholeSeries) return false;
  if (code.eventIds.length > 0 && !code.eventIds.includes(event.id)) return false;
  return namesPrice(code, price) || code.priceIds.length + code.productIds.length === 0;
}

/** Whether a code opens a price that is hidden: one for all prices opens none. */
export const opens = (sale: Coded, price: OfferedPrice): boolean => {
  const { code } = sale.offer;
  return code !== null && namesPrice(code, price) && usesCode(sale, price);
};

/**
 * What is paid for a piece with the code of the offer: never less than nothing, and never more than without it.
 * @param amount without the code, decimal text
 * @returns decimal texts; `saved` is null when the code does not apply
 */
export function reduced(sale: Coded, price: OfferedPrice, amount: string): { readonly amount: string; readonly saved: string | null } {
  const { code } = sale.offer;
  if (!code || !usesCode(sale, price)) return { amount, saved: null };
  return withCode(code, amount);
}

/**
 * Why the code of an offer cannot be used for any of the items; undefined: it can. A hold keeps a code that it uses, for as many tickets or
 * fewer, whatever became of the code.
 */
export function codeFault(sale: Pick<Sale, 'items' | 'offer' | 'keptCode'>): BookingConflict | undefined {
  const { code, prices } = sale.offer;
  const used = sale.items.reduce((sum, { priceId, quantity }) => {
    const price = prices.get(priceId);
    return price && usesCode(sale, price) ? sum + quantity : sum;
  }, 0);
  if (code && sale.keptCode?.id === code.id && used <= sale.keptCode.uses) return undefined;
  if (!code || code.disabled) return 'code_unknown';
  if (code.time !== 'now') return code.time === 'early' ? 'code_early' : 'code_expired';
  return used > 0 ? undefined : 'code_elsewhere';
}

/**
 * A code exists, is valid now, and applies to something that is chosen. A hidden price needs a code that names it: without one it looks to
 * buyers like a price that does not exist. How often a code may be used is decided where its uses are taken.
 */
export const code: Rule = {
  name: 'code',
  refuse(sale) {
    const fault = sale.code === undefined ? undefined : codeFault(sale);
    if (fault) return [new RefusedBooking(fault, 'code')];
    if (sale.decides) return [];
    return sale.items.flatMap(({ priceId }, index) => {
      const price = sale.offer.prices.get(priceId);
      if (!price?.hidden || opens(sale, price)) return [];
      return [new RefusedInput(fieldOf(index, 'priceId'), texts.localized('offers.unknownPrice'))];
    });
  },
};
