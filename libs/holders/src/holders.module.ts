import { CatalogueModule } from '#catalogue';
import { MessagesModule } from '#messages';
import { TicketsModule } from '#tickets';
import { GiftCardsModule } from '#gift-cards';
import { MembershipsModule } from '#memberships';
import { SellingModule } from '#selling';
import { WaitingModule } from '#waiting';
import { NoticesModule } from '#notices';
import { Module, type OnModuleInit } from '@nestjs/common';
import { RetentionService } from '#tenancy';
import { EmailCorrection } from './corrections/email-correction.entity.js';
import { TicketTransfer } from './holders/ticket-transfer.entity.js';
import { AccountSession } from './account/account-session.entity.js';
import { EmailCorrectionsService } from './corrections/email-corrections.service.js';
import { HolderChanges } from './holders/holder-changes.js';
import { HolderTicketsService } from './holders/holder-tickets.service.js';
import { TicketOffersService } from './holders/ticket-offers.service.js';
import { AccountLinks } from './account/account-links.js';
import { AccountSessionsService } from './account/account-sessions.service.js';
import { AccountMailsService } from './account/account-mails.service.js';
import { AccountsService } from './account/accounts.service.js';
import { AccountExportService } from './account/account-export.service.js';
import { AccountErasureService } from './account/account-erasure.service.js';
import { WithdrawalsService } from './withdrawals/withdrawals.service.js';
import { BuyerRetentionService } from './account/buyer-retention.service.js';

export const holderEntities = [EmailCorrection, TicketTransfer, AccountSession];

const shared = [
  EmailCorrectionsService,
  HolderTicketsService,
  TicketOffersService,
  AccountLinks,
  AccountSessionsService,
  AccountMailsService,
  AccountsService,
  AccountExportService,
  AccountErasureService,
  BuyerRetentionService,
  WithdrawalsService,
];

@Module({
  imports: [
    CatalogueModule,
    MessagesModule,
    TicketsModule,
    GiftCardsModule,
    MembershipsModule,
    SellingModule,
    WaitingModule,
    NoticesModule,
  ],
  providers: [...shared, HolderChanges],
  exports: shared,
})
export class HoldersModule implements OnModuleInit {
  constructor(private readonly retention: RetentionService) {}

  /** Registers how long ended sessions of accounts are kept. */
  onModuleInit(): void {
    // A session lasts some hours.
    this.retention.add({ name: 'account sessions', days: 1, table: 'account_session', key: 'id', time: 'created_at' });
  }
}
