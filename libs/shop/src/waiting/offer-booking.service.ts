import { OrderLinks } from '#page-kit';
import { DraftCompletionService, type OrderedTickets } from '#selling';
import { HolderLinks } from '#tickets';
import type { ShownEntry } from '#waiting';
import { costsNothing, currentLanguage } from '#kernel';
import { Injectable } from '@nestjs/common';

/** Books the places that were offered to a person on a waiting list. */
@Injectable()
export class OfferBookingService {
  constructor(
    private readonly orders: DraftCompletionService,
    private readonly orderLinks: OrderLinks,
    private readonly holderLinks: HolderLinks,
  ) {}

  /** Whether one click books: nothing is to be paid or answered. */
  async isAtOnce({ status, reservationId }: ShownEntry): Promise<boolean> {
    const order = status === 'offered' && reservationId !== null ? await this.orders.find(reservationId) : undefined;
    return order !== undefined && needsNoForm(order);
  }

  /**
   * @param hasTerms the page says that booking accepts the terms of the venue
   * @returns path of the next page: the tickets, or the contact form of the order; undefined when nothing is offered (any more)
   * @throws RefusedInput when the database refuses the booking
   */
  async book({ status, reservationId, email, language }: ShownEntry, hasTerms: boolean): Promise<string | undefined> {
    if (reservationId === null || (status !== 'offered' && status !== 'booked')) return undefined;
    const order = await this.orders.find(reservationId);
    if (!order) return undefined;
    if (!order.reservation.isDraft || !needsNoForm(order)) return this.orderLinks.pathTo(reservationId);
    const booked = await this.orders.complete(reservationId, {
      email,
      firstName: '',
      lastName: '',
      language: language ?? currentLanguage(),
      ticketIds: order.reservation.tickets.map(({ id }) => id),
      holders: [],
      answers: new Map(),
      ticketAnswers: [],
      acceptsTerms: hasTerms ? true : undefined,
    });
    // A repeated click leads to the tickets, too.
    return booked && this.holderLinks.pathTo({ reservationId }, booked.linkVersion);
  }
}

function needsNoForm({ reservation, questions }: OrderedTickets): boolean {
  return costsNothing(reservation.amount) && questions.every(({ required }) => !required);
}
