import { Module } from '@nestjs/common';
import { PaymentAccount } from './accounts/payment-account.entity.js';
import { PaymentAccountsService } from './accounts/payment-accounts.service.js';
import { MethodCorrectionsService } from './ledger/method-corrections.service.js';
import { PaymentSubjects } from './ledger/payment-subjects.js';
import { Payment, PaymentEvent } from './ledger/payment.entity.js';
import { PaymentsService } from './ledger/payments.service.js';
import { RefundsService } from './ledger/refunds.service.js';
import { CheckoutOutcomesService } from './online/checkout-outcomes.service.js';
import { CheckoutsService } from './online/checkouts.service.js';
import { OnlineProvider } from './online/online-provider.js';
import { ProviderEventHandlerService } from './online/provider-event-handler.service.js';
import { RefundSenderService } from './online/refund-sender.service.js';
import { PaymentRetentionService } from './payment-retention.service.js';
import { StripeCheckoutService } from './stripe/stripe-checkout.service.js';
import { StripeController } from './stripe/stripe.controller.js';

export const paymentEntities = [Payment, PaymentEvent, PaymentAccount];

const shared = [
  PaymentSubjects,
  PaymentsService,
  RefundsService,
  MethodCorrectionsService,
  CheckoutsService,
  CheckoutOutcomesService,
  PaymentAccountsService,
  StripeCheckoutService,
  ProviderEventHandlerService,
];

@Module({
  controllers: [StripeController],
  providers: [...shared, RefundSenderService, PaymentRetentionService, { provide: OnlineProvider, useExisting: StripeCheckoutService }],
  exports: shared,
})
export class PaymentsModule {}
