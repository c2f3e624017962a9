import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Describe, Versioned, type Reply } from '#http';
import { Access } from '#tenancy';
import { CardAnswer } from './card.dto.js';
import { SemanticCardsService } from './semantic-cards.service.js';

/** NFC cards that the caller's tenant may read. */
@Controller('api/v2/cards')
@ApiTags('Cards')
@Access('key', 'card')
export class SemanticCardsController {
  constructor(private readonly cards: SemanticCardsService) {}

  @Get(':tag')
  @Versioned()
  @Describe({
    summary: 'One NFC card by its tag',
    description:
      'Cards that this place gave out, and cards of its members and buyers. Every other card is answered as one that does not exist.',
    problems: ['card.unknown'],
  })
  @ApiParam({
    name: 'tag',
    description: 'UID of 4, 7 or 10 bytes in hexadecimal digits, also with `:`, `-` or spaces between the bytes.',
    type: String,
  })
  @ApiOkResponse({ type: CardAnswer, description: 'The card' })
  get(@Param('tag') tag: string): Promise<Reply<CardAnswer>> {
    return this.cards.get(tag);
  }
}
