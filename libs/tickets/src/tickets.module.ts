import { CatalogueModule } from '#catalogue';
import { PaymentsModule } from '#payments';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { RetentionService } from '#tenancy';
import { SigningKey } from './entities/signing-key.entity.js';
import { Reservation } from './entities/reservation.entity.js';
import { ReservationOption } from './entities/reservation-option.entity.js';
import { Ticket } from './entities/ticket.entity.js';
import { VerifiedEmail } from './people/verified-email.entity.js';
import { Mail } from './mails/mail.entity.js';
import { EventCancellation } from './entities/event-cancellation.entity.js';
import { Code } from './entities/code.entity.js';
import { CodeImportsService } from './codes/code-imports.service.js';
import { CodesService } from './codes/codes.service.js';
import { Discount } from './entities/discount.entity.js';
import { DiscountUse } from './entities/discount-use.entity.js';
import { DiscountsService } from './discounts/discounts.service.js';
import { CodeUse } from './entities/code-use.entity.js';
import { Answer } from './entities/answer.entity.js';
import { AtOnceNetworksService } from './holds/at-once-networks.service.js';
import { ConfirmationCodes } from './people/confirmation-codes.js';
import { EndedHold } from './holds/ended-hold.entity.js';
import { SigningKeysService } from './signing/signing-keys.service.js';
import { CodeReplacementService } from './signing/code-replacement.service.js';
import { TicketsService } from './reservations/tickets.service.js';
import { OnSaleService } from './inventory/on-sale.service.js';
import { EarlierOrdersService } from './reservations/earlier-orders.service.js';
import { ReservationsService } from './reservations/reservations.service.js';
import { WholeOrdersService } from './changes/whole-orders.service.js';
import { ReservationChangesService } from './changes/reservation-changes.service.js';
import { EventCancellationsService } from './changes/event-cancellations.service.js';
import { AnswersService } from './answers/answers.service.js';
import { MailsService } from './mails/mails.service.js';
import { AuditService } from './audit/audit.service.js';
import { LedgerAuditService } from './audit/ledger-audit.service.js';
import { HolderLinks } from './people/holder-links.js';
import { HolderCancellationsService } from './changes/holder-cancellations.service.js';
import { AvailabilityService } from './sales/availability.service.js';
import { OffersService } from './inventory/offers.service.js';
import { SeriesPoolsService } from './sales/series-pools.service.js';
import { SaleWriter } from './sales/sale-writer.service.js';
import { WaitingSignal } from './inventory/waiting.js';
import { ReservationPublisherService } from './changes/reservation-publisher.service.js';

export const ticketEntities = [
  SigningKey,
  Reservation,
  ReservationOption,
  Ticket,
  VerifiedEmail,
  Mail,
  EventCancellation,
  Answer,
  EndedHold,
  Code,
  CodeUse,
  Discount,
  DiscountUse,
];

const shared = [
  SigningKeysService,
  CodeReplacementService,
  TicketsService,
  OnSaleService,
  ReservationsService,
  ReservationChangesService,
  WholeOrdersService,
  EventCancellationsService,
  AnswersService,
  MailsService,
  AuditService,
  LedgerAuditService,
  HolderLinks,
  ConfirmationCodes,
  AtOnceNetworksService,
  HolderCancellationsService,
  AvailabilityService,
  OffersService,
  SaleWriter,
  SeriesPoolsService,
  ReservationPublisherService,
  EarlierOrdersService,
  CodesService,
  CodeImportsService,
  DiscountsService,
];

@Module({
  imports: [CatalogueModule, PaymentsModule],
  providers: [...shared, WaitingSignal],
  exports: shared,
})
export class TicketsModule implements OnModuleInit {
  constructor(
    private readonly retention: RetentionService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Registers how long mails and ended holds are kept. Sales are never deleted. */
  onModuleInit(): void {
    this.retention.add({
      name: 'mails',
      days: this.settings.mailDays,
      table: 'mail',
      key: 'id',
      time: 'created_at',
      condition: "status <> 'waiting'",
    });
    // The limit per network looks at those of the last day.
    this.retention.add({ name: 'ended holds', days: 1, table: 'ended_hold', key: 'id', time: 'ended_at' });
  }
}
