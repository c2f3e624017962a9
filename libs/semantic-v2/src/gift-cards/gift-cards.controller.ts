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
import { GiftCardChangeBody, giftCardPointers, NewGiftCardBody } from './gift-card-body.dto.js';
import { GiftCardAnswer, GiftCardList } from './gift-card.dto.js';
import { SemanticGiftCardsService } from './semantic-gift-cards.service.js';

const GiftCardId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('gift_card.unknown'));

/** Gift cards of the caller's tenant. */
@Controller('api/v2/giftCards')
@ApiTags('Gift cards')
@ApiParam({ name: 'id', description: 'Identifier of the card.', ...formats.uuid, example: '3f6f0e0a-9a55-4f7e-8a3e-1f0f6f0f2d22' })
@Access('key', 'gift_card')
@MapsRefusals(giftCardPointers)
export class SemanticGiftCardsController {
  constructor(private readonly cards: SemanticGiftCardsService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe({ summary: 'Gift cards, the newest first', description: 'All that were issued, unless a page is asked for; without codes.' })
  @ApiOkResponse({ type: GiftCardList, description: 'The cards' })
  list(@Query() query: PageQuery): Promise<Reply<JsonList<GiftCardAnswer>>> {
    return this.cards.list(query);
  }

  @NeedsModule('ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @Describe({ summary: 'Give a gift card away', description: 'Nobody pays it. The answer is the only one with its code.' })
  @ApiCreatedResponse({ type: GiftCardAnswer, description: 'Issued' })
  issue(@Body() body: NewGiftCardBody): Promise<Reply<GiftCardAnswer>> {
    return this.cards.issue(body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One gift card', description: 'With its movements.', problems: ['gift_card.unknown'] })
  @ApiOkResponse({ type: GiftCardAnswer, description: 'The card' })
  get(@GiftCardId() id: string): Promise<Reply<GiftCardAnswer>> {
    return this.cards.get(id);
  }

  @NeedsModule('ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Block a gift card, or allow it again',
    description: 'Nobody can pay with a blocked one; its value stays.',
    problems: ['gift_card.unknown', 'gift_card.over'],
  })
  @ApiOkResponse({ type: GiftCardAnswer, description: 'The card as it is now' })
  change(@GiftCardId() id: string, @Body() body: GiftCardChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<GiftCardAnswer>> {
    return this.cards.change(id, body, conditions);
  }
}
