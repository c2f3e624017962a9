import type { SaleState } from '#catalogue';
import { costsNothing } from '#kernel';

/**
 * Why visitors cannot book a published event on its page, from the farthest to the nearest: each is an obstacle of the price that is
 * nearest to being sold.
 * - `postponed`: the event has no date
 * - `no_price`: nothing is sold for it
 * - `unpublished`: its prices or products are not published
 * - `no_places`: its capacity is 0
 * - `ended`, `upcoming`: the sale is over, or has not begun
 * - `sold_out`
 * - `no_payment`: it costs something, and guests can pay neither online nor at the venue
 * - `payment_over`: it costs something, and the time to reserve and pay at the venue is over
 * - `members_only`: members can book
 */
const reasons = [
  'no_price',
  'unpublished',
  'no_places',
  'ended',
  'upcoming',
  'sold_out',
  'no_payment',
  'payment_over',
  'members_only',
] as const;
export type UnbookableReason = (typeof reasons)[number] | 'postponed';

/** Reasons that belong to every sale, so that nobody needs to be warned of them. */
const usual: ReadonlySet<UnbookableReason> = new Set(['ended', 'upcoming', 'sold_out', 'payment_over', 'members_only']);

/** Whether somebody forgot or chose something that keeps guests from booking. */
export const isOversight = (reason: UnbookableReason): boolean => !usual.has(reason);

/** What decides about one price. */
export interface PriceFacts {
  /** With its product; absent: it is. */
  readonly published?: boolean;
  readonly sale: SaleState;
  readonly soldOut: boolean;
  readonly amount: string;
  /** The buyer chooses the amount. */
  readonly freeAmount: boolean;
  /** The membership that the buyer must hold. */
  readonly membershipId: string | null;
}

/** What decides about the event. */
export interface EventFacts {
  readonly capacity: number;
  readonly isPostponed: boolean;
  /** Whether buyers can pay, online or at the venue. `over`: they could, until the time to pay at the venue was over. */
  readonly payment: 'open' | 'over' | 'none';
}

/** The only place that names the reason: panel and pages ask it. @returns undefined when everybody can book something */
export function whyUnbookable(event: EventFacts, prices: readonly PriceFacts[]): UnbookableReason | undefined {
  if (event.isPostponed) return 'postponed';
  const nearest = Math.max(0, ...prices.map((price) => rankOf(event, price)));
  return reasons[nearest];
}

/** The position of the obstacle of a price; behind the last one when it has none. */
function rankOf(event: EventFacts, { published = true, sale, soldOut, amount, freeAmount, membershipId }: PriceFacts): number {
  const costs = freeAmount || !costsNothing(amount);
  const obstacle = (
    [
      ['unpublished', !published],
      ['no_places', event.capacity === 0 && soldOut],
      ['ended', sale === 'ended'],
      ['upcoming', sale === 'upcoming'],
      ['sold_out', soldOut],
      ['no_payment', costs && event.payment === 'none'],
      ['payment_over', costs && event.payment === 'over'],
      ['members_only', membershipId !== null],
    ] as const
  ).find(([, applies]) => applies);
  return obstacle ? reasons.indexOf(obstacle[0]) : reasons.length;
}
