import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ApiDocumentModule } from '#api-document';
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
import { KernelModule, type Logger, type Settings } from '#kernel';
import { PagesModule } from '#pages';
import { ShopModule } from '#shop';
import { PanelModule } from '#panel';
import { placeEntities, PlacesModule } from '#places';
import { scanEntities, ScanModule } from '#scan';
import { SemanticV2Module } from '#semantic-v2';
import { TenancyModule } from '#tenancy';
import { walletEntities } from '#wallet';
import { webhookEntities, WebhooksModule } from '#webhooks';
import { Drain } from './drain.js';
import { HealthController } from './health/health.controller.js';
import { TlsAskController } from './tls-ask.controller.js';
import { ReadinessService } from './health/readiness.service.js';

export interface ServerParts {
  readonly settings: Settings;
  readonly serverSecret: string;
  readonly databaseUrl: string;
  readonly logger?: Logger;
  /** Further modules, for example with a payment provider. */
  readonly modules?: readonly Type[];
}

/** All modules of a server process. */
@Module({})
export class ServerModule {
  static with({ settings, serverSecret, databaseUrl, logger, modules = [] }: ServerParts): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        HttpModule,
        KernelModule.with(settings, serverSecret, logger),
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
        SemanticV2Module,
        DemoModule.with(settings),
        PagesModule,
        ShopModule,
        PanelModule,
        ApiDocumentModule,
        ...modules,
      ],
      controllers: [HealthController, TlsAskController],
      providers: [Drain, ReadinessService],
    };
  }
}
