import { GiftCardsService } from '#gift-cards';
import { MembershipOrdersService, MembershipsService } from '#memberships';
import { CounterQuotesService, CounterSalesService, EnteredCodesService, ReaderSalesService } from '#selling';
import { CardReadersService, ReaderPaymentsService } from '#payments';
import { MailsService, OnSaleService, ReservationsService } from '#tickets';
import { EventsService } from '#catalogue';
import { CustomersService } from '#transfers';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** The services of the box office. */
@Injectable()
export class BoxOfficeServices {
  constructor(
    readonly db: TenantDb,
    readonly onSale: OnSaleService,
    readonly sales: CounterSalesService,
    readonly codes: EnteredCodesService,
    readonly quotes: CounterQuotesService,
    readonly reservations: ReservationsService,
    readonly memberships: MembershipsService,
    readonly orders: MembershipOrdersService,
    readonly mails: MailsService,
    readonly events: EventsService,
    readonly giftCards: GiftCardsService,
    readonly customers: CustomersService,
    readonly cardReaders: CardReadersService,
    readonly readerPayments: ReaderPaymentsService,
    readonly readerSales: ReaderSalesService,
  ) {}
}
