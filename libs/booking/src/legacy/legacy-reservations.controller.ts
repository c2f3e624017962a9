import { Controller, Get, Query } from '@nestjs/common';
import { DeprecatedBy, Describe, JsonList, PageQuery, reply, toPage, UuidParam, WholeList, type Reply } from '#http';
import { Access, currentTenant } from '#tenancy';
import { bookingProblem } from '../booking.problems.js';
import { legacyReservationsApi, toLegacyReservation } from './legacy-bookings.dto.js';
import { LegacyBookingsService } from './legacy-bookings.service.js';

const successor = '/api/v2/reservations/';
const headers = { 'Cache-Control': 'private, no-cache' };

/** Reservations in the spelling of the first API. */
@Controller('api/reservations')
@Access('key', 'reservation')
export class LegacyReservationsController {
  constructor(private readonly bookings: LegacyBookingsService) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe(legacyReservationsApi.list)
  async list(@Query() query: PageQuery): Promise<Reply<JsonList>> {
    const page = toPage(query);
    const list = new JsonList();
    const { timeZone } = currentTenant();
    const total = await this.bookings.reservations(page, (some) => list.add(some.map((row) => toLegacyReservation(row, timeZone))));
    return reply(list, { headers, page: { page, total } });
  }

  @Get(':id')
  @DeprecatedBy(successor)
  @Describe(legacyReservationsApi.get)
  async get(@UuidParam('id', () => bookingProblem('reservation.unknown')) id: string): Promise<Reply<object>> {
    const row = await this.bookings.reservation(id);
    if (!row) throw bookingProblem('reservation.unknown');
    return reply(toLegacyReservation(row, currentTenant().timeZone), { headers });
  }
}
