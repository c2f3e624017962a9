import {
  admits,
  loadOffer,
  type OfferedEvent,
  type OfferedOption,
  type OfferedPrice,
  checkDate,
  checkEvent,
  checkPrice,
  checkSale,
  linesOf,
  type Lines,
  amountToPay,
  checkSum,
  type SealedKey,
} from '#tickets';
import { RefusedInput, RefusedInputs, type Settings } from '#kernel';
import type { Tx } from '#tenancy';
import { chosenOptions } from '../new-reservations/chosen-options.js';
import { maximumTickets } from '../new-reservations/new-reservation.js';
import { texts } from '../locales/selling.texts.js';

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
 * Checks the number of tickets without reading the database.
 * @throws RefusedInput on `tickets`
 */
export function checkChoice({ lines }: DraftChoice): void {
  const sum = lines.reduce((count, { quantity }) => count + quantity, 0);
  if (sum >= 1 && sum <= maximumTickets && lines.every(({ quantity }) => Number.isInteger(quantity) && quantity >= 1)) return;
  throw new RefusedInput('tickets', texts.localized('newReservation.ticketCount', { maximumTickets }));
}

/**
 * Checks a choice against the event's offer.
 * @throws RefusedInputs on `tickets.<i>.priceId`, `tickets.<i>.amount` with every fault; RefusedInput on `eventId`, `tickets`, `options`;
 *   RefusedBooking
 */
export async function readChoice(tx: Tx, choice: DraftChoice, settings: Settings): Promise<CheckedChoice> {
  const { eventId, lines, options } = choice;
  const priceIds = [...new Set(lines.map(({ priceId }) => priceId))];
  const { event, prices, signingKey, options: offered } = await loadOffer(tx, eventId, priceIds, settings, { options });
  checkEvent(event);
  checkDate(event);
  const faults: RefusedInput[] = [];
  const tickets = lines.flatMap(({ priceId, quantity, amount }, index): DraftTicket[] => {
    const price = prices.get(priceId);
    checkPrice(price, index);
    checkSale(price, `tickets.${index}.priceId`);
    try {
      const ticket = {
        priceId,
        amount: amountToPay(price, amount, `tickets.${index}.amount`),
        admission: admits(price),
        vatRate: price.vatRate,
      };
      return Array.from({ length: quantity }, () => ticket);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      faults.push(error);
      return [];
    }
  });
  if (faults.length > 0) throw new RefusedInputs(faults);
  checkSum(tickets.map(({ amount }) => amount));
  return {
    eventId,
    event,
    tickets,
    lines: linesOf(tickets.map(({ priceId: id, admission }) => ({ id, admission, count: 1 }))),
    prices: [...prices.values()],
    options: chosenOptions(offered, options),
    signingKey,
  };
}
