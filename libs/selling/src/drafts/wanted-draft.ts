import {
  admits,
  type Claim,
  claimOfStranger,
  linesOf,
  type Lines,
  loadOffer,
  mostUnpaidOf,
  type NewHold,
  type Offer,
  type OfferedEvent,
  type OfferedOption,
  type OfferedPrice,
  type PlannedSale,
  refuseOwnBeyond,
  type SealedKey,
  type WantedOffer,
} from '#tickets';
import { randomUUID } from 'node:crypto';
import { sumOf, type Settings } from '#kernel';
import type { Tx } from '#tenancy';
import { judge } from '../rules/index.js';
import { draftExpiryJob } from './draft-jobs.js';

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
  readonly price: OfferedPrice;
}

/** A choice that was checked against the offer of the event. */
export interface CheckedChoice {
  readonly eventId: string;
  readonly event: OfferedEvent;
  readonly tickets: readonly DraftTicket[];
  readonly lines: Lines;
  readonly prices: readonly OfferedPrice[];
  readonly options: readonly OfferedOption[];
  /** The key that signs new tickets. */
  readonly signingKey: SealedKey | undefined;
}

/** The offer that a choice is made from. */
export const offerOfChoice = ({ eventId, lines }: DraftChoice): WantedOffer => ({
  eventId,
  priceIds: [...new Set(lines.map(({ priceId }) => priceId))],
});

/**
 * Checks a choice against the event's offer.
 * @throws RefusedInputs on `tickets.<i>.priceId`, `tickets.<i>.amount` with every fault; RefusedInput on `tickets`, `options`;
 *   RefusedBooking
 */
export function checkedChoice({ eventId, lines, options }: DraftChoice, offer: Offer): CheckedChoice {
  const { lines: priced, options: chosen } = judge({ items: lines, options, decides: false, offer });
  const tickets = priced.flatMap(({ price, quantity, amount }): DraftTicket[] => {
    const ticket = { priceId: price.id, amount, admission: admits(price), vatRate: price.vatRate, price };
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

/** Checks a choice against the offer of now. @throws as `checkedChoice`; RefusedInput on `eventId` */
export async function readChoice(tx: Tx, choice: DraftChoice, settings: Settings): Promise<CheckedChoice> {
  return checkedChoice(choice, await loadOffer(tx, offerOfChoice(choice), settings));
}

/**
 * Plans a new hold.
 * @param hold.id of the draft
 * @param hold.now time of the hold on the database's clock
 * @throws RefusedBooking `limit_per_user` when the choice alone is more than a person may have
 */
export function plannedHold(
  checked: CheckedChoice,
  offer: Offer,
  { id, now, signingKeyId, ...hold }: NewHold & { readonly id: string; readonly now: Date; readonly signingKeyId: number },
): PlannedSale {
  const { eventId, event, tickets, options } = checked;
  const expiresAt = new Date(now.getTime() + hold.holdMinutes * 60_000);
  const amount = sumOf(tickets);
  const claim = claimOfHold(id, checked);
  refuseOwnBeyond(claim, event.maxPerUser);
  const names = { email: '', firstName: '', lastName: '', language: null } as const;
  const state = { status: 'C', signingKeyId, codeVersion: 0, holderEmail: null, firstName: '', lastName: '' } as const;
  return {
    versions: offer.versions,
    reservation: {
      id,
      eventId,
      ...names,
      emailKey: id,
      status: 'R',
      amount,
      origin: 'page',
      sequence: 0,
      createdAt: now,
      expiresAt,
      event,
      tickets: tickets.map(({ price, ...ticket }) => ({
        ...ticket,
        ...state,
        id: randomUUID(),
        price: { name: price.name, product: { name: price.product } },
      })),
      options: options.map((option) => ({ optionId: option.id, name: option.name })),
      payments: [],
      answers: [],
    },
    claim,
    maximum: event.maxPerUser,
    hold,
    message: undefined,
    mail: undefined,
    jobs: [{ kind: draftExpiryJob, subjectId: id, time: { dueAt: expiresAt } }],
  };
}

/** What a draft takes. Memberships and limits over several bookings of a person are checked with the address, when it is completed. */
export function claimOfHold(id: string, { eventId, lines, prices, tickets }: CheckedChoice): Claim {
  const defaultMaximum = mostUnpaidOf({ amount: sumOf(tickets), payAtVenue: false });
  return claimOfStranger({ reservationId: id, eventId, emailKey: id, lines, prices, defaultMaximum });
}
