import { refuseUnfitName, type HolderName, emailFault, type GivenAnswers, type PaidPiece, type ReservationOrigin } from '#tickets';
import { RefusedInput, type Language } from '#kernel';
import type { VenueMethod } from '#payments';
import type { Buying } from '../discounts/kinds/discount-rule.js';
import { texts } from '../locales/selling.texts.js';
import { checkSize } from '../rules/size.js';

/** Input for a new reservation. */
export interface NewReservation {
  /** Default: the only upcoming event that sells the prices. */
  readonly eventId?: string;
  /** Optional only for sales that staff confirm in the panel. */
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** Language of mails to the holder; default: the tenant's. */
  readonly language?: Language;
  readonly tickets: readonly {
    /** Absent: a volunteer signs up for a volunteering slot, which needs no product. */
    readonly priceId?: string;
    readonly quantity: number;
    /** Amount per ticket, chosen by the buyer when the price is free; decimal text. Default: the minimum. */
    readonly amount?: string;
    /** Holders of the first tickets of this line; the others get the buyer's name. */
    readonly holders?: readonly HolderName[];
    /** Answers to questions per ticket; they apply to each ticket of this line. */
    readonly answers?: GivenAnswers;
  }[];
  /** Answers to questions per reservation; also to questions per ticket for lines that do not answer them. */
  readonly answers?: GivenAnswers;
  /** Required questions may stay without an answer; default false. */
  readonly answersOptional?: boolean;
  /** UUIDs or names of options of the event. */
  readonly options?: readonly string[];
  /** A code, as `codeKey` writes it. */
  readonly code?: string | undefined;
  /** The caller has sold (and been paid for) or given away the tickets: they are valid at once. */
  readonly confirmed?: boolean;
  /** A confirmed reservation that costs something is only held until a card reader has the money. */
  readonly awaitsReader?: boolean;
  /** How a confirmed reservation was paid at the venue; default cash. */
  readonly paymentMethod?: VenueMethod;
  /** The customer who pays a confirmed reservation later; what a gift card pays is paid. Default: nobody. */
  readonly customerId?: string | undefined;
  /** The code of a gift card that pays first, as it was typed; the rest is paid otherwise. */
  readonly giftCard?: string | undefined;
  /** Staff sell before people on the waiting list, and know it; default false. */
  readonly passesList?: boolean;
  readonly origin: ReservationOrigin;
  /** The open order of a sale with several parts, which places it; default: an order of its own. */
  readonly orderId?: string;
  /** What discounts depend on beside the tickets; default: this reservation is the whole order, and of no member. */
  readonly buying?: Partial<Buying>;
}

/** A new reservation in which each line has a price. */
export type PricedReservation = Omit<NewReservation, 'tickets'> & {
  readonly tickets: readonly (NewReservation['tickets'][number] & { readonly priceId: string })[];
};

/** Whether each line has a price. */
export function hasPrices(wanted: NewReservation): wanted is PricedReservation {
  return wanted.tickets.every(({ priceId }) => priceId !== undefined);
}

/** The prices of the lines, each once. */
export function priceIdsOf({ tickets }: PricedReservation): string[] {
  return [...new Set(tickets.map(({ priceId }) => priceId))];
}

/** The buyer's e-mail address as it is stored; empty when the buyer gave none. */
export function emailOf({ email = '' }: Pick<NewReservation, 'email'>): string {
  return email.trim();
}

/** Checks the input without reading the database. @throws RefusedInput on the first invalid field */
export function checkNewReservation(wanted: NewReservation): void {
  const { tickets } = wanted;
  const email = emailOf(wanted);
  const isNeeded = !wanted.confirmed || wanted.origin !== 'panel';
  const fault = emailFault(email);
  if (fault && (email !== '' || isNeeded)) throw fault;
  refuseUnfitName(wanted);
  checkSize(tickets);
  for (const [index, { quantity, holders = [] }] of tickets.entries()) {
    for (const [place, holder] of holders.entries()) refuseUnfitName(holder, `tickets.${index}.holders.${place}.`);
    if (holders.length <= quantity) continue;
    throw new RefusedInput(`tickets.${index}.holders`, texts.localized('newReservation.tooManyNames'));
  }
}

/** A ticket to store. */
export interface WantedTicket extends PaidPiece {
  readonly id: string;
  readonly priceId: string;
  readonly holder: HolderName;
  /** Index of its line in the input. */
  readonly line: number;
}

/** Expands the lines into tickets. @param paid for each ticket of each line */
export function ticketsWanted(wanted: PricedReservation, paid: readonly (readonly PaidPiece[])[]): WantedTicket[] {
  const booker = { firstName: wanted.firstName?.trim() ?? '', lastName: wanted.lastName?.trim() ?? '' };
  return wanted.tickets.flatMap(({ priceId, quantity, holders = [] }, line) =>
    Array.from({ length: quantity }, (_, index) => ({
      id: crypto.randomUUID(),
      priceId,
      ...(paid[line]?.[index] as PaidPiece),
      holder: holders[index] ?? booker,
      line,
    })),
  );
}
