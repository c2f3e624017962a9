import { Controller, Get, Param, Res } from '@nestjs/common';
import { CardHoldersService } from '#cards';
import { Describe, showValidators } from '#http';
import { Access, currentTenant } from '#tenancy';
import type { Response } from 'express';
import { toSchemaOrgCard } from './card.dto.js';
import { cardsApi } from './cards.api.js';
import { problem } from '../shared/semantic-v2.problems.js';

/** NFC cards as far as the caller's tenant may know them. */
@Controller('api/v2/cards')
@Access('key', 'card')
export class SemanticCardsController {
  constructor(private readonly holders: CardHoldersService) {}

  @Get(':tag')
  @Describe(cardsApi.get)
  async get(@Param('tag') tag: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    const known = await this.holders.find(tag);
    if (!known) throw problem('card.unknown');
    const answer = toSchemaOrgCard(known, currentTenant());
    showValidators(response, answer);
    return answer;
  }
}
