import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  AppliesPrefer,
  BodyPointers,
  Describe,
  FormFiles,
  IfMatch,
  MapsRefusals,
  Preconditions,
  ReadsFound,
  Versioned,
  WholeList,
  type Reply,
} from '#http';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { EventAnswer } from '#catalogue';
import { Access, NeedsModule } from '#tenancy';
import { LinkAddressBody, LinkedAddressModel } from '../addresses/postal-address-body.dto.js';
import { linkedProductPointer, LinkProductsBody } from '../products/linked-products.dto.js';
import { ApiEventKey, EventKey } from '../shared/event-key.js';
import { TakesEventForm, type PictureFiles } from '../shared/picture-form.js';
import { eventPointers } from '../shared/refusals.dto.js';
import { EventChangeBody, NewEventBody } from './event-body.dto.js';
import { AnyEventListModel, AnyEventModel, type AnyEvent, type AnyEventList } from './event-answers.dto.js';
import { EventsQuery } from './events-query.dto.js';
import { SemanticEventsService } from './semantic-events.service.js';

const unknown = ['event.unknown'];
const refused = ['event.exists', 'event.super_event_required'];

/** Events of the caller's tenant as schema.org Event. */
@Controller('api/v2/events')
@ApiTags('Events')
@ApiEventKey()
@Access('key', 'event')
@MapsRefusals(eventPointers)
export class SemanticEventsController {
  constructor(private readonly events: SemanticEventsService) {}

  @Get()
  @WholeList({ pages: true })
  @Versioned({ list: true })
  @Describe({
    summary: 'Published events, private ones included, by their start',
    description:
      'On a network (a tenant of category M): the public events of its members that were not over yesterday, at most 2000, each ' +
      'with its `organizer`.',
  })
  @ApiOkResponse({ type: AnyEventListModel, description: 'The events' })
  list(@Query() query: EventsQuery): Promise<Reply<AnyEventList>> {
    return this.events.list(query);
  }

  @NeedsModule('events')
  @Post()
  @TakesEventForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @ReadsFound()
  @Describe({ summary: 'A new event', description: 'Published unless `eventStatus` says otherwise.', problems: [...refused, 'image.busy'] })
  @ApiCreatedResponse({ type: EventAnswer, description: 'Made' })
  create(@Body() body: NewEventBody, @FormFiles() files: PictureFiles): Promise<Reply<EventAnswer>> {
    return this.events.create(body, files);
  }

  @Get(':key')
  @Versioned({ modified: true })
  @Describe({ summary: 'One event', description: 'Also an unpublished one. On a network, one of a member.', problems: unknown })
  @ApiOkResponse({ type: AnyEventModel, description: 'The event' })
  get(@Param('key', EventKey) key: string): Promise<Reply<AnyEvent>> {
    return this.events.get(key);
  }

  @NeedsModule('events')
  @Patch(':key')
  @TakesEventForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @ReadsFound()
  @Describe({
    summary: 'Change an event (JSON merge patch)',
    description: 'What is absent stays, null removes.',
    problems: [...refused, ...unknown, 'event.has_sub_events', 'image.busy'],
  })
  @ApiOkResponse({ type: EventAnswer, description: 'The event as it is now' })
  change(
    @Param('key', EventKey) key: string,
    @Body() body: EventChangeBody,
    @FormFiles() files: PictureFiles,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<EventAnswer>> {
    return this.events.change(key, body, files, conditions);
  }

  @Delete(':key')
  @Describe({
    summary: 'Delete an event that nobody booked',
    description: 'One with reservations is unpublished instead.',
    problems: [...unknown, 'event.has_reservations', 'event.has_sub_events'],
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @HttpCode(204)
  remove(@Param('key', EventKey) key: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.events.remove(key, conditions);
  }

  @NeedsModule('events')
  @Post(':key/link-address')
  @HttpCode(200)
  @Versioned({ modified: true })
  @AppliesPrefer()
  @ReadsFound()
  @BodyPointers(() => (field) => (field === 'postalAddressId' ? '/postalAddressId' : undefined))
  @ApiBody({ type: LinkedAddressModel })
  @Describe({
    summary: 'Where an event takes place',
    description: 'An address that exists, or a new one.',
    problems: unknown,
  })
  @ApiOkResponse({ type: EventAnswer, description: 'The event as it is now' })
  linkAddress(
    @Param('key', EventKey) key: string,
    @Body() body: LinkAddressBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<EventAnswer>> {
    return this.events.linkAddress(key, body, conditions);
  }

  @NeedsModule('ticketing')
  @Post(':key/link-product')
  @HttpCode(200)
  @Versioned({ modified: true })
  @AppliesPrefer()
  @BodyPointers(linkedProductPointer)
  @Describe({
    summary: 'What is sold for an event: products that exist, all or none',
    description: 'Those that are sold for it already stay, and are no change.',
    problems: unknown,
  })
  @ApiOkResponse({ type: EventAnswer, description: 'The event as it is now' })
  linkProduct(
    @Param('key', EventKey) key: string,
    @Body() body: LinkProductsBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<EventAnswer>> {
    return this.events.linkProducts(key, body, conditions);
  }
}
