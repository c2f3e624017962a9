import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { eventProblem } from '#catalogue';
import { AppliesPrefer, Describe, IfMatch, MapsRefusals, Preconditions, UuidParam, Versioned, type Reply } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { EventKey } from '../shared/event-key.js';
import { eventPointers } from '../shared/refusals.dto.js';
import { NewOptionBody, OptionChangeBody } from './event-option-body.dto.js';
import { eventOptionsApi } from './event-options.api.js';
import { SemanticEventOptionsService } from './semantic-event-options.service.js';

const OptionId = (): ParameterDecorator => UuidParam('id', () => eventProblem('event.option_unknown'));

/** Options of one event that a booking may choose. */
@Controller('api/v2/events/:key/options')
@Access('key', 'event')
@MapsRefusals(eventPointers)
export class SemanticEventOptionsController {
  constructor(private readonly options: SemanticEventOptionsService) {}

  @Get()
  @Versioned({ list: true })
  @Describe(eventOptionsApi.list)
  list(@Param('key', EventKey) key: string): Promise<Reply<object>> {
    return this.options.list(key);
  }

  @Post()
  @NeedsModule('ticketing')
  @Versioned()
  @AppliesPrefer()
  @Describe(eventOptionsApi.create)
  create(@Param('key', EventKey) key: string, @Body() body: NewOptionBody): Promise<Reply<object>> {
    return this.options.create(key, body);
  }

  @Get(':id')
  @Versioned()
  @Describe(eventOptionsApi.get)
  get(@Param('key', EventKey) key: string, @OptionId() id: string): Promise<Reply<object>> {
    return this.options.get(key, id);
  }

  @Patch(':id')
  @NeedsModule('ticketing')
  @Versioned()
  @AppliesPrefer()
  @Describe(eventOptionsApi.change)
  change(
    @Param('key', EventKey) key: string,
    @OptionId() id: string,
    @Body() body: OptionChangeBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<object>> {
    return this.options.change(key, id, body, conditions);
  }

  @Delete(':id')
  @Describe(eventOptionsApi.remove)
  @HttpCode(204)
  remove(@Param('key', EventKey) key: string, @OptionId() id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.options.remove(key, id, conditions);
  }
}
