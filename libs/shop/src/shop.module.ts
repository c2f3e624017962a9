import { HoldersModule } from '#holders';
import { NoticesModule } from '#notices';
import { GiftCardsModule } from '#gift-cards';
import { MembershipsModule } from '#memberships';
import { SellingModule } from '#selling';
import { TicketsModule } from '#tickets';
import { WaitingModule } from '#waiting';
import { PageKitModule } from '#page-kit';
import { PagesModule } from '#pages';
import { CardsModule } from '#cards';
import { PaymentsModule } from '#payments';
import { TransfersModule } from '#transfers';
import { Module } from '@nestjs/common';
import { AccountController } from './account/account.controller.js';
import { AccountLinkController } from './account/account-link.controller.js';
import { AccountPagesService } from './account/account-pages.service.js';
import { CartController } from './cart/cart.controller.js';
import { CartOrderController } from './cart/cart-order.controller.js';
import { CartPagesService } from './cart/cart-pages.service.js';
import { OrderController } from './order/order.controller.js';
import { OrderPagesService } from './order/order-pages.service.js';
import { DonationPagesService } from './donations/donation-pages.service.js';
import { TaxReceiptsController } from './donations/tax-receipts.controller.js';
import { DonationsController } from './donations/donations.controller.js';
import { EnteredGiftCardsController } from './gift-cards/entered-gift-cards.controller.js';
import { GiftCardPagesService } from './gift-cards/gift-card-pages.service.js';
import { GiftCardsController } from './gift-cards/gift-cards.controller.js';
import { OrderGiftCardsService } from './gift-cards/order-gift-cards.service.js';
import { FollowingBuyersService } from './following/following-buyers.service.js';
import { FollowingController } from './following/following.controller.js';
import { FollowingPagesService } from './following/following-pages.service.js';
import { GoodsController } from './goods/goods.controller.js';
import { GoodsPagesService } from './goods/goods-pages.service.js';
import { KeptContactService } from './order/kept-contact.service.js';
import { OrderRepliesService } from './tickets/order-replies.service.js';
import { QueueController } from './tickets/queue.controller.js';
import { TicketChoiceService } from './tickets/ticket-choice.service.js';
import { TicketsController } from './tickets/tickets.controller.js';
import { MembershipCodesService } from './memberships/membership-codes.service.js';
import { MembershipPagesService } from './memberships/membership-pages.service.js';
import { MembershipsController } from './memberships/memberships.controller.js';
import { OfferBookingService } from './waiting/offer-booking.service.js';
import { WaitingController } from './waiting/waiting.controller.js';
import { WaitingPagesService } from './waiting/waiting-pages.service.js';

/** Booking on the public pages: tickets, contact, payment; a cart over several events. */
@Module({
  imports: [
    TicketsModule,
    GiftCardsModule,
    MembershipsModule,
    SellingModule,
    WaitingModule,
    HoldersModule,
    NoticesModule,
    CardsModule,
    PageKitModule,
    PagesModule,
    PaymentsModule,
    TransfersModule,
  ],
  controllers: [
    TicketsController,
    QueueController,
    OrderController,
    WaitingController,
    MembershipsController,
    CartController,
    CartOrderController,
    AccountLinkController,
    AccountController,
    GoodsController,
    FollowingController,
    DonationsController,
    TaxReceiptsController,
    GiftCardsController,
    EnteredGiftCardsController,
  ],
  providers: [
    AccountPagesService,
    OrderPagesService,
    KeptContactService,
    TicketChoiceService,
    OrderRepliesService,
    WaitingPagesService,
    OfferBookingService,
    MembershipCodesService,
    MembershipPagesService,
    CartPagesService,
    GoodsPagesService,
    FollowingBuyersService,
    FollowingPagesService,
    DonationPagesService,
    GiftCardPagesService,
    OrderGiftCardsService,
  ],
})
export class ShopModule {}
