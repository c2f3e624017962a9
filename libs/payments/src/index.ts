export { type OfferedAccount, type PaymentAccountStatus, PaymentAccountsService } from './accounts/payment-accounts.service.js';
export { AccountMethodsService } from './accounts/account-methods.service.js';
export { inLockingOrder } from './ledger/checkout-rows.js';
export {
  accountOrderOf,
  costsOfOrderSql,
  lockOnAccount,
  openOnAccountSql,
  paidOfOrderSql,
  shareOnAccount,
} from './ledger/account-orders.js';
export { GiftCardPaymentsService } from './ledger/gift-card-payments.service.js';
export type { DuePart } from './ledger/new-payment.js';
export { MethodCorrectionsService, withoutCorrections } from './ledger/method-corrections.service.js';
export { lookAtCheckoutJob } from './ledger/payment-jobs.js';
export {
  paymentStates,
  type PaymentStatus,
  paymentMethods,
  type PaymentMethod,
  type VenueMethod,
  venueMethods,
  refundMethods,
  type RefundMethod,
  refundReasons,
  type RefundReason,
  checkoutUrlOf,
  wayBackOf,
  movedBy,
  movedBySql,
} from './ledger/payment-states.js';
export * from './ledger/payment-subjects.js';
export { Payment } from './ledger/payment.entity.js';
export { PaymentOrdersService } from './ledger/payment-orders.service.js';
export { PaymentsService } from './ledger/payments.service.js';
export { RefundsService } from './ledger/refunds.service.js';
export { CheckoutOutcomesService } from './online/checkout-outcomes.service.js';
export { CheckoutsService } from './online/checkouts.service.js';
export { type ChargeResult, RepeatedChargesService } from './online/repeated-charges.service.js';
export { CardReader, longestReaderName } from './readers/card-reader.entity.js';
export { CardReadersService, isAskingSql } from './readers/card-readers.service.js';
export { ReaderBusy, type ReaderPayment, ReaderPaymentsService } from './readers/reader-payments.service.js';
export { readerFaults } from './providers/card-readers.js';
export { ProviderEventHandlerService } from './online/provider-event-handler.service.js';
export { RefusedAmount } from './online/refused-amount.js';
export { forgottenRefundsTask } from './online/refund-sender.service.js';
export { paymentProblem } from './payment.problems.js';
export * from './payments.module.js';
export { type AccountField, fitFields, type ProviderAccount } from './providers/account-fields.js';
export * from './providers/payment-errors.js';
export { isPaidBackByHand, paidBackByHandSql } from './providers/paid-back-by-hand.js';
export { type BegunPayment, type CheckoutRequest, PaymentProvider, type RefundRequest } from './providers/payment-provider.js';
export { giftCard } from './providers/gift-card-provider.js';
export { OnlineProvider, PaymentProviders } from './providers/payment-providers.js';
export type { CheckoutOutcome, ProviderEvent } from './providers/provider-event.js';
