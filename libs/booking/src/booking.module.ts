import { CatalogueModule } from '#catalogue';
import { MailModule } from "#messages";
import { Module } from '@nestjs/common';
import { Answer } from './answers/answer.entity.js';
import { AnswersService } from './answers/answers.service.js';
import { Audit } from './audit.service.js';
import { BookingHoldings } from './booking-holdings.js';
import { BookingPaymentSubjects } from './settlement/booking-payment-subjects.service.js';
import { PaymentSubjects } from './payments/payment-subjects.js';
import { BookingRetention } from './booking-retention.service.js';
import { CodeReplacement } from './code-replacement.service.js';
import { EmailCorrection } from './corrections/email-correction.entity.js';
import { EmailCorrections } from './corrections/email-corrections.service.js';
import { HolderLinks } from './holder-links.js';
import { LegacyBookings } from './legacy/legacy-bookings.service.js';
import { LegacyEventsController } from './legacy/legacy-events.controller.js';
import { LegacyEvents } from './legacy/legacy-events.service.js';
import { LegacyReservationsController } from './legacy/legacy-reservations.controller.js';
import { LegacyTicketsController } from './legacy/legacy-tickets.controller.js';
import { Mail } from './mail/mail.entity.js';
import { MailSender } from './mail/mail-sender.service.js';
import { Mails } from './mail/mails.service.js';
import { TicketDocuments } from './mail/ticket-documents.service.js';
import { Membership } from './memberships/membership.entity.js';
import { Memberships } from './memberships/memberships.service.js';
import { Checkouts } from './payments/checkouts.service.js';
import { PaymentAccount } from './payments/payment-account.entity.js';
import { LedgerAudit } from './payments/ledger-audit.service.js';
import { OnlineProvider } from './payments/online-provider.js';
import { PaymentAccounts } from './payments/payment-accounts.service.js';
import { Payment, PaymentEvent } from './payments/payment.entity.js';
import { ProviderEventHandler } from './payments/provider-event-handler.service.js';
import { Payments } from './payments/payments.service.js';
import { RefundSender } from './payments/refund-sender.service.js';
import { RefundsService } from './payments/refunds.service.js';
import { StripeCheckout } from './payments/stripe-checkout.service.js';
import { Bookings } from './reservations/bookings.service.js';
import { EventCancellation } from './reservations/event-cancellation.entity.js';
import { EventCancellations } from './reservations/event-cancellations.service.js';
import { OnSale } from './reservations/on-sale.service.js';
import { Availability } from './reservations/availability.service.js';
import { ReservationChanges } from './reservations/reservation-changes.service.js';
import { ReservationPublisher } from './reservations/reservation-publisher.service.js';
import { ReservationOption } from './reservations/reservation-option.entity.js';
import { Reservation } from './reservations/reservation.entity.js';
import { Reservations } from './reservations/reservations.service.js';
import { VerifiedEmail } from './reservations/verified-email.entity.js';
import { StripeController } from './payments/stripe.controller.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeys } from './signing-keys.service.js';
import { Ticket } from './ticket.entity.js';
import { Tickets } from './tickets.service.js';

export const bookingEntities = [
  SigningKey,
  Reservation,
  ReservationOption,
  Ticket,
  Membership,
  Payment,
  PaymentEvent,
  PaymentAccount,
  VerifiedEmail,
  Mail,
  EventCancellation,
  Answer,
  EmailCorrection,
];

const shared = [
  SigningKeys,
  CodeReplacement,
  Tickets,
  Bookings,
  OnSale,
  Reservations,
  ReservationChanges,
  EventCancellations,
  Memberships,
  AnswersService,
  EmailCorrections,
  Payments,
  RefundsService,
  Checkouts,
  PaymentAccounts,
  StripeCheckout,
  Mails,
  MailSender,
  TicketDocuments,
  Audit,
  LedgerAudit,
  HolderLinks,
  ProviderEventHandler,
];

@Module({
  imports: [MailModule, CatalogueModule],
  controllers: [LegacyEventsController, LegacyReservationsController, LegacyTicketsController, StripeController],
  providers: [
    ...shared,
    BookingRetention,
    BookingHoldings,
    PaymentSubjects,
    BookingPaymentSubjects,
    { provide: OnlineProvider, useExisting: StripeCheckout },
    Availability,
    RefundSender,
    ReservationPublisher,
    LegacyBookings,
    LegacyEvents,
  ],
  exports: shared,
})
export class BookingModule {}
