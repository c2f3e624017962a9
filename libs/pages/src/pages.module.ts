import { HoldersModule } from '#holders';
import { GiftCardsModule } from '#gift-cards';
import { MembershipsModule } from '#memberships';
import { NoticesModule } from '#notices';
import { SellingModule } from '#selling';
import { TicketsModule } from '#tickets';
import { WaitingModule } from '#waiting';
import { CatalogueModule } from '#catalogue';
import { PaymentsModule } from '#payments';
import { TransfersModule } from '#transfers';
import { PlacesModule } from '#places';
import { WalletModule } from '#wallet';
import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import compression from 'compression';
import { PageKitModule } from '#page-kit';
import { AgendaController } from './agenda/agenda.controller.js';
import { OwnAgendaService } from './agenda/own-agenda.service.js';
import { LookPagesService } from './agenda/look-pages.service.js';
import { CrawlersController } from './agenda/crawlers.controller.js';
import { EmbedController } from './embed/embed.controller.js';
import { ProblemVenues } from './problems/problem-venue.js';
import { EventController } from './event/event.controller.js';
import { SeriesController } from './event/series.controller.js';
import { EventPagesService } from './event/event-pages.service.js';
import { SharedEventPagesService } from './event/shared-event-pages.service.js';
import { ListAnswersService } from './event-lists/list-answers.service.js';
import { HouseController } from './house/house.controller.js';
import { HouseService } from './house/house.service.js';
import { LegalController } from './legal.controller.js';
import { GiftController } from './gifts/gift.controller.js';
import { TicketTransferController } from './gifts/ticket-transfer.controller.js';
import { HolderAccess } from './holder/holder-access.service.js';
import { WithdrawalController } from './holder/withdrawal/withdrawal.controller.js';
import { HolderCancellationController } from './holder/holder-cancellation.controller.js';
import { HolderTicketsController } from './holder/holder-tickets.controller.js';
import { HolderPaymentController } from './holder/holder-payment.controller.js';
import { HolderController } from './holder/holder.controller.js';
import { TicketFilesController } from './holder/ticket-files.controller.js';
import { GatheredEventsService } from './network/gathered-events.service.js';
import { NetworkPagesService } from './network/network-pages.service.js';
import { NetworkController } from './network/network.controller.js';
import { ConfirmController } from './new-place/confirm.controller.js';
import { NewPlaceAnswersService } from './new-place/new-place-answers.service.js';
import { NewPlaceFormsService } from './new-place/new-place-forms.service.js';
import { NewPlaceController } from './new-place/new-place.controller.js';
import { showPageProblems } from './problems/problem.page.js';
import { SharePicturesService } from './share-pictures/share-pictures.service.js';
import { PublicEventsService } from './public-events/public-events.service.js';

/** Public pages of a tenant: its agenda and events as pages, calendars and a feed. */
@Module({
  imports: [
    PageKitModule,
    TicketsModule,
    GiftCardsModule,
    MembershipsModule,
    SellingModule,
    WaitingModule,
    NoticesModule,
    HoldersModule,
    CatalogueModule,
    PaymentsModule,
    TransfersModule,
    PlacesModule,
    WalletModule,
  ],
  controllers: [
    AgendaController,
    EventController,
    SeriesController,
    EmbedController,
    CrawlersController,
    NetworkController,
    HolderController,
    HolderPaymentController,
    HolderTicketsController,
    TicketTransferController,
    GiftController,
    TicketFilesController,
    HolderCancellationController,
    WithdrawalController,
    HouseController,
    LegalController,
    NewPlaceController,
    ConfirmController,
  ],
  providers: [
    ProblemVenues,
    HolderAccess,
    HouseService,
    PublicEventsService,
    EventPagesService,
    SharedEventPagesService,
    SharePicturesService,
    ListAnswersService,
    OwnAgendaService,
    LookPagesService,
    GatheredEventsService,
    NetworkPagesService,
    NewPlaceAnswersService,
    NewPlaceFormsService,
  ],
  exports: [LookPagesService, PublicEventsService, EventPagesService, SharedEventPagesService],
})
export class PagesModule implements NestModule {
  constructor() {
    showPageProblems();
  }

  /** Compression is safe, because these answers contain no secrets. */
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(compression())
      .forRoutes(
        AgendaController,
        EventController,
        EmbedController,
        CrawlersController,
        NetworkController,
        HouseController,
        LegalController,
      );
  }
}
