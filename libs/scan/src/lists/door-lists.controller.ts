import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { Describe } from '#http';
import { currentLanguage } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { doorListsApi } from './door-lists.api.js';
import { ListTicketsBody, SearchTicketBody, toDoorEvents, toTicketListQuery, toTicketPage } from './door-lists.dto.js';
import { DoorListsService, type TicketListQuery } from './door-lists.service.js';

/** Lists of events and tickets for scanning devices. */
@Controller('scan')
@NeedsModule('scanning')
@Access('door')
export class DoorListsController {
  constructor(private readonly lists: DoorListsService) {}

  @Get('events')
  @Describe(doorListsApi.events)
  @Header('Cache-Control', 'no-store')
  async events(@CallingDevice() device: Device): Promise<object> {
    return toDoorEvents(await this.lists.events(device), currentTenant().timeZone);
  }

  @Post('list_tickets')
  @Describe(doorListsApi.listTickets)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  listTickets(@CallingDevice() device: Device, @Body() body: ListTicketsBody): Promise<object> {
    return this.page(device, toTicketListQuery(body));
  }

  @Post('search_ticket')
  @Describe(doorListsApi.searchTickets)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  searchTickets(@CallingDevice() device: Device, @Body() body: SearchTicketBody): Promise<object> {
    return this.page(device, toTicketListQuery(body, body.search));
  }

  private async page(device: Device, query: TicketListQuery): Promise<object> {
    const found = await this.lists.tickets(device, query);
    return toTicketPage(query, found, currentLanguage(), currentTenant().timeZone);
  }
}
