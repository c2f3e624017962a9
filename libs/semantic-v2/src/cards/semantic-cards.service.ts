import { Injectable } from '@nestjs/common';
import { CardHoldersService } from '#cards';
import { reply, type Reply } from '#http';
import { currentTenant } from '#tenancy';
import { problem } from '../shared/semantic-v2.problems.js';
import { toSchemaOrgCard, type CardAnswer } from './card.dto.js';

/** NFC cards as schema.org IndividualProduct. */
@Injectable()
export class SemanticCardsService {
  constructor(private readonly holders: CardHoldersService) {}

  /** @throws Problem `card.unknown` when the current tenant may not know the card */
  async get(tag: string): Promise<Reply<CardAnswer>> {
    const known = await this.holders.find(tag);
    if (!known) throw problem('card.unknown');
    return reply(toSchemaOrgCard(known, currentTenant()));
  }
}
