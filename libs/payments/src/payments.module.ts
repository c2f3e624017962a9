import { Module } from '@nestjs/common';
import { PaymentAccount } from './accounts/payment-account.entity.js';
import { PaymentAccounts } from './accounts/payment-accounts.service.js';
import { PaymentSubjects } from './ledger/payment-subjects.js';
import { Payment, PaymentEvent } from './ledger/payment.entity.js';
import { Payments } from './ledger/payments.service.js';
import { RefundsService } from './ledger/refunds.service.js';
import { Checkouts } from './online/checkouts.service.js';
import { OnlineProvider } from './online/online-provider.js';
import { ProviderEventHandler } from './online/provider-event-handler.service.js';
import { RefundSender } from './online/refund-sender.service.js';
import { PaymentRetention } from './payment-retention.service.js';
import { StripeCheckout } from './stripe/stripe-checkout.service.js';
import { StripeController } from './stripe/stripe.controller.js';

export const paymentEntities = [Payment, PaymentEvent, PaymentAccount];

const shared = [PaymentSubjects, Payments, RefundsService, Checkouts, PaymentAccounts, StripeCheckout, ProviderEventHandler];

@Module({
  controllers: [StripeController],
  providers: [...shared, RefundSender, PaymentRetention, { provide: OnlineProvider, useExisting: StripeCheckout }],
  exports: shared,
})
export class PaymentsModule {}
