import {
  admits,
  type KeptCode,
  linesOf,
  type Lines,
  mostUnpaidOf,
  type NewHold,
  type Offer,
  type OfferedEvent,
  type OfferedOption,
  type OfferedPrice,
  type PaidPiece,
  type PlannedSale,
  soldAt,
  type WantedOffer,
} from '#tickets';
import { randomUUID } from 'node:crypto';
import { sumOf } from '#kernel';
import { linesOfSold } from '#orders';
import type { Buying } from '../discounts/kinds/discount-rule.js';
import { judge } from '../rules/index.js';
import { draftExpiryJob } from './draft-jobs.js';

/** What a buyer chose on the page of an event. */
export interface DraftChoice {
  readonly eventId: string;
  readonly lines: readonly DraftLine[];
  /** UUIDs of options of the event. */
  readonly options: readonly string[];
  /** As `codeKey` writes it. */
  readonly code?: string | undefined;
  /** In a cart: keeps what it contains for the event at other prices; default false. */
  readonly keepsOthers?: boolean;
  /** Prices for all dates of a series may be among the lines: a cart books the other dates, too. Default false. */
  readonly allDates?: boolean;
  /** The draft has these tickets already: sale windows do not matter while it holds them. Default false. */
  readonly isKept?: boolean;
  /** What discounts depend on beside the tickets; default: a purchase for this event alone, of no member. */
  readonly buying?: Partial<Buying> | undefined;
}

export interface DraftLine {
  readonly priceId: string;
  readonly quantity: number;
  /** Amount per ticket, chosen by the buyer when the price is free; decimal text. Default: the minimum. */
  readonly amount?: string;
}

/** A ticket of a draft, to store. */
export interface DraftTicket extends PaidPiece {
  readonly priceId: string;
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
}

/** The offer that a choice is made from. */
export const offerOfChoice = ({ eventId, lines, code }: DraftChoice): WantedOffer => ({
  eventId,
  priceIds: [...new Set(lines.map(({ priceId }) => priceId))],
  code,
});

/**
 * Checks a choice against the event's offer.
 * @param how.decides the server holds the tickets for somebody who waited, or the buyer holds them: sale windows do not matter
 * @param how.keptCode what the hold that is changed uses of a code
 * @throws RefusedInputs on `tickets.<i>.priceId`, `tickets.<i>.amount` with every fault; RefusedInput on `tickets`, `options`;
 *   RefusedBooking
 */
export function checkedChoice(
  { eventId, lines, options, code, allDates, buying }: DraftChoice,
  offer: Offer,
  { decides = false, keptCode }: { readonly decides?: boolean; readonly keptCode?: KeptCode | undefined } = {},
): CheckedChoice {
  const { lines: priced, options: chosen } = judge({ items: lines, options, code, keptCode, decides, allDates, buying, offer });
  const tickets = priced.flatMap(({ price, pieces }): DraftTicket[] => {
    const ticket = { priceId: price.id, admission: admits(price), vatRate: price.vatRate, price };
    return pieces.map((piece) => ({ ...ticket, ...piece }));
  });
  return {
    eventId,
    event: offer.event,
    tickets,
    lines: linesOf(tickets.map(({ priceId: id, admission }) => ({ id, admission, count: 1 }))),
    prices: [...offer.prices.values()],
    options: chosen,
  };
}

/** A hold to plan. */
export interface WantedHold extends NewHold {
  /** Of the draft. */
  readonly id: string;
  /** Time of the hold on the database's clock. */
  readonly now: Date;
  readonly expiresAt: Date;
  readonly signingKeyId: number;
  /** What the draft held until now. */
  readonly kept: Lines | undefined;
  readonly keptCode: KeptCode | undefined;
  /** A proposal, which is made for people who wait. */
  readonly passesList?: boolean;
}

/**
 * Plans a hold. Memberships and limits over several bookings of a person are checked with the address, when the draft is completed. The job
 * that ends a hold runs already, unless it begins.
 */
export function plannedHold(
  { eventId, event, tickets, options, lines }: CheckedChoice,
  { versions, code }: Offer,
  { id, now, expiresAt, signingKeyId, kept, keptCode, passesList, ...hold }: WantedHold,
): PlannedSale {
  const amount = sumOf(tickets);
  const { lines: orderLines, lineIds } = linesOfSold(tickets.map((ticket) => soldAt(ticket.price, ticket)));
  const names = { email: '', firstName: '', lastName: '', language: null } as const;
  const state = { status: 'C', signingKeyId, codeVersion: 0, holderEmail: null, firstName: '', lastName: '' } as const;
  return {
    versions,
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
      tickets: tickets.map(({ price, ...ticket }, index) => ({
        ...ticket,
        ...state,
        lineId: lineIds[index] as string,
        id: randomUUID(),
        price: { name: price.name, product: { name: price.product } },
      })),
      options: options.map((option) => ({ optionId: option.id, name: option.name })),
      payments: [],
      answers: [],
    },
    order: { id: hold.cartId ?? id, isOpen: true },
    lines: orderLines,
    code: code ?? undefined,
    claim: {
      reservationId: id,
      eventId,
      emailKey: id,
      isOnly: true,
      defaultMaximum: mostUnpaidOf({ amount, payAtVenue: false }),
      lines,
      memberships: [],
      kept,
      passesList,
      codeId: code?.id,
      codedSeats: tickets.filter(({ admission, saved }) => admission && saved !== null).length,
      keptCode,
    },
    hold,
    message: undefined,
    mail: undefined,
    jobs: kept ? [] : [{ kind: draftExpiryJob, subjectId: id, time: { dueAt: expiresAt } }],
  };
}
