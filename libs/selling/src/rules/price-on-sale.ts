import { productKinds } from '#catalogue';
import { RefusedInput } from '#kernel';
import { RefusedBooking, type OfferedPrice } from '#tickets';
import { texts } from '../locales/selling.texts.js';
import { fieldOf, type Rule } from './sale.js';

/** Each price exists, is sold for the event, is none of a membership, and is published. */
export const priceOnSale: Rule = {
  name: 'price-on-sale',
  refuse: ({ items, offer }) => items.flatMap(({ priceId }, index) => faultOf(offer.prices.get(priceId), fieldOf(index, 'priceId')) ?? []),
};

function faultOf(price: OfferedPrice | undefined, field: string): RefusedInput | undefined {
  if (!price) return new RefusedInput(field, texts.localized('offers.unknownPrice'));
  if (productKinds[price.category] === 'membership') return new RefusedInput(field, texts.localized('offers.membershipPrice'));
  if (!price.linked) return new RefusedInput(field, texts.localized('offers.notSoldForEvent'));
  if (!price.published) return new RefusedBooking('price_not_published', field);
  return undefined;
}
