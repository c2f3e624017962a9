import { CatalogueModule } from '#catalogue';
import { MessagesModule } from '#messages';
import { Module } from '@nestjs/common';
import { PaymentsModule } from '#payments';
import { Answer } from './answers/answer.entity.js';
import { AnswersService } from './answers/answers.service.js';
import { Audit } from './audit/audit.service.js';
import { LedgerAudit } from './audit/ledger-audit.service.js';
import { BookingHoldings } from './booking-holdings.js';
import { BookingRetention } from './booking-retention.service.js';
import { EventCancellation } from './changes/event-cancellation.entity.js';
import { EventCancellations } from './changes/event-cancellations.service.js';
import { ReservationChanges } from './changes/reservation-changes.service.js';
import { ReservationPublisher } from './changes/reservation-publisher.service.js';
import { EmailCorrection } from './corrections/email-correction.entity.js';
import { EmailCorrections } from './corrections/email-corrections.service.js';
import { MailSender } from './documents/mail-sender.service.js';
import { TicketDocuments } from './documents/ticket-documents.service.js';
import { HolderLinks } from './holder-links.js';
import { Availability } from './inventory/availability.service.js';
import { OnSale } from './inventory/on-sale.service.js';
import { LegacyBookings } from './legacy/legacy-bookings.service.js';
import { LegacyEventsController } from './legacy/legacy-events.controller.js';
import { LegacyEvents } from './legacy/legacy-events.service.js';
import { LegacyReservationsController } from './legacy/legacy-reservations.controller.js';
import { LegacyTicketsController } from './legacy/legacy-tickets.controller.js';
import { Mail } from './mails/mail.entity.js';
import { Mails } from './mails/mails.service.js';
import { Membership } from './memberships/membership.entity.js';
import { Memberships } from './memberships/memberships.service.js';
import { Bookings } from './new-reservations/bookings.service.js';
import { ReservationOption } from './reservations/reservation-option.entity.js';
import { Reservation } from './reservations/reservation.entity.js';
import { Reservations } from './reservations/reservations.service.js';
import { Ticket } from './reservations/ticket.entity.js';
import { Tickets } from './reservations/tickets.service.js';
import { VerifiedEmail } from './reservations/verified-email.entity.js';
import { BookingPaymentSubjects } from './settlement/booking-payment-subjects.service.js';
import { CodeReplacement } from './signing/code-replacement.service.js';
import { SigningKey } from './signing/signing-key.entity.js';
import { SigningKeys } from './signing/signing-keys.service.js';

export const bookingEntities = [
  SigningKey,
  Reservation,
  ReservationOption,
  Ticket,
  Membership,
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
  Mails,
  MailSender,
  TicketDocuments,
  Audit,
  LedgerAudit,
  HolderLinks,
];

@Module({
  imports: [MessagesModule, CatalogueModule, PaymentsModule],
  controllers: [LegacyEventsController, LegacyReservationsController, LegacyTicketsController],
  providers: [
    ...shared,
    BookingRetention,
    BookingHoldings,
    BookingPaymentSubjects,
    Availability,
    ReservationPublisher,
    LegacyBookings,
    LegacyEvents,
  ],
  exports: shared,
})
export class BookingModule {}
