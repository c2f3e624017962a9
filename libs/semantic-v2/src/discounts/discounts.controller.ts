import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  AppliesPrefer,
  Describe,
  formats,
  IfMatch,
  MapsRefusals,
  PageQuery,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type JsonList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { bookingProblem } from '#tickets';
import { DiscountChangeBody, discountPointers, NewDiscountBody } from './discount-body.dto.js';
import { DiscountAnswer, DiscountList } from './discount.dto.js';
import { SemanticDiscountsService } from './semantic-discounts.service.js';

const DiscountId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('discount.unknown'));

/** Discounts without a code of the caller's tenant. */
@Controller('api/v2/discounts')
@ApiTags('Discounts')
@ApiParam({ name: 'id', description: 'Identifier of the discount.', ...formats.uuid, example: '0b1f2a57-9c0e-4a53-8d21-0a7c8c1f4a10' })
@Access('key', 'code')
@MapsRefusals(discountPointers)
export class SemanticDiscountsController {
  constructor(private readonly discounts: SemanticDiscountsService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe({ summary: 'Discounts without a code, the newest first', description: 'All of them, unless a page is asked for.' })
  @ApiOkResponse({ type: DiscountList, description: 'The discounts' })
  list(@Query() query: PageQuery): Promise<Reply<JsonList<DiscountAnswer>>> {
    return this.discounts.list(query);
  }

  @NeedsModule('ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'A new discount without a code',
    description:
      'A ticket has one saving: by a code, or by the discount with which the order costs least. Holds and bookings have what is given ' +
      'when they are made.',
  })
  @ApiCreatedResponse({ type: DiscountAnswer, description: 'Made' })
  create(@Body() body: NewDiscountBody): Promise<Reply<DiscountAnswer>> {
    return this.discounts.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One discount', description: 'With what it saved.', problems: ['discount.unknown'] })
  @ApiOkResponse({ type: DiscountAnswer, description: 'The discount' })
  get(@DiscountId() id: string): Promise<Reply<DiscountAnswer>> {
    return this.discounts.get(id);
  }

  @NeedsModule('ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Change a discount (JSON merge patch)',
    description: 'What is absent stays, null removes. Sold tickets keep what they cost.',
    problems: ['discount.unknown'],
  })
  @ApiOkResponse({ type: DiscountAnswer, description: 'The discount as it is now' })
  change(@DiscountId() id: string, @Body() body: DiscountChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<DiscountAnswer>> {
    return this.discounts.change(id, body, conditions);
  }
}
