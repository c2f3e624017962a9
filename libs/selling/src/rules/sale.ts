import {
  answersOfReservation,
  type GivenAnswer,
  type GivenAnswers,
  type KeptCode,
  type Offer,
  type OfferedOption,
  type OfferedPrice,
  type PaidPiece,
} from '#tickets';
import type { RefusedInput } from '#kernel';
import type { Buying } from '../discounts/kinds/discount-rule.js';

/** What a buyer wants at one price. */
export interface Item {
  readonly priceId: string;
  readonly quantity: number;
  /** Amount of each, chosen by the buyer when the price is free; decimal text. Default: the minimum. */
  readonly amount?: string | undefined;
  /** Answers to questions per ticket; they apply to each ticket of the item. */
  readonly answers?: GivenAnswers | undefined;
}

/** All that a rule may see: what is wanted, and what the event sells now. */
export interface Sale {
  readonly items: readonly Item[];
  /** UUIDs or names of options of the event. */
  readonly options: readonly string[];
  /** The code that the buyer entered, as `codeKey` writes it; the offer was read with it. */
  readonly code?: string | undefined;
  /** What the hold that is changed uses of a code. */
  readonly keptCode?: KeptCode | undefined;
  /** The buyer's e-mail address, empty when staff enter none; undefined: not known yet, because the tickets are only held. */
  readonly email?: string | undefined;
  /** Staff, and callers who confirm the sale themselves, decide about dates and sale windows on their own. */
  readonly decides: boolean;
  /** The sale is a part of one for all remaining dates of a series; default false. */
  readonly allDates?: boolean | undefined;
  /** Answers to questions per order; also to questions per ticket for items that do not answer them. */
  readonly answers?: GivenAnswers | undefined;
  /** Required questions may stay without an answer; default false. */
  readonly answersOptional?: boolean | undefined;
  /** What discounts depend on beside the items; default: an order for this event alone, of no member. */
  readonly buying?: Partial<Buying> | undefined;
  readonly offer: Pick<Offer, 'event' | 'prices' | 'options' | 'questions' | 'code' | 'discounts'>;
}

/** Tickets that their buyer holds and orders now: what a rule may see of them. */
export interface HeldSale {
  readonly offer: Pick<Offer, 'event' | 'prices'>;
  /** The hold has ended. */
  readonly lapsed: boolean;
  /** What the buyer answered; valid for its questions. */
  readonly answers: readonly GivenAnswer[];
}

/** A rule of selling. It is pure: it reads no database and no clock. Its name is the name of its file. */
export interface Rule {
  readonly name: string;
  /** Every reason for which this rule refuses the sale. It may assume that the rules before it refuse nothing. */
  refuse(sale: Sale): readonly RefusedInput[];
  /** The same for held tickets; default: they are not looked at again. */
  refuseHeld?(sale: HeldSale): readonly RefusedInput[];
}

/** A sale that all rules allow. */
export interface Verdict {
  /** The price of each item, in the order of the items, and what is paid for each of its pieces. */
  readonly lines: readonly { readonly price: OfferedPrice; readonly pieces: readonly PaidPiece[] }[];
  /** The chosen options, each once, in the order in which they are offered. */
  readonly options: readonly OfferedOption[];
}

/** The price of an item; `price-on-sale` has refused unknown ones. */
export const priceOf = ({ offer }: Pick<Sale, 'offer'>, { priceId }: Pick<Item, 'priceId'>): OfferedPrice =>
  offer.prices.get(priceId) as OfferedPrice;

/** The field of a part of an item, as forms and APIs name it. */
export const fieldOf = (index: number, part: 'priceId' | 'amount'): string => `tickets.${index}.${part}`;

/**
 * The answers of a sale.
 * @param ticketIds the tickets of each item, in the order of the items; default: one without an id
 * @throws RefusedInputs of RefusedAnswer, with every fault
 */
export function answersOfSale(sale: Sale, ticketIds: readonly (readonly string[])[] = sale.items.map(() => [''])): GivenAnswer[] {
  const lines = sale.items.map((item, index) => ({
    productId: priceOf(sale, item).productId,
    ticketIds: ticketIds[index] as readonly string[],
    answers: item.answers,
  }));
  return answersOfReservation(sale.offer.questions, sale.answers, lines, { allOptional: sale.answersOptional });
}
