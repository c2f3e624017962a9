import { Controller, Get, Query } from '@nestjs/common';
import { DeprecatedBy, Describe, JsonList, PageQuery, reply, toPage, UuidParam, WholeList, type Reply } from '#http';
import { Access } from '#tenancy';
import { bookingProblem } from '../booking.problems.js';
import { toTicketBody } from '../reservations/ticket.dto.js';
import { legacyTicketsApi } from './legacy-bookings.dto.js';
import { LegacyBookingsService } from './legacy-bookings.service.js';

/** Reservations hold their tickets there. */
const successor = '/api/v2/reservations/';
const headers = { 'Cache-Control': 'private, no-cache' };

/** Tickets in the spelling of the first API. */
@Controller('api/ticket')
@Access('key', 'ticket')
export class LegacyTicketsController {
  constructor(private readonly bookings: LegacyBookingsService) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe(legacyTicketsApi.list)
  async list(@Query() query: PageQuery): Promise<Reply<JsonList>> {
    const page = toPage(query);
    const list = new JsonList();
    const total = await this.bookings.ticketsOfToday(page, (some) => list.add(some.map((row) => toTicketBody(row, row.options))));
    return reply(list, { headers, page: { page, total } });
  }

  @Get(':id')
  @DeprecatedBy(successor)
  @Describe(legacyTicketsApi.get)
  async get(@UuidParam('id', () => bookingProblem('ticket.unknown')) id: string): Promise<Reply<object>> {
    const row = await this.bookings.ticket(id);
    if (!row) throw bookingProblem('ticket.unknown');
    return reply(toTicketBody(row, row.options), { headers });
  }
}
