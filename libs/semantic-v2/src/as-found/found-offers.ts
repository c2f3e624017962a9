import { ignoreMember, isNothing, isObject } from '#kernel';
import { isDeepStrictEqual } from 'node:util';
import { first, isBlank, listOf, oneText, readMembers, textOrNumber, type Members, type ReadMember } from './found-values.js';

const mostOffers = 50;
const terms = ['eligibleQuantity', 'returnPolicy'] as const;
/** Members by which an object states a price, and not only conditions. */
const stating = ['name', 'price', 'lowPrice', 'highPrice', 'priceSpecification', 'priceCurrency', 'availability', 'validFrom', 'url'];

/**
 * Offers as they are found: one, a list, an AggregateOffer with a list. The result is one object with the conditions for all, and
 * `offers`, the stated prices, unless none is stated.
 */
export function readOffers(value: unknown, pointer: string, moved: Map<string, string>): unknown {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return value === '' ? null : value;
  if (isList && !value.every((offer) => isObject(offer) || typeof offer === 'string' || isNothing(offer))) return value;
  const whole = isList ? {} : value;
  const inner = isList ? value : whole['offers'];
  if (inner === undefined) {
    const offers = stating.some((name) => name in whole) ? { offers: [statedOf(withoutTerms(whole), pointer)] } : {};
    moved.set(`${pointer}/offers/0`, pointer);
    return { ...readMembers(offers.offers ? onlyTerms(whole) : whole, {}), ...offers };
  }
  const at = isList ? pointer : `${pointer}/offers`;
  if (isList) moved.set(`${pointer}/offers`, pointer);
  const objects = listOf(inner).flatMap((offer, index) => {
    if (isObject(offer) && index < mostOffers) return [[offer, `${at}/${index}`] as const];
    if (!isNothing(offer)) ignoreMember(`${at}/${index}`);
    return [];
  });
  const shared = isList ? commonTerms(objects) : withoutPrices(whole);
  return { ...shared, offers: objects.map(([offer, place]) => statedOf(withoutTerms(offer), place)) };
}

const onlyTerms = (offer: Members): Record<string, unknown> =>
  Object.fromEntries(Object.entries(offer).filter(([name]) => name.startsWith('@') || (terms as readonly string[]).includes(name)));

const withoutTerms = (offer: Members): Record<string, unknown> =>
  Object.fromEntries(Object.entries(offer).filter(([name]) => !(terms as readonly string[]).includes(name)));

/** The prices of an AggregateOffer follow from its list. */
const withoutPrices = (offer: Members): Record<string, unknown> =>
  Object.fromEntries(Object.entries(offer).filter(([name]) => name !== 'offers' && !stating.includes(name)));

/** Conditions stand once for an event: those of the first offer that has some. */
function commonTerms(offers: readonly (readonly [Members, string])[]): Record<string, unknown> {
  const found = terms.flatMap((name) => {
    const one = offers.find(([offer]) => isObject(offer[name]));
    for (const [offer, pointer] of offers) {
      if (!isBlank(offer[name]) && !isDeepStrictEqual(offer[name], one?.[0][name])) ignoreMember(`${pointer}/${name}`);
    }
    return one ? [[name, one[0][name]] as const] : [];
  });
  return Object.fromEntries(found);
}

/** One stated price. `lowPrice` and `highPrice` may also be in its specification. */
function statedOf(offer: Members, pointer: string): Record<string, unknown> {
  const specification = first(offer['priceSpecification'], `${pointer}/priceSpecification`);
  const specified = isObject(specification) ? specification : {};
  const { priceSpecification: _, ...own } = offer;
  const members = {
    price: specified['price'] ?? specified['minPrice'],
    highPrice: specified['maxPrice'],
    priceCurrency: specified['priceCurrency'],
    ...own,
  };
  const read = readMembers(members, statedReaders, pointer);
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null));
}

const statedReaders: Readonly<Record<string, ReadMember>> = {
  name: oneText,
  price: textOrNumber,
  lowPrice: textOrNumber,
  highPrice: textOrNumber,
  priceCurrency: oneText,
  availability: oneText,
  validFrom: oneText,
  url: oneText,
};
