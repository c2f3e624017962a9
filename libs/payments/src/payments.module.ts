import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountMethodsService } from './accounts/account-methods.service.js';
import { PaymentAccount } from './accounts/payment-account.entity.js';
import { PaymentAccountsService } from './accounts/payment-accounts.service.js';
import { MethodCorrectionsService } from './ledger/method-corrections.service.js';
import { PaymentSubjects } from './ledger/payment-subjects.js';
import { Payment, PaymentEvent } from './ledger/payment.entity.js';
import { GiftCardPaymentsService } from './ledger/gift-card-payments.service.js';
import { PaymentOrdersService } from './ledger/payment-orders.service.js';
import { PaymentsService } from './ledger/payments.service.js';
import { RefundsService } from './ledger/refunds.service.js';
import { CheckoutOutcomesService } from './online/checkout-outcomes.service.js';
import { CheckoutsService } from './online/checkouts.service.js';
import { PaymentEventsController } from './online/payment-events.controller.js';
import { ProviderEventHandlerService } from './online/provider-event-handler.service.js';
import { RefundSenderService } from './online/refund-sender.service.js';
import { PaymentRetentionService } from './payment-retention.service.js';
import { PaymentProviders } from './providers/payment-providers.js';
import { CardReader } from './readers/card-reader.entity.js';
import { CardReadersService } from './readers/card-readers.service.js';
import { ReaderPaymentsService } from './readers/reader-payments.service.js';
import { RepeatedChargesService } from './online/repeated-charges.service.js';
import { MollieProvider } from './mollie/mollie.provider.js';
import { StripeProvider } from './stripe/stripe.provider.js';
import { SumUpProvider } from './sumup/sumup.provider.js';

export const paymentEntities = [Payment, PaymentEvent, PaymentAccount, CardReader];

/** Classes with the decorator `OnlineProvider`. List a new provider here. */
const onlineProviders = [MollieProvider, StripeProvider, SumUpProvider];

const shared = [
  PaymentSubjects,
  PaymentsService,
  GiftCardPaymentsService,
  RefundsService,
  MethodCorrectionsService,
  CheckoutsService,
  CheckoutOutcomesService,
  PaymentAccountsService,
  AccountMethodsService,
  PaymentProviders,
  ProviderEventHandlerService,
  RepeatedChargesService,
  CardReadersService,
  ReaderPaymentsService,
];

@Module({
  imports: [DiscoveryModule],
  controllers: [PaymentEventsController],
  providers: [...shared, ...onlineProviders, RefundSenderService, PaymentOrdersService, PaymentRetentionService],
  exports: shared,
})
export class PaymentsModule {}
