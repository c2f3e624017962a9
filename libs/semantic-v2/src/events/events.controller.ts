import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  AppliesPrefer,
  BodyPointers,
  Describe,
  FormFiles,
  IfMatch,
  MapsRefusals,
  Preconditions,
  Versioned,
  WholeList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { LinkAddressBody } from '../addresses/postal-address-body.dto.js';
import { linkedProductPointer, LinkProductsBody } from '../products/linked-products.dto.js';
import { EventKey } from '../shared/event-key.js';
import { TakesEventForm, type PictureFiles } from '../shared/picture-form.js';
import { eventPointers } from '../shared/refusals.dto.js';
import { EventChangeBody, NewEventBody } from './event-body.dto.js';
import { eventsApi } from './events.api.js';
import { EventsQuery } from './events-query.dto.js';
import { SemanticEventsService } from './semantic-events.service.js';

/** Events of the caller's tenant as schema.org Event. */
@Controller('api/v2/events')
@Access('key', 'event')
@MapsRefusals(eventPointers)
export class SemanticEventsController {
  constructor(private readonly events: SemanticEventsService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe(eventsApi.list)
  list(@Query() query: EventsQuery): Promise<Reply<object>> {
    return this.events.list(query);
  }

  @NeedsModule('events')
  @Post()
  @TakesEventForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @Describe(eventsApi.create)
  create(@Body() body: NewEventBody, @FormFiles() files: PictureFiles): Promise<Reply<object>> {
    return this.events.create(body, files);
  }

  @Get(':key')
  @Versioned({ modified: true })
  @Describe(eventsApi.get)
  get(@Param('key', EventKey) key: string): Promise<Reply<object>> {
    return this.events.get(key);
  }

  @NeedsModule('events')
  @Patch(':key')
  @TakesEventForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @Describe(eventsApi.change)
  change(
    @Param('key', EventKey) key: string,
    @Body() body: EventChangeBody,
    @FormFiles() files: PictureFiles,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<object>> {
    return this.events.change(key, body, files, conditions);
  }

  @Delete(':key')
  @Describe(eventsApi.remove)
  @HttpCode(204)
  remove(@Param('key', EventKey) key: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.events.remove(key, conditions);
  }

  @NeedsModule('events')
  @Post(':key/link-address')
  @HttpCode(200)
  @Versioned({ modified: true })
  @AppliesPrefer()
  @BodyPointers(() => (field) => (field === 'postalAddressId' ? '/postalAddressId' : undefined))
  @Describe(eventsApi.linkAddress)
  linkAddress(
    @Param('key', EventKey) key: string,
    @Body() body: LinkAddressBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<object>> {
    return this.events.linkAddress(key, body, conditions);
  }

  @NeedsModule('ticketing')
  @Post(':key/link-product')
  @HttpCode(200)
  @Versioned({ modified: true })
  @AppliesPrefer()
  @BodyPointers(linkedProductPointer)
  @Describe(eventsApi.linkProduct)
  linkProduct(
    @Param('key', EventKey) key: string,
    @Body() body: LinkProductsBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<object>> {
    return this.events.linkProducts(key, body, conditions);
  }
}
