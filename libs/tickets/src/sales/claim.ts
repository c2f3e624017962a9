import type { Lines } from '../inventory/inventory.js';

/** What a hold uses of a code. */
export interface KeptCode {
  readonly id: string;
  readonly uses: number;
  /** What it saves, decimal text. */
  readonly saved: string;
}

/** The seats and stock that a reservation needs, and the person it counts for. */
export interface Claim {
  /** The reservation, whose own tickets do not count as held. */
  readonly reservationId: string;
  readonly eventId: string;
  readonly emailKey: string;
  /** What the person has otherwise is not looked at, because the buyer is not known yet: it is a draft, or only a typed address. */
  readonly isOnly?: boolean;
  /** Maximum number of tickets per person where the event has none; default: no limit. */
  readonly defaultMaximum?: number | null;
  readonly lines: Lines;
  /** Products of the memberships that the prices require, each once. */
  readonly memberships: readonly string[];
  /** The reservation holds its seats and stock already: only the person is checked. */
  readonly isHeld?: boolean;
  /** It holds them no more, but they were not released yet: the uses of its code may be others' now. */
  readonly hasLapsed?: boolean;
  /** The code that its lines use. */
  readonly codeId?: string | null | undefined;
  /** Admission tickets that use it: they may have the places that it keeps. */
  readonly codedSeats?: number;
  /** The uses of a code that the same buyer held and gave back in this transaction: nothing is asked of as many again. */
  readonly keptCode?: KeptCode | undefined;
  /** What the same buyer held and gave back in this transaction: it is not offered to the waiting list in between. */
  readonly kept?: Lines | undefined;
  /** Staff sell before people who wait; a proposal is made for them. */
  readonly passesList?: boolean | undefined;
}

/** The products of the memberships that prices require, each once, in the order of their ids. */
export const membershipsRequired = (prices: readonly { readonly requiredMembershipId: string | null }[]): string[] =>
  [...new Set(prices.flatMap(({ requiredMembershipId: id }) => id ?? []))].toSorted();

/**
 * The claim of an order of the pages of which nobody knows yet whether its address is that of the buyer: limits count its own tickets only,
 * and memberships are not looked for. `checkUncounted` decides when the mailed link is opened, or the payment arrives.
 */
export function claimOfStranger(claim: Claim): Claim {
  return { ...claim, isOnly: true, memberships: [] };
}
