import type { Event, Price, Product } from '#catalogue';
import { sumOf } from '#kernel';
import type { Payment } from '#payments';
import type { WholeAnswer } from '../answers/answer-rows.js';
import type { ReservationOption } from '../entities/reservation-option.entity.js';
import type { Reservation } from '../entities/reservation.entity.js';
import type { Ticket } from '../entities/ticket.entity.js';

/** The total of a reservation, decimal text: the sum of its tickets that are not cancelled. */
export const totalOf = ({ tickets }: { readonly tickets: readonly Pick<Ticket, 'status' | 'amount'>[] }): string =>
  sumOf(tickets.filter(({ status }) => status !== 'R'));

type ShownColumn =
  | 'id'
  | 'eventId'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'language'
  | 'status'
  | 'amount'
  | 'sequence'
  | 'expiresAt'
  | 'createdAt';

/** A ticket with the names of its price and product. */
export type ShownTicket = Pick<
  Ticket,
  'id' | 'priceId' | 'amount' | 'firstName' | 'lastName' | 'status' | 'admission' | 'signingKeyId' | 'codeVersion' | 'holderEmail'
> & {
  readonly price: Pick<Price, 'name'> & { readonly product: Pick<Product, 'name'> };
};

export type ShownAnswer = Pick<WholeAnswer, 'ticketId' | 'label' | 'value'> & { readonly question: Pick<WholeAnswer['question'], 'name'> };

/** The part of a WholeReservation that answers, webhook events and the box office show. A new booking knows it without reading it back. */
export type ShownReservation = Pick<Reservation, ShownColumn> & {
  readonly event: Pick<Event, 'id' | 'name' | 'category' | 'startsAt'>;
  /** In the order in which they were booked. */
  readonly tickets: readonly ShownTicket[];
  readonly options: readonly Pick<ReservationOption, 'optionId' | 'name'>[];
  /** The oldest first. */
  readonly payments: readonly Pick<Payment, 'status' | 'method' | 'checkoutUrl'>[];
  /** Of the reservation and of its tickets, in the order of the questions. */
  readonly answers: readonly ShownAnswer[];
};
