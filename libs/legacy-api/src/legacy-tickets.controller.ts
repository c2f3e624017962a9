import { bookingProblem, TicketBody, toTicketBody } from '#tickets';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { DeprecatedBy, Describe, formats, JsonList, PageQuery, reply, toPage, UuidParam, WholeList, type Reply } from '#http';
import { Access } from '#tenancy';
import { LegacyBookingsService } from './legacy-bookings.service.js';

/** The answer of this path contains the tickets. */
const successor = '/api/v2/reservations/';
const headers = { 'Cache-Control': 'private, no-cache' };

/** Tickets in the format of the first API. */
@Controller('api/ticket')
@ApiTags('First API')
@ApiParam({ name: 'id', description: 'Of the ticket.', ...formats.uuid, example: '1997c3a7-3247-4a27-a07c-a5cbcd801d11' })
@Access('key', 'ticket')
export class LegacyTicketsController {
  constructor(private readonly bookings: LegacyBookingsService) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe({
    summary: 'Tickets for the events of today, the newest first',
    description:
      'Those that may enter or have entered (K, S), of events that begin today or began before and end today or later. A day runs ' +
      'from 04:00 to 04:00 on the clocks of the place.',
  })
  @ApiOkResponse({ type: [TicketBody], description: 'The tickets' })
  async list(@Query() query: PageQuery): Promise<Reply<JsonList<TicketBody>>> {
    const page = toPage(query);
    const list = new JsonList<TicketBody>();
    const total = await this.bookings.ticketsOfToday(page, (some) => list.add(some.map((row) => toTicketBody(row, row.options))));
    return reply(list, { headers, page: { page, total } });
  }

  @Get(':id')
  @DeprecatedBy(successor)
  @Describe({ summary: 'One ticket, of any day and state', description: 'Without its code.', problems: ['ticket.unknown'] })
  @ApiOkResponse({ type: TicketBody, description: 'The ticket' })
  async get(@UuidParam('id', () => bookingProblem('ticket.unknown')) id: string): Promise<Reply<TicketBody>> {
    const row = await this.bookings.ticket(id);
    if (!row) throw bookingProblem('ticket.unknown');
    return reply(toTicketBody(row, row.options), { headers });
  }
}
