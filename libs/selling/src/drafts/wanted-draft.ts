import { admits, loadOffer, type OfferedEvent, type OfferedOption, type OfferedPrice, linesOf, type Lines, type SealedKey } from '#tickets';
import type { Settings } from '#kernel';
import type { Tx } from '#tenancy';
import { judge } from '../rules/index.js';

/** What a buyer chose on the page of an event. */
export interface DraftChoice {
  readonly eventId: string;
  readonly lines: readonly DraftLine[];
  /** UUIDs of options of the event. */
  readonly options: readonly string[];
  /** In a cart: keeps what it contains for the event at other prices; default false. */
  readonly keepsOthers?: boolean;
}

export interface DraftLine {
  readonly priceId: string;
  readonly quantity: number;
  /** Amount per ticket, chosen by the buyer when the price is free; decimal text. Default: the minimum. */
  readonly amount?: string;
}

/** A ticket of a draft, to store. */
export interface DraftTicket {
  readonly priceId: string;
  /** Decimal text. */
  readonly amount: string;
  readonly admission: boolean;
  /** In percent, decimal text. */
  readonly vatRate: string | null;
}

/** A choice that was checked against the offer of the event. */
export interface CheckedChoice {
  readonly eventId: string;
  readonly event: OfferedEvent;
  readonly tickets: readonly DraftTicket[];
  readonly lines: Lines;
  readonly prices: readonly OfferedPrice[];
  /** Locked. */
  readonly options: readonly OfferedOption[];
  /** The key that signs new tickets. */
  readonly signingKey: SealedKey | undefined;
}

/**
 * Checks a choice against the event's offer.
 * @throws RefusedInputs on `tickets.<i>.priceId`, `tickets.<i>.amount` with every fault; RefusedInput on `eventId`, `tickets`, `options`;
 *   RefusedBooking
 */
export async function readChoice(tx: Tx, choice: DraftChoice, settings: Settings): Promise<CheckedChoice> {
  const { eventId, lines, options } = choice;
  const priceIds = [...new Set(lines.map(({ priceId }) => priceId))];
  const offer = await loadOffer(tx, eventId, priceIds, settings, { options });
  const { lines: priced, options: chosen } = judge({ items: lines, options, decides: false, offer });
  const tickets = priced.flatMap(({ price, quantity, amount }): DraftTicket[] => {
    const ticket = { priceId: price.id, amount, admission: admits(price), vatRate: price.vatRate };
    return Array.from({ length: quantity }, () => ticket);
  });
  return {
    eventId,
    event: offer.event,
    tickets,
    lines: linesOf(tickets.map(({ priceId: id, admission }) => ({ id, admission, count: 1 }))),
    prices: [...offer.prices.values()],
    options: chosen,
    signingKey: offer.signingKey,
  };
}
