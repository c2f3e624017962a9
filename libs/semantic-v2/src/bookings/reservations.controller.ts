import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { bookingProblem } from '#booking';
import {
  AppliesPrefer,
  BodyPointers,
  Describe,
  IfMatch,
  MapsRefusals,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { reservationPointer } from './booking-refusals.dto.js';
import { ReservationsQuery } from './bookings-query.dto.js';
import { NewReservationBody, ReservationChangeBody, reservationAnswerPointers } from './reservation-body.dto.js';
import { reservationsApi } from './reservations.api.js';
import { SemanticReservationsService } from './semantic-reservations.service.js';

const ReservationId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('reservation.unknown'));

/** Reservations of the caller's tenant as schema.org EventReservation. */
@Controller('api/v2/reservations')
@Access('key', 'reservation')
@MapsRefusals(reservationPointer)
export class SemanticReservationsController {
  constructor(private readonly reservations: SemanticReservationsService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe(reservationsApi.list)
  list(@Query() query: ReservationsQuery): Promise<Reply<object>> {
    return this.reservations.list(query);
  }

  @NeedsModule('ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @BodyPointers(reservationAnswerPointers)
  @Describe(reservationsApi.create)
  create(@Body() body: NewReservationBody): Promise<Reply<object>> {
    return this.reservations.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe(reservationsApi.get)
  get(@ReservationId() id: string): Promise<Reply<object>> {
    return this.reservations.get(id);
  }

  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe(reservationsApi.change)
  change(@ReservationId() id: string, @Body() body: ReservationChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<object>> {
    return this.reservations.change(id, body, conditions);
  }
}
