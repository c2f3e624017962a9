import { PaymentsModule } from '#payments';
import { TicketsModule } from '#tickets';
import { Module } from '@nestjs/common';
import { GiftCardLinks } from './gift-card-links.js';
import { GiftCardsService } from './gift-cards.service.js';
import { GiftCard, GiftCardMovement } from './rows/gift-card.entity.js';
import { GiftCardPurchasesService } from './selling/gift-card-purchases.service.js';
import { GiftCardRedemptionService } from './selling/gift-card-redemption.service.js';

export const giftCardEntities = [GiftCard, GiftCardMovement];

const shared = [GiftCardLinks, GiftCardsService, GiftCardPurchasesService, GiftCardRedemptionService];

@Module({ imports: [PaymentsModule, TicketsModule], providers: shared, exports: shared })
export class GiftCardsModule {}
