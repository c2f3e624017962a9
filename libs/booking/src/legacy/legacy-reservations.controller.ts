import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { Describe, JsonList, PageQuery, showPages, DeprecatedBy, toPage, uuidParam, WholeList } from '#http';
import { Access, currentTenant } from '#tenancy';
import type { Request, Response } from 'express';
import { bookingProblem } from '../booking.problems.js';
import { legacyReservationsApi, toLegacyReservation } from './legacy-bookings.dto.js';
import { LegacyBookings } from './legacy-bookings.service.js';

const successor = '/api/v2/reservations/';

/** Reservations in the spelling of the first API. */
@Controller('api/reservations')
@Access('key', 'reservation')
export class LegacyReservationsController {
  constructor(private readonly bookings: LegacyBookings) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe(legacyReservationsApi.list)
  async list(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const page = toPage(query);
    const list = new JsonList();
    const { timeZone } = currentTenant();
    const total = await this.bookings.reservations(page, (some) =>
      list.add(some.map((row) => toLegacyReservation(row, timeZone))),
    );
    showPages(request, response, page, total);
    response.set('Cache-Control', 'private, no-cache');
    return list.answer(response);
  }

  @Get(':id')
  @DeprecatedBy(successor)
  @Describe(legacyReservationsApi.get)
  async get(
    @Param('id', uuidParam(() => bookingProblem('reservation.unknown'))) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const row = await this.bookings.reservation(id);
    if (!row) throw bookingProblem('reservation.unknown');
    response.set('Cache-Control', 'private, no-cache');
    return toLegacyReservation(row, currentTenant().timeZone);
  }
}
