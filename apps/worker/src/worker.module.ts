import { Module, type DynamicModule } from '@nestjs/common';
import { holderEntities, HoldersModule } from '#holders';
import { LegacyApiModule } from '#legacy-api';
import { giftCardEntities, GiftCardsModule } from '#gift-cards';
import { membershipEntities, MembershipsModule } from '#memberships';
import { noticeEntities, NoticesModule } from '#notices';
import { sellingEntities, SellingModule } from '#selling';
import { orderEntities } from '#orders';
import { ticketEntities, TicketsModule } from '#tickets';
import { waitingEntities, WaitingModule } from '#waiting';
import { paymentEntities, PaymentsModule } from '#payments';
import { transferEntities, TransfersModule } from '#transfers';
import { cardEntities } from '#cards';
import { catalogueEntities, CatalogueModule } from '#catalogue';
import { DemoModule } from '#demo';
import { HttpModule } from '#http';
import { jobEntities, JobsModule } from '#jobs';
import { KernelModule, type Settings } from '#kernel';
import { placeEntities, PlacesModule } from '#places';
import { scanEntities, ScanModule } from '#scan';
import { TenancyModule } from '#tenancy';
import { walletEntities } from '#wallet';
import { webhookEntities, WebhooksModule } from '#webhooks';

/** The background work without HTTP and panel. */
@Module({})
export class WorkerModule {
  static with(settings: Settings, serverSecret: string, databaseUrl: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        HttpModule,
        KernelModule.with(settings, serverSecret),
        TenancyModule.with(databaseUrl, [
          ...jobEntities,
          ...webhookEntities,
          ...catalogueEntities,
          ...placeEntities,
          ...paymentEntities,
          ...transferEntities,
          ...walletEntities,
          ...orderEntities,
          ...sellingEntities,
          ...ticketEntities,
          ...giftCardEntities,
          ...membershipEntities,
          ...waitingEntities,
          ...noticeEntities,
          ...holderEntities,
          ...cardEntities,
          ...scanEntities,
        ]),
        JobsModule,
        WebhooksModule,
        CatalogueModule,
        PlacesModule,
        PaymentsModule,
        TransfersModule,
        TicketsModule,
        GiftCardsModule,
        MembershipsModule,
        SellingModule,
        WaitingModule,
        NoticesModule,
        HoldersModule,
        LegacyApiModule,
        ScanModule,
        // Completes a demo whose server died.
        DemoModule.with(settings),
      ],
    };
  }
}
