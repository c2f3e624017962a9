import { toCents } from '#kernel';
import { admits, type OfferedDiscount, type OfferedPrice } from '#tickets';

/** One ticket of a booking, before anything is saved. Amounts are cents. */
export interface Piece {
  readonly price: Pick<OfferedPrice, 'id' | 'productId' | 'requiredMembershipId' | 'wholeSeries' | 'freeAmount' | 'category'>;
  readonly amount: number;
  /** What the code of the buyer saves here. */
  readonly coded: number;
}

/** What discounts depend on beside the tickets of the booking. */
export interface Buying {
  /** All events of the order, each once. */
  readonly eventIds: readonly string[];
  /** Products of the memberships that the buyer has, or buys with the same order. */
  readonly memberships: readonly string[];
}

/** What is missing for a discount. */
export interface Missing {
  readonly what: 'tickets' | 'events' | 'amount' | 'membership';
  /** Tickets, events or cents. */
  readonly count: number;
}

/** A kind of discount that each ticket gets by itself. It is pure: it reads no database and no clock. */
export interface DiscountRule {
  /**
   * Whether the discount is given.
   * @param pieces those that it applies to
   */
  isGiven(discount: OfferedDiscount, pieces: readonly Piece[], buying: Buying): boolean;
  /** What is missing until it is given; undefined: nothing, or nothing that a buyer can add. */
  missing(discount: OfferedDiscount, pieces: readonly Piece[], buying: Buying): Missing | undefined;
}

/**
 * Whether a discount applies to a ticket: what it names, or all admission when it names nothing. A pass keeps its price, a price for
 * members is reduced for members already, and whoever chooses an amount needs no discount.
 */
export function applies({ kind, priceIds, productIds }: OfferedDiscount, { price, amount }: Piece): boolean {
  if (price.wholeSeries || price.freeAmount || amount === 0) return false;
  if (kind === 'members' && price.requiredMembershipId !== null) return false;
  if (priceIds.length + productIds.length === 0) return admits(price);
  return priceIds.includes(price.id) || productIds.includes(price.productId);
}

/** What a discount saves at a ticket that gets it, in cents: never more than it costs. A part of a cent is given to the buyer. */
export function savedAt({ effect, value }: OfferedDiscount, { amount }: Piece): number {
  return Math.min(amount, effect === 'percent' ? Math.ceil((amount * toCents(value)) / 10_000) : toCents(value));
}
