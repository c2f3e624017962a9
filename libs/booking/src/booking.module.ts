import { CatalogueModule } from '#catalogue';
import { MessagesModule } from '#messages';
import { Module } from '@nestjs/common';
import { PaymentsModule } from '#payments';
import { CartMembership } from './carts/cart-membership.entity.js';
import { WalletModule } from '#wallet';
import { CartCompletionService } from './carts/cart-completion.service.js';
import { CartSavingsService } from './savings/cart-savings.service.js';
import { CartVerificationService } from './carts/cart-verification.service.js';
import { CartsService } from './carts/carts.service.js';
import { Answer } from './entities/answer.entity.js';
import { AnswersService } from './answers/answers.service.js';
import { AccountErasureService } from './account/account-erasure.service.js';
import { BuyerRetentionService } from './account/buyer-retention.service.js';
import { AccountExportService } from './account/account-export.service.js';
import { AccountLinks } from './account/account-links.js';
import { AccountMailsService } from './account/account-mails.service.js';
import { AccountSession } from './account/account-session.entity.js';
import { AccountSessionsService } from './account/account-sessions.service.js';
import { AccountsService } from './account/accounts.service.js';
import { AuditService } from './audit/audit.service.js';
import { LedgerAuditService } from './audit/ledger-audit.service.js';
import { BookingHoldings } from './booking-holdings.js';
import { BookingRetentionService } from './booking-retention.service.js';
import { EventNotice } from './notices/event-notice.entity.js';
import { EventNoticesService } from './notices/event-notices.service.js';
import { EventNoticeMailsService } from './documents/sending/event-notice-mails.service.js';
import { EventCancellation } from './entities/event-cancellation.entity.js';
import { EventCancellationsService } from './changes/event-cancellations.service.js';
import { ReservationChangesService } from './changes/reservation-changes.service.js';
import { ReservationPublisherService } from './changes/reservation-publisher.service.js';
import { EmailCorrection } from './entities/email-correction.entity.js';
import { EmailCorrectionsService } from './corrections/email-corrections.service.js';
import { ExampleMailsService } from './documents/example-mails.service.js';
import { HolderNoticesService } from './documents/sending/holder-notices.service.js';
import { MailPace } from './documents/mail-pace.js';
import { MailSenderService } from './documents/sending/mail-sender.service.js';
import { ReceiptsService } from './documents/sending/receipts.service.js';
import { TicketDocumentsService } from './documents/sending/ticket-documents.service.js';
import { HolderLinks } from './holder-links.js';
import { HolderCancellationsService } from './holders/holder-cancellations.service.js';
import { HolderTicketsService } from './holders/holder-tickets.service.js';
import { AvailabilityService } from './inventory/availability.service.js';
import { RecentOffers } from './inventory/recent-offers.js';
import { OnSaleService } from './inventory/on-sale.service.js';
import { LegacyBookingsService } from './legacy/legacy-bookings.service.js';
import { LegacyEventsController } from './legacy/legacy-events.controller.js';
import { LegacyEventsService } from './legacy/legacy-events.service.js';
import { LegacyReservationsController } from './legacy/legacy-reservations.controller.js';
import { LegacyTicketsController } from './legacy/legacy-tickets.controller.js';
import { Mail } from './entities/mail.entity.js';
import { MailText } from './mails/mail-text.entity.js';
import { MailTextsService } from './mails/mail-texts.service.js';
import { MailsService } from './mails/mails.service.js';
import { Membership } from './entities/membership.entity.js';
import { MembershipsService } from './memberships/memberships.service.js';
import { MembershipOrdersService } from './memberships/membership-orders.service.js';
import { MembershipExpiryService } from './memberships/membership-expiry.service.js';
import { MembershipRemindersService } from './memberships/membership-reminders.service.js';
import { MembershipNoticesService } from './documents/sending/membership-notices.service.js';
import { DraftCompletionService } from './drafts/draft-completion.service.js';
import { DraftExpiryService } from './drafts/draft-expiry.service.js';
import { DraftsService } from './drafts/drafts.service.js';
import { BookingTurnsService } from './new-reservations/booking-turns.service.js';
import { BookingsService } from './new-reservations/bookings.service.js';
import { CounterSalesService } from './counter/counter-sales.service.js';
import { BookingQueueService } from './queue/booking-queue.service.js';
import { EndedHold } from './holds/ended-hold.entity.js';
import { QueuePlace } from './queue/queue-place.entity.js';
import { ReservationOption } from './entities/reservation-option.entity.js';
import { Reservation } from './entities/reservation.entity.js';
import { ReservationsService } from './reservations/reservations.service.js';
import { TicketTransfer } from './holders/ticket-transfer.entity.js';
import { Ticket } from './entities/ticket.entity.js';
import { TicketsService } from './reservations/tickets.service.js';
import { VerifiedEmail } from './entities/verified-email.entity.js';
import { BookingPaymentSubjectsService } from './settlement/booking-payment-subjects.service.js';
import { CodeReplacementService } from './signing/code-replacement.service.js';
import { SigningKey } from './entities/signing-key.entity.js';
import { MailSourcesService } from './documents/mail-sources.service.js';
import { SigningKeysService } from './signing/signing-keys.service.js';
import { WaitingEntry } from './waiting/waiting-entry.entity.js';
import { WaitingLinks } from './waiting/waiting-links.js';
import { WaitingListService } from './waiting/waiting-list.service.js';
import { WaitingMailsService } from './documents/sending/waiting-mails.service.js';
import { WaitingOffersService } from './waiting/waiting-offers.service.js';
import { WaitingSignal } from './inventory/waiting.js';

export const bookingEntities = [
  SigningKey,
  Reservation,
  ReservationOption,
  Ticket,
  Membership,
  VerifiedEmail,
  Mail,
  MailText,
  EventCancellation,
  EventNotice,
  Answer,
  EmailCorrection,
  TicketTransfer,
  WaitingEntry,
  CartMembership,
  AccountSession,
  QueuePlace,
  EndedHold,
];

const shared = [
  SigningKeysService,
  CodeReplacementService,
  TicketsService,
  BookingsService,
  CounterSalesService,
  DraftsService,
  DraftCompletionService,
  BookingQueueService,
  CartsService,
  CartCompletionService,
  CartSavingsService,
  CartVerificationService,
  OnSaleService,
  ReservationsService,
  ReservationChangesService,
  EventCancellationsService,
  EventNoticesService,
  MembershipsService,
  MembershipOrdersService,
  MembershipRemindersService,
  AnswersService,
  EmailCorrectionsService,
  MailsService,
  MailTextsService,
  ExampleMailsService,
  MailPace,
  MailSenderService,
  TicketDocumentsService,
  ReceiptsService,
  AuditService,
  LedgerAuditService,
  HolderLinks,
  HolderTicketsService,
  HolderCancellationsService,
  WaitingLinks,
  WaitingListService,
  WaitingOffersService,
  AccountLinks,
  AccountSessionsService,
  AccountMailsService,
  AccountsService,
  AccountExportService,
  AccountErasureService,
];

@Module({
  imports: [MessagesModule, CatalogueModule, PaymentsModule, WalletModule],
  controllers: [LegacyEventsController, LegacyReservationsController, LegacyTicketsController],
  providers: [
    ...shared,
    BookingRetentionService,
    BuyerRetentionService,
    MailSourcesService,
    BookingHoldings,
    BookingPaymentSubjectsService,
    AvailabilityService,
    RecentOffers,
    WaitingSignal,
    WaitingMailsService,
    MembershipNoticesService,
    MembershipExpiryService,
    HolderNoticesService,
    EventNoticeMailsService,
    BookingTurnsService,
    DraftExpiryService,
    ReservationPublisherService,
    LegacyBookingsService,
    LegacyEventsService,
  ],
  exports: shared,
})
export class BookingModule {}
