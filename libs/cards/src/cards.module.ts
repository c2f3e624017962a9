import { Module } from '@nestjs/common';
import { CardHoldersService } from './card-holders.service.js';
import { CardImportsService } from './import/card-imports.service.js';
import { Card } from './card.entity.js';
import { CardsService } from './cards.service.js';

export const cardEntities = [Card];

/** NFC cards, common to all tenants. */
@Module({
  providers: [CardsService, CardHoldersService, CardImportsService],
  exports: [CardsService, CardHoldersService, CardImportsService],
})
export class CardsModule {}
