import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { currentLanguage } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { DoorEventList, TicketPage } from './door-list-answers.dto.js';
import { ListTicketsBody, SearchTicketBody, toDoorEvents, toTicketListQuery, toTicketPage } from './door-lists.dto.js';
import { DoorListsService, type TicketListQuery } from './door-lists.service.js';

const problems = ['device.permission', 'event.unknown'];

/** Lists of events and tickets for scanning devices. */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
@Access('door')
export class DoorListsController {
  constructor(private readonly lists: DoorListsService) {}

  @Get('events')
  @Describe({
    summary: 'Running and coming events',
    description:
      'Published events that are not over, private ones included, by start, 200 at most. Their `uuid` is the `event_uuid` of a scan.',
  })
  @ApiOkResponse({ type: DoorEventList, description: 'Events' })
  @Header('Cache-Control', 'no-store')
  async events(@CallingDevice() device: Device): Promise<DoorEventList> {
    return toDoorEvents(await this.lists.events(device), currentTenant().timeZone);
  }

  @Post('list_tickets')
  @Describe({
    summary: 'The tickets of an event, in pages',
    description:
      'For devices that staff allow to search tickets. A ticket without names has those of its buyer. Codes are not sent; the scan log ' +
      'has each page.',
    problems,
  })
  @ApiOkResponse({ type: TicketPage, description: 'A page of tickets, in any state' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async listTickets(@CallingDevice() device: Device, @Body() body: ListTicketsBody): Promise<TicketPage> {
    const query = toTicketListQuery(body);
    return pageOf(query, await this.lists.tickets(device, query));
  }

  @Post('search_ticket')
  @Describe({
    summary: 'Search the tickets of an event',
    description:
      'For devices that staff allow to search tickets. Every word is found in a name, the e-mail address, the price or the product, ' +
      'whatever its case and accents, or begins the `uuid` of the ticket or its reservation (four characters at least). Each search ' +
      'counts for `RATE_SEARCHES` and is in the scan log. Codes are not sent.',
    problems,
  })
  @ApiOkResponse({ type: TicketPage, description: 'A page of tickets, in any state' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async searchTickets(@CallingDevice() device: Device, @Body() body: SearchTicketBody): Promise<TicketPage> {
    const query = toTicketListQuery(body, body.search);
    return pageOf(query, await this.lists.search(device, query));
  }
}

function pageOf(query: TicketListQuery, found: Awaited<ReturnType<DoorListsService['tickets']>>): TicketPage {
  return toTicketPage(query, found, currentLanguage(), currentTenant().timeZone);
}
