import { Body, Controller, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  bookingProblem,
  Bookings,
  ReservationChanges,
  Reservations,
  toSchemaOrgReservation,
  type WholeReservation,
} from '#booking';
import { checkPreconditions, Describe, entityTag, applyPrefer, showValidators, uuidParam, WholeList } from '#http';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { answerList } from './booking-list.js';
import { mapBookingRefusals, reservationPointer } from './booking-refusals.dto.js';
import { answerPointers } from './custom-form.dto.js';
import { ReservationsQuery } from './bookings-query.dto.js';
import {
  cancels,
  NewReservationBody,
  ReservationChangeBody,
  toNewReservation,
  venueMethodOf,
} from './reservation-body.dto.js';
import { reservationsApi } from './reservations.api.js';

/** Reservations of the caller's tenant as schema.org EventReservation. */
@Controller('api/v2/reservations')
@Access('key', 'reservation')
export class SemanticReservationsController {
  constructor(
    private readonly reservations: Reservations,
    private readonly bookings: Bookings,
    private readonly changes: ReservationChanges,
  ) {}

  @Get()
  @WholeList()
  @Describe(reservationsApi.list)
  async list(
    @Query() query: ReservationsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return answerList(this.reservations, query, shown, request, response);
  }

  @NeedsModule('ticketing')
  @Post()
  @Describe(reservationsApi.create)
  async create(
    @Body() body: NewReservationBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const answerPointer = answerPointers(body, body.reservedTicket);
    const reservation = await mapBookingRefusals(
      this.bookings.book(toNewReservation(body)),
      (field) => answerPointer(field) ?? reservationPointer(field),
    );
    response.location(`/api/v2/reservations/${reservation.id}/`);
    return applyPrefer(request, response, await this.answer(reservation, response));
  }

  @Get(':id')
  @Describe(reservationsApi.get)
  async get(
    @Param('id', uuidParam(() => bookingProblem('reservation.unknown'))) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.answer(known(await this.reservations.find(id)), response);
  }

  @Patch(':id')
  @Describe(reservationsApi.change)
  async change(
    @Param('id', uuidParam(() => bookingProblem('reservation.unknown'))) id: string,
    @Body() body: ReservationChangeBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const check = (current: WholeReservation): void =>
      checkPreconditions(request, { tags: [entityTag(shown(current))] });
    const work = cancels(body)
      ? this.changes.cancel(id, { reason: 'staff' }, check)
      : this.changes.confirm(id, venueMethodOf(body), check);
    const reservation = known(await mapBookingRefusals(work, reservationPointer));
    return applyPrefer(request, response, await this.answer(reservation, response));
  }

  private async answer(reservation: WholeReservation, response: Response): Promise<object> {
    // Codes follow from what is shown without them, so the tag of that is the tag of both.
    showValidators(response, shown(reservation));
    return toSchemaOrgReservation(reservation, currentTenant(), await this.reservations.codesOf(reservation));
  }
}

function shown(reservation: WholeReservation): object {
  return toSchemaOrgReservation(reservation, currentTenant());
}

function known(reservation: WholeReservation | undefined): WholeReservation {
  if (!reservation) throw bookingProblem('reservation.unknown');
  return reservation;
}
