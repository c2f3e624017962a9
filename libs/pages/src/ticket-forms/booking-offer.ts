import { costsNothing } from '#kernel';
import type { Visitor } from '#page-kit';
import type { PublicPrice } from '../public-events/public-events.service.js';

/** An option that a buyer of tickets for the event can choose. */
interface ChosenOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'radio' | 'checkbox';
}

/** What a buyer typed. Texts as they were sent. */
export interface TypedTickets {
  readonly quantities: ReadonlyMap<string, string>;
  readonly amounts: ReadonlyMap<string, string>;
  readonly options: ReadonlySet<string>;
}

/** The form with which buyers choose tickets. */
export interface BookingForm {
  /** Path that the form is sent to. */
  readonly action: string;
  /** `change`: other tickets for an order that was begun; `cart`: tickets for the cart only. */
  readonly kind: 'book' | 'change' | 'cart';
  /** Path of the order that the form changes. */
  readonly order?: string | undefined;
  /** The event that the form names, when its path does not. */
  readonly event?: string | undefined;
  /** Path that adds the tickets to a cart; absent: there is nothing else to buy. */
  readonly cart?: string | undefined;
  /** The code that the form sends along. */
  readonly code?: string | undefined;
  readonly typed?: TypedTickets | undefined;
  /** By the id of the field: `tickets`, `q-<price>`, `a-<price>`, `options`. */
  readonly faults?: ReadonlyMap<string, string> | undefined;
}

/** What the form offers. */
export interface BookingOffer {
  readonly prices: readonly PublicPrice[];
  readonly options: readonly ChosenOption[];
  /** Maximum number of tickets of one person for the event. */
  readonly maxPerUser: number | null;
  /** Whether buyers can pay, online or at the venue. */
  readonly canPay: boolean;
  /** Of the venue. */
  readonly timeZone: string;
  /** The form says how many tickets of a price are left when it is at most this number; 0: never. */
  readonly fewLeft: number;
  /** The event is a slot of volunteers. */
  readonly isVolunteering?: boolean;
  /** Path of the page of the event: who signs in returns to it. */
  readonly page: string;
  /** Who is signed in. */
  readonly visitor?: Visitor | undefined;
}

/** Whether tickets at this price can be chosen now. */
export function isBookable(price: PublicPrice, canPay: boolean): boolean {
  return !price.soldOut && price.sale === 'open' && isPayable(price, canPay);
}

/** Whether a buyer of this price can pay it here. */
export function isPayable({ amount, freeAmount }: Pick<PublicPrice, 'amount' | 'freeAmount'>, canPay: boolean): boolean {
  return canPay || (costsNothing(amount) && !freeAmount);
}
