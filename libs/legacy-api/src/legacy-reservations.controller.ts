import { bookingProblem } from '#tickets';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { DeprecatedBy, Describe, formats, JsonList, PageQuery, reply, toPage, UuidParam, WholeList, type Reply } from '#http';
import { Access, currentTenant } from '#tenancy';
import { LegacyReservation, toLegacyReservation } from './legacy-bookings.dto.js';
import { LegacyBookingsService } from './legacy-bookings.service.js';

const successor = '/api/v2/reservations/';
const headers = { 'Cache-Control': 'private, no-cache' };

/** Reservations in the format of the first API. */
@Controller('api/reservations')
@ApiTags('First API')
@ApiParam({ name: 'id', description: 'Of the reservation.', ...formats.uuid, example: '7d5730a7-0e62-4827-8eea-1fbc650d93f4' })
@Access('key', 'reservation')
export class LegacyReservationsController {
  constructor(private readonly bookings: LegacyBookingsService) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe({ summary: 'Reservations, the newest first', description: 'All of them, unless a page is asked for.' })
  @ApiOkResponse({ type: [LegacyReservation], description: 'The reservations' })
  async list(@Query() query: PageQuery): Promise<Reply<JsonList<LegacyReservation>>> {
    const page = toPage(query);
    const list = new JsonList<LegacyReservation>();
    const { timeZone } = currentTenant();
    const total = await this.bookings.reservations(page, (some) => list.add(some.map((row) => toLegacyReservation(row, timeZone))));
    return reply(list, { headers, page: { page, total } });
  }

  @Get(':id')
  @DeprecatedBy(successor)
  @Describe({ summary: 'One reservation', description: 'In any state.', problems: ['reservation.unknown'] })
  @ApiOkResponse({ type: LegacyReservation, description: 'The reservation' })
  async get(@UuidParam('id', () => bookingProblem('reservation.unknown')) id: string): Promise<Reply<LegacyReservation>> {
    const row = await this.bookings.reservation(id);
    if (!row) throw bookingProblem('reservation.unknown');
    return reply(toLegacyReservation(row, currentTenant().timeZone), { headers });
  }
}
