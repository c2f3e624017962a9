import { isEmail, RefusedInput, refuseUnfitTexts, type Language } from '#kernel';
import { holderTexts } from '../holder-texts.js';
import type { VenueMethod } from '#payments';
import type { GivenAnswers } from '../answers/answer-rules.js';
import type { ReservationOrigin } from '../reservations/reservation-states.js';

export interface HolderName {
  readonly firstName: string;
  readonly lastName: string;
}

/** What somebody wants to book. */
export interface NewReservation {
  /** Without one: the one upcoming event that sells the prices. */
  readonly eventId?: string;
  /** Empty or absent: the buyer gave none. Only a sale that staff confirm in the panel needs none. */
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** To write to the holder in; without one the tenant's. */
  readonly language?: Language;
  readonly tickets: readonly {
    /** Without one: signing up for a volunteering slot, which needs no product. */
    readonly priceId?: string;
    readonly quantity: number;
    /** What the buyer pays for each of these tickets, where the price lets them choose; decimal text. Without one the least. */
    readonly amount?: string;
    /** Whose the first of these tickets are; the others are the booker's. */
    readonly holders?: readonly HolderName[];
    /** To questions that are asked for each ticket: those of each of these tickets. */
    readonly answers?: GivenAnswers;
  }[];
  /** To questions that are asked once per reservation, and for every ticket whose line answers nothing else. */
  readonly answers?: GivenAnswers;
  /** Required questions may stay without an answer; default false. */
  readonly answersOptional?: boolean;
  /** UUIDs or names of options of the event. */
  readonly options?: readonly string[];
  /** Sold, paid or given away, by who calls: the tickets are valid at once. */
  readonly confirmed?: boolean;
  /** How a confirmed one was paid at the venue; default cash. */
  readonly paymentMethod?: VenueMethod;
  readonly origin: ReservationOrigin;
}

/** What somebody wants to book, each line with its price. */
export type PricedReservation = Omit<NewReservation, 'tickets'> & {
  readonly tickets: readonly (NewReservation['tickets'][number] & { readonly priceId: string })[];
};

/** More is a mistake, or an attack. */
export const maximumTickets = 100;

/** The buyer's address as it is stored; empty: the buyer gave none. */
export function emailOf({ email = '' }: Pick<NewReservation, 'email'>): string {
  return email.trim();
}

/** Checks what can be checked without looking at anything stored. @throws RefusedInput on the first field that does not fit */
export function checkNewReservation(wanted: NewReservation): void {
  const { tickets, firstName, lastName } = wanted;
  const email = emailOf(wanted);
  const isNeeded = !wanted.confirmed || wanted.origin !== 'panel';
  if (email === '' ? isNeeded : !isEmail(email)) {
    throw new RefusedInput('email', {
      en: 'Write an e-mail address such as ada@example.org.',
      fr: 'Écrivez une adresse e-mail telle que ada@example.org.',
    });
  }
  refuseUnfitTexts({ firstName, lastName }, holderTexts);
  const sum = tickets.reduce((count, { quantity }) => count + quantity, 0);
  if (sum < 1 || sum > maximumTickets || tickets.some(({ quantity }) => !Number.isInteger(quantity) || quantity < 1)) {
    throw new RefusedInput('tickets', {
      en: `Book 1 to ${maximumTickets} tickets.`,
      fr: `Réservez de 1 à ${maximumTickets} billets.`,
    });
  }
  for (const [index, { quantity, holders = [] }] of tickets.entries()) {
    for (const holder of holders) refuseUnfitTexts(holder, holderTexts);
    if (holders.length <= quantity) continue;
    throw new RefusedInput(`tickets.${index}.holders`, {
      en: 'There are more names than tickets.',
      fr: 'Il y a plus de noms que de billets.',
    });
  }
}

/** A ticket that is to be stored. */
export interface WantedTicket {
  readonly id: string;
  readonly priceId: string;
  /** Decimal text. */
  readonly amount: string;
  readonly holder: HolderName;
  /** Which of the reservation's lines it is of. */
  readonly line: number;
}

/** @param amounts what each ticket of a line costs, line by line */
export function ticketsWanted(wanted: PricedReservation, amounts: readonly string[]): WantedTicket[] {
  const booker = { firstName: wanted.firstName?.trim() ?? '', lastName: wanted.lastName?.trim() ?? '' };
  return wanted.tickets.flatMap(({ priceId, quantity, holders = [] }, line) =>
    Array.from({ length: quantity }, (_, index) => ({
      id: crypto.randomUUID(),
      priceId,
      amount: amounts[line] as string,
      holder: holders[index] ?? booker,
      line,
    })),
  );
}
