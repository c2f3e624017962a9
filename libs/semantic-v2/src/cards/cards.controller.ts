import { Controller, Get, Param } from '@nestjs/common';
import { Describe, Versioned, type Reply } from '#http';
import { Access } from '#tenancy';
import { cardsApi } from './cards.api.js';
import { SemanticCardsService } from './semantic-cards.service.js';

/** NFC cards as far as the caller's tenant may know them. */
@Controller('api/v2/cards')
@Access('key', 'card')
export class SemanticCardsController {
  constructor(private readonly cards: SemanticCardsService) {}

  @Get(':tag')
  @Versioned()
  @Describe(cardsApi.get)
  get(@Param('tag') tag: string): Promise<Reply<object>> {
    return this.cards.get(tag);
  }
}
