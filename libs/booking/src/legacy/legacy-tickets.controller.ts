import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { Describe, JsonList, PageQuery, showPages, DeprecatedBy, toPage, uuidParam, WholeList } from '#http';
import { Access } from '#tenancy';
import type { Request, Response } from 'express';
import { bookingProblem } from '../booking.problems.js';
import { toTicketBody } from '../reservations/ticket.dto.js';
import { legacyTicketsApi } from './legacy-bookings.dto.js';
import { LegacyBookings } from './legacy-bookings.service.js';

/** Reservations hold their tickets there. */
const successor = '/api/v2/reservations/';

/** Tickets in the spelling of the first API. */
@Controller('api/ticket')
@Access('key', 'ticket')
export class LegacyTicketsController {
  constructor(private readonly bookings: LegacyBookings) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe(legacyTicketsApi.list)
  async list(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const page = toPage(query);
    const list = new JsonList();
    const total = await this.bookings.ticketsOfToday(page, (some) =>
      list.add(some.map((row) => toTicketBody(row, row.options))),
    );
    showPages(request, response, page, total);
    response.set('Cache-Control', 'private, no-cache');
    return list.answer(response);
  }

  @Get(':id')
  @DeprecatedBy(successor)
  @Describe(legacyTicketsApi.get)
  async get(
    @Param('id', uuidParam(() => bookingProblem('ticket.unknown'))) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const row = await this.bookings.ticket(id);
    if (!row) throw bookingProblem('ticket.unknown');
    response.set('Cache-Control', 'private, no-cache');
    return toTicketBody(row, row.options);
  }
}
