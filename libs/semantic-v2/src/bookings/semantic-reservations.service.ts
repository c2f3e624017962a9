import { GiftCardRedemptionService } from '#gift-cards';
import { Injectable } from '@nestjs/common';
import { BookingsService, EnteredCodesService } from '#selling';
import {
  bookingProblem,
  ReservationChangesService,
  ReservationsService,
  toSchemaOrgReservation,
  type ReservationAnswer,
  type ShownReservation,
  type WholeReservation,
} from '#tickets';
import { entityTag, reply, type JsonList, type Preconditions, type Reply } from '#http';
import { currentTenant, type Principal } from '#tenancy';
import { listReply } from './booking-list.js';
import type { ReservationsQuery } from './bookings-query.dto.js';
import { cancels, toNewReservation, venueMethodOf, type NewReservationBody, type ReservationChangeBody } from './reservation-body.dto.js';

/** Reservations of the current tenant as schema.org EventReservation. */
@Injectable()
export class SemanticReservationsService {
  constructor(
    private readonly reservations: ReservationsService,
    private readonly bookings: BookingsService,
    private readonly changes: ReservationChangesService,
    private readonly codes: EnteredCodesService,
    private readonly giftCards: GiftCardRedemptionService,
  ) {}

  list(query: ReservationsQuery): Promise<Reply<JsonList<ReservationAnswer>>> {
    return listReply(this.reservations, query, shown);
  }

  async create(body: NewReservationBody, caller: Principal | undefined): Promise<Reply<ReservationAnswer>> {
    const wanted = toNewReservation(body);
    await this.codes.limit(wanted.code, caller);
    if (wanted.giftCard !== undefined && caller?.kind === 'integration')
      // Whether it can pay is checked with the booking: a repeated request may have used it up itself.
      await this.giftCards.look(wanted.giftCard, { keyId: caller.keyId });
    const reservation = await this.bookings.book(wanted);
    return this.answer(reservation, `/api/v2/reservations/${reservation.id}/`);
  }

  async get(id: string): Promise<Reply<ReservationAnswer>> {
    return this.answer(await this.reservations.find(id));
  }

  async change(id: string, body: ReservationChangeBody, conditions: Preconditions): Promise<Reply<ReservationAnswer>> {
    const check = (current: WholeReservation): void => conditions.check({ tags: [entityTag(shown(current))] });
    const work = cancels(body) ? this.changes.cancel(id, { reason: 'staff' }, check) : this.changes.confirm(id, venueMethodOf(body), check);
    return this.answer(await work);
  }

  /** @throws Problem `reservation.unknown` when there is none */
  private async answer(reservation: ShownReservation | undefined, location?: string): Promise<Reply<ReservationAnswer>> {
    if (!reservation) throw bookingProblem('reservation.unknown');
    const codes = await this.reservations.codesOf(reservation);
    // The codes depend only on the other members, so the tag of the answer without codes is valid for both.
    return reply(toSchemaOrgReservation(reservation, currentTenant(), codes), {
      version: shown(reservation),
      location,
    });
  }
}

function shown(reservation: ShownReservation): ReservationAnswer {
  return toSchemaOrgReservation(reservation, currentTenant());
}
