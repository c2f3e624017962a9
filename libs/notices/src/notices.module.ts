import { CatalogueModule } from '#catalogue';
import { MessagesModule } from '#messages';
import { GiftCardsModule } from '#gift-cards';
import { PaymentsModule } from '#payments';
import { TransfersModule } from '#transfers';
import { BookingFactsService } from './documents/booking-facts.service.js';
import { OrderMailsService } from './documents/sending/order-mails.service.js';
import { WalletModule } from '#wallet';
import { TicketsModule } from '#tickets';
import { MembershipsModule } from '#memberships';
import { WaitingModule } from '#waiting';
import { Module, type OnModuleInit } from '@nestjs/common';
import { RetentionService } from '#tenancy';
import { MailText } from './mails/mail-text.entity.js';
import { EventNotice } from './notices/event-notice.entity.js';
import { Follower } from './following/follower.entity.js';
import { FollowerMailing, NewDate } from './following/new-date.entity.js';
import { FollowerLinks } from './following/follower-links.js';
import { FollowersService } from './following/followers.service.js';
import { NewDatesService } from './following/new-dates.service.js';
import { SalesOpeningsService } from './following/sales-openings.service.js';
import { FollowerMailsService } from './documents/sending/follower-mails.service.js';
import { EventRemindersService } from './notices/event-reminders.service.js';
import { EventNoticesService } from './notices/event-notices.service.js';
import { MailTextsService } from './mails/mail-texts.service.js';
import { ExampleMailsService } from './documents/example-mails.service.js';
import { MailPace } from './documents/mail-pace.js';
import { MailSenderService } from './documents/sending/mail-sender.service.js';
import { TicketDocumentsService } from './documents/sending/ticket-documents.service.js';
import { GiftCardDocumentsService } from './documents/sending/gift-card-documents.service.js';
import { CodeCardsService } from './documents/code-cards.service.js';
import { SellingModule } from '#selling';
import { TaxReceiptDocumentsService } from './documents/sending/tax-receipt-documents.service.js';
import { ReceiptsService } from './documents/sending/receipts.service.js';
import { MailSourcesService } from './documents/mail-sources.service.js';
import { WaitingMailsService } from './documents/sending/waiting-mails.service.js';
import { MembershipNoticesService } from './documents/sending/membership-notices.service.js';
import { HolderNoticesService } from './documents/sending/holder-notices.service.js';
import { WithdrawalMailsService } from './documents/sending/withdrawal-mails.service.js';
import { EventNoticeMailsService } from './documents/sending/event-notice-mails.service.js';

export const noticeEntities = [MailText, EventNotice, Follower, NewDate, FollowerMailing];

const shared = [
  EventNoticesService,
  MailTextsService,
  ExampleMailsService,
  MailSenderService,
  TicketDocumentsService,
  ReceiptsService,
  TaxReceiptDocumentsService,
  CodeCardsService,
  GiftCardDocumentsService,
  MailSourcesService,
  BookingFactsService,
  FollowerLinks,
  FollowersService,
  NewDatesService,
  EventRemindersService,
  SalesOpeningsService,
];

@Module({
  imports: [
    CatalogueModule,
    MessagesModule,
    PaymentsModule,
    WalletModule,
    TicketsModule,
    GiftCardsModule,
    TransfersModule,
    MembershipsModule,
    SellingModule,
    WaitingModule,
  ],
  providers: [
    ...shared,
    MailPace,
    WaitingMailsService,
    MembershipNoticesService,
    HolderNoticesService,
    EventNoticeMailsService,
    FollowerMailsService,
    WithdrawalMailsService,
    OrderMailsService,
  ],
  exports: shared,
})
export class NoticesModule implements OnModuleInit {
  constructor(private readonly retention: RetentionService) {}

  /** Registers how long addresses are kept that nobody confirmed, or that were told of the sale that they waited for. */
  onModuleInit(): void {
    const followers = { table: 'follower', key: 'id' };
    const condition = 'confirmed_at is null';
    this.retention.add({ ...followers, name: 'unconfirmed followers', days: 2, time: 'created_at', condition });
    this.retention.add({ ...followers, name: 'told of a sale', days: 7, time: 'told_at' });
  }
}
