import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { bookingProblem, ReservationAnswer } from '#tickets';
import {
  AppliesPrefer,
  BodyPointers,
  Describe,
  formats,
  IfMatch,
  MapsRefusals,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type JsonList,
  type Reply,
} from '#http';
import { Access, Caller, NeedsModule, QuotasService, type Principal } from '#tenancy';
import { reservationPointer } from './booking-refusals.dto.js';
import { ReservationsQuery } from './bookings-query.dto.js';
import { NewReservationBody, ReservationChangeBody, reservationAnswerPointers } from './reservation-body.dto.js';
import { ReservationList } from './booking-lists.dto.js';
import { SemanticReservationsService } from './semantic-reservations.service.js';

const unknown = ['reservation.unknown'];
const conflicts = ['booking.sold_out', 'booking.limit_per_user', 'booking.membership_required'];
/** Of a confirmation past its time. */
const codeConflicts = ['booking.code_used_up', 'booking.code_limit'];
const ReservationId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('reservation.unknown'));

/** Reservations of the caller's tenant as schema.org EventReservation. */
@Controller('api/v2/reservations')
@ApiTags('Reservations')
@ApiParam({ name: 'id', description: 'Identifier of the reservation.', ...formats.uuid, example: '7d5730a7-0e62-4827-8eea-1fbc650d93f4' })
@Access('key', 'reservation')
@MapsRefusals(reservationPointer)
export class SemanticReservationsController {
  constructor(
    private readonly reservations: SemanticReservationsService,
    private readonly quotas: QuotasService,
  ) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe({
    summary: 'Reservations, the newest first',
    description: 'All of them, unless a page is asked for. `email` finds every spelling of an address.',
  })
  @ApiOkResponse({ type: ReservationList, description: 'The reservations, without codes' })
  list(@Query() query: ReservationsQuery): Promise<Reply<JsonList<ReservationAnswer>>> {
    return this.reservations.list(query);
  }

  @NeedsModule('ticketing')
  @Post()
  @Access('key', 'reservation', { checkedByTransaction: true })
  @Versioned()
  @AppliesPrefer()
  @BodyPointers(reservationAnswerPointers)
  @Describe({
    summary: 'A new reservation: all of its tickets, or none',
    description:
      'What costs something waits for payment, what is free for the confirmation of the e-mail address; both keep their places ' +
      'until `paymentDueDate`. An entry without `identifier` signs up for a volunteering slot, which costs nothing. `confirmed`, ' +
      'and `paymentMethod` (paid at the venue), make the tickets valid at once. `code` reduces what it is for, and opens hidden offers.',
    problems: [
      ...conflicts,
      'booking.event_not_published',
      'booking.event_postponed',
      'booking.event_over',
      'booking.price_not_published',
      'booking.whole_series',
      'booking.sale_not_open',
      'booking.sale_ended',
      'booking.code_unknown',
      'booking.code_early',
      'booking.code_expired',
      'booking.code_elsewhere',
      ...codeConflicts,
      'payment.unavailable',
      'payment.refused',
      'tenant.busy',
    ],
  })
  @ApiCreatedResponse({ type: ReservationAnswer, description: 'Made' })
  async create(@Body() body: NewReservationBody, @Caller() caller?: Principal): Promise<Reply<ReservationAnswer>> {
    await this.quotas.demand('bookings');
    return this.reservations.create(body, caller);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One reservation', description: 'With the codes of its valid tickets.', problems: unknown })
  @ApiOkResponse({ type: ReservationAnswer, description: 'The reservation' })
  get(@ReservationId() id: string): Promise<Reply<ReservationAnswer>> {
    return this.reservations.get(id);
  }

  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Cancel or confirm a reservation',
    description:
      'What it is already it stays. Cancelling frees the places and gives back what was paid online. Confirming one that is past ' +
      'its time needs places that are left.',
    problems: [
      ...unknown,
      'tenant.module',
      'reservation.transition',
      'reservation.scanned',
      'reservation.fulfilled',
      ...conflicts,
      ...codeConflicts,
    ],
  })
  @ApiOkResponse({ type: ReservationAnswer, description: 'The reservation as it is now' })
  change(
    @ReservationId() id: string,
    @Body() body: ReservationChangeBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<ReservationAnswer>> {
    return this.reservations.change(id, body, conditions);
  }
}
