import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { EventOptionAnswer, eventProblem } from '#catalogue';
import { AppliesPrefer, Describe, IfMatch, MapsRefusals, Preconditions, UuidParam, Versioned, type Reply } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { ApiEventKey, EventKey } from '../shared/event-key.js';
import { eventPointers } from '../shared/refusals.dto.js';
import { NewOptionBody, OptionChangeBody } from './event-option-body.dto.js';
import { EventOptionList } from './event-option-list.dto.js';
import { SemanticEventOptionsService } from './semantic-event-options.service.js';

const unknown = ['event.unknown', 'event.option_unknown'];
const OptionId = (): ParameterDecorator => UuidParam('id', () => eventProblem('event.option_unknown'));

/** Options of an event that bookings can choose. */
@Controller('api/v2/events/:key/options')
@ApiTags('Events')
@ApiEventKey()
@ApiParam({ name: 'id', description: 'UUID of the option.', type: String, example: '3b1f7a52-8a0c-4b7a-9a3e-0d5a3c7d2f11' })
@Access('key', 'event')
@MapsRefusals(eventPointers)
export class SemanticEventOptionsController {
  constructor(private readonly options: SemanticEventOptionsService) {}

  @Get()
  @Versioned({ list: true })
  @Describe({ summary: 'The options of an event', description: 'In their order, unpublished ones included.', problems: ['event.unknown'] })
  @ApiOkResponse({ type: EventOptionList, description: 'The options' })
  list(@Param('key', EventKey) key: string): Promise<Reply<EventOptionList>> {
    return this.options.list(key);
  }

  @Post()
  @NeedsModule('ticketing')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'A new option of an event',
    description: 'Bookings from now on may choose it.',
    problems: ['event.unknown', 'event.option_exists'],
  })
  @ApiCreatedResponse({ type: EventOptionAnswer, description: 'Made' })
  create(@Param('key', EventKey) key: string, @Body() body: NewOptionBody): Promise<Reply<EventOptionAnswer>> {
    return this.options.create(key, body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One option of an event', description: 'Also an unpublished one.', problems: unknown })
  @ApiOkResponse({ type: EventOptionAnswer, description: 'The option' })
  get(@Param('key', EventKey) key: string, @OptionId() id: string): Promise<Reply<EventOptionAnswer>> {
    return this.options.get(key, id);
  }

  @Patch(':id')
  @NeedsModule('ticketing')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Change an option of an event (JSON merge patch)',
    description: 'What is absent stays. Reservations that chose it keep the name that it had then.',
    problems: [...unknown, 'event.option_exists'],
  })
  @ApiOkResponse({ type: EventOptionAnswer, description: 'The option as it is now' })
  change(
    @Param('key', EventKey) key: string,
    @OptionId() id: string,
    @Body() body: OptionChangeBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<EventOptionAnswer>> {
    return this.options.change(key, id, body, conditions);
  }

  @Delete(':id')
  @Describe({
    summary: 'Delete an option that nobody chose',
    description: 'One that was chosen is unpublished instead.',
    problems: [...unknown, 'event.option_chosen'],
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @HttpCode(204)
  remove(@Param('key', EventKey) key: string, @OptionId() id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.options.remove(key, id, conditions);
  }
}
