import { toCents } from '#kernel';
import type { Exchangeable } from './cheapest-memberships.js';

/** A price for members that can be booked for an event now. */
export interface OfferedMemberPrice {
  readonly eventId: string;
  readonly priceId: string;
  /** The product whose tickets it may replace; null: none. */
  readonly standsFor: string | null;
  /** Decimal text. */
  readonly amount: string;
  /** Product of the membership that it requires. */
  readonly membershipId: string;
  readonly maxPerUser: number | null;
  /** null: no limit. */
  readonly stock: number | null;
  /** The stock is one for all events, as that of goods. */
  readonly sharesStock: boolean;
}

/** A ticket in a cart. */
export interface CartTicket {
  readonly id: string;
  readonly priceId: string;
  /** Decimal text. */
  readonly amount: string;
  readonly price: {
    readonly productId: string;
    readonly requiredMembershipId: string | null;
    readonly freeAmount: boolean;
    readonly wholeSeries: boolean;
  };
}

/** The tickets of a cart for one event. */
export interface TicketsOfEvent {
  readonly eventId: string;
  readonly tickets: readonly CartTicket[];
}

/** Tickets of one product for one event at prices for everybody. */
export interface ExchangeableTickets extends Exchangeable {
  readonly tickets: readonly CartTicket[];
}

/**
 * Groups the tickets at prices for everybody with the prices for members that may replace them. A stock that several events share is
 * divided in the order of the events, so that all exchanges together are possible.
 */
export function exchangeableTickets(parts: readonly TicketsOfEvent[], prices: readonly OfferedMemberPrice[]): ExchangeableTickets[] {
  const left = new Map<string, number>();
  return parts.flatMap(({ eventId, tickets }) => {
    const open = tickets.filter(({ price }) => price.requiredMembershipId === null && !price.freeAmount && !price.wholeSeries);
    const products = new Set(open.map(({ price }) => price.productId));
    return [...products].flatMap((productId): ExchangeableTickets[] => {
      const options = prices.filter((price) => price.eventId === eventId && price.standsFor === productId);
      if (options.length === 0) return [];
      const group = open.filter(({ price }) => price.productId === productId);
      const offered = options.map(({ priceId, membershipId, amount, maxPerUser, stock, sharesStock }) => {
        const held = tickets.filter((ticket) => ticket.priceId === priceId).length;
        const inStock = (sharesStock ? left.get(priceId) : undefined) ?? stock ?? group.length;
        const most = Math.max(0, Math.min(inStock, group.length, maxPerUser === null ? group.length : maxPerUser - held));
        if (sharesStock && stock !== null) left.set(priceId, inStock - most);
        return { priceId, membershipId, amount: toCents(amount), most };
      });
      return [{ tickets: group, amounts: group.map(({ amount }) => toCents(amount)), prices: offered }];
    });
  });
}
