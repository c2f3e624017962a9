import { JobsModule } from '#jobs';
import { PaymentsModule } from '#payments';
import { TicketsModule } from '#tickets';
import { Module } from '@nestjs/common';
import { GiftCardLinks } from './gift-card-links.js';
import { GiftCardsService } from './gift-cards.service.js';
import { BroughtCardsService } from './network/brought-cards.service.js';
import { NetworkCard } from './network/network-card.entity.js';
import { NetworkCardAuditService } from './network/network-card-audit.service.js';
import { NetworkCardsService } from './network/network-cards.service.js';
import { GiftCard, GiftCardMovement } from './rows/gift-card.entity.js';
import { GiftCardPurchasesService } from './selling/gift-card-purchases.service.js';
import { GiftCardRedemptionService } from './selling/gift-card-redemption.service.js';

export const giftCardEntities = [GiftCard, GiftCardMovement, NetworkCard];

const shared = [
  BroughtCardsService,
  GiftCardLinks,
  GiftCardsService,
  GiftCardPurchasesService,
  GiftCardRedemptionService,
  NetworkCardAuditService,
  NetworkCardsService,
];

@Module({ imports: [JobsModule, PaymentsModule, TicketsModule], providers: shared, exports: shared })
export class GiftCardsModule {}
