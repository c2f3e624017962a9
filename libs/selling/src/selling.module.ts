import { CatalogueModule } from '#catalogue';
import { GiftCardsModule } from '#gift-cards';
import { PaymentsModule } from '#payments';
import { TicketsModule } from '#tickets';
import { TransfersModule } from '#transfers';
import { MembershipsModule } from '#memberships';
import { Module, type OnModuleInit } from '@nestjs/common';
import { ownSql } from '#orders';
import { RetentionService } from '#tenancy';
import { limits } from './limits.js';
import { BookingsService } from './new-reservations/bookings.service.js';
import { CounterSalesService } from './counter/counter-sales.service.js';
import { ReaderSalesService } from './counter/reader-sales.service.js';
import { CounterQuotesService } from './counter/counter-quotes.service.js';
import { SalesService } from './sales/sales.service.js';
import { UnbookableEventsService } from './unbookable/unbookable-events.service.js';
import { DraftsService } from './drafts/drafts.service.js';
import { DraftCompletionService } from './drafts/draft-completion.service.js';
import { CartsService } from './carts/carts.service.js';
import { CartCompletionService } from './carts/cart-completion.service.js';
import { CartDiscountsService } from './carts/cart-discounts.service.js';
import { CartSavingsService } from './savings/cart-savings.service.js';
import { CartVerificationService } from './carts/cart-verification.service.js';
import { EnteredCodesService } from './codes/entered-codes.service.js';
import { CodeConfirmationService } from './carts/code-confirmation.service.js';
import { BookingHoldings } from './booking-holdings.js';
import { BookingPaymentSubjectsService } from './settlement/booking-payment-subjects.service.js';
import { BookedDatesService } from './passes/booked-dates.service.js';
import { Campaign } from './donations/campaign.entity.js';
import { TaxReceipt } from './donations/tax-receipt.entity.js';
import { TaxReceiptsService } from './donations/tax-receipts.service.js';
import { CampaignsService } from './donations/campaigns.service.js';
import { DonationsService } from './donations/donations.service.js';
import { VenueDeadlinesService } from './settlement/venue-deadlines.service.js';
import { VenueInsteadService } from './settlement/venue-instead.service.js';
import { BookingTurnsService } from './new-reservations/booking-turns.service.js';
import { DraftExpiryService } from './drafts/draft-expiry.service.js';

export const sellingEntities = [Campaign, TaxReceipt];

const shared = [
  BookingsService,
  CounterSalesService,
  ReaderSalesService,
  CounterQuotesService,
  DraftsService,
  DraftCompletionService,
  CartsService,
  CartCompletionService,
  CartSavingsService,
  CartVerificationService,
  CodeConfirmationService,
  BookingTurnsService,
  DraftExpiryService,
  DonationsService,
  CampaignsService,
  TaxReceiptsService,
  UnbookableEventsService,
  VenueInsteadService,
  EnteredCodesService,
];

@Module({
  imports: [CatalogueModule, PaymentsModule, TicketsModule, GiftCardsModule, TransfersModule, MembershipsModule],
  providers: [
    ...shared,
    SalesService,
    CartDiscountsService,
    BookedDatesService,
    BookingHoldings,
    BookingPaymentSubjectsService,
    VenueDeadlinesService,
  ],
  exports: shared,
})
export class SellingModule implements OnModuleInit {
  constructor(private readonly retention: RetentionService) {}

  /** Registers how long carts without tickets that nobody completed are kept. The holds of tickets end earlier. */
  onModuleInit(): void {
    const isInCart = `${ownSql} and exists (select from orders where orders.id = order_id and state = 'open')`;
    this.retention.add({
      name: 'donors of tax receipts',
      days: limits.taxReceiptCopies.number,
      table: 'tax_receipt',
      key: 'id',
      time: 'issued_at',
      condition: 'donor_name is not null',
      clears: ['donor_name', 'donor_address'],
    });
    this.retention.add({ name: 'carts', days: 1, table: 'order_line', key: 'id', time: 'created_at', condition: isInCart });
  }
}
