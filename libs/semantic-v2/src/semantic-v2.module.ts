import { Module } from '@nestjs/common';
import { MembershipsModule } from '#memberships';
import { NoticesModule } from '#notices';
import { GiftCardsModule } from '#gift-cards';
import { SellingModule } from '#selling';
import { TicketsModule } from '#tickets';
import { TransfersModule } from '#transfers';
import { CardsModule } from '#cards';
import { CatalogueModule } from '#catalogue';
import { PlacesModule } from '#places';
import { SemanticCampaignsController } from './campaigns/campaigns.controller.js';
import { SemanticCampaignsService } from './campaigns/semantic-campaigns.service.js';
import { SemanticCardsController } from './cards/cards.controller.js';
import { SemanticCodesController } from './codes/codes.controller.js';
import { SemanticCodesService } from './codes/semantic-codes.service.js';
import { SemanticCustomersController } from './customers/customers.controller.js';
import { SemanticCustomersService } from './customers/semantic-customers.service.js';
import { SemanticDiscountsController } from './discounts/discounts.controller.js';
import { SemanticDiscountsService } from './discounts/semantic-discounts.service.js';
import { SemanticGiftCardsController } from './gift-cards/gift-cards.controller.js';
import { SemanticGiftCardsService } from './gift-cards/semantic-gift-cards.service.js';
import { SemanticEventOptionsController } from './event-options/event-options.controller.js';
import { SemanticEventsController } from './events/events.controller.js';
import { NetworkEventsService } from './events/network-events.service.js';
import { SemanticAddressesService } from './addresses/semantic-addresses.service.js';
import { SemanticReservationsService } from './bookings/semantic-reservations.service.js';
import { SemanticCardsService } from './cards/semantic-cards.service.js';
import { SemanticEventOptionsService } from './event-options/semantic-event-options.service.js';
import { SemanticEventsService } from './events/semantic-events.service.js';
import { SemanticMembershipsService } from './memberships/semantic-memberships.service.js';
import { SemanticOffersService } from './products/semantic-offers.service.js';
import { SemanticProductsService } from './products/semantic-products.service.js';
import { SentPicturesService } from './shared/sent-pictures.service.js';
import { SemanticMembershipsController } from './memberships/memberships.controller.js';
import { SemanticOffersController } from './products/offers.controller.js';
import { SemanticPostalAddressesController } from './addresses/postal-addresses.controller.js';
import { SemanticProductsController } from './products/products.controller.js';
import { SemanticReservationsController } from './bookings/reservations.controller.js';

/** Version 2 of the API: catalogue and booking as schema.org. Owns no tables. */
@Module({
  imports: [
    CatalogueModule,
    PlacesModule,
    TicketsModule,
    GiftCardsModule,
    TransfersModule,
    MembershipsModule,
    SellingModule,
    NoticesModule,
    CardsModule,
  ],
  controllers: [
    SemanticEventsController,
    SemanticEventOptionsController,
    SemanticPostalAddressesController,
    SemanticProductsController,
    SemanticOffersController,
    SemanticReservationsController,
    SemanticMembershipsController,
    SemanticCardsController,
    SemanticCodesController,
    SemanticDiscountsController,
    SemanticGiftCardsController,
    SemanticCampaignsController,
    SemanticCustomersController,
  ],
  providers: [
    NetworkEventsService,
    SemanticAddressesService,
    SemanticCampaignsService,
    SemanticCardsService,
    SemanticCodesService,
    SemanticCustomersService,
    SemanticDiscountsService,
    SemanticEventOptionsService,
    SemanticEventsService,
    SemanticGiftCardsService,
    SemanticMembershipsService,
    SemanticOffersService,
    SemanticProductsService,
    SemanticReservationsService,
    SentPicturesService,
  ],
})
export class SemanticV2Module {}
