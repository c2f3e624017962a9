export { TransferAccount } from './account/transfer-account.entity.js';
export { ibanWords, TransferAccountService } from './account/transfer-account.service.js';
export { accountMethods, AccountOrdersService } from './customers/account-orders.service.js';
export { Customer } from './customers/customer.entity.js';
export { longestCustomer, longestPaymentDays } from './bounds.js';
export { overdueOfCustomerSql } from './expected/instalments.js';
export {
  CustomersService,
  openOfCustomerSql,
  type CustomerInput,
  type ValuedCustomer,
  type WholeCustomer,
} from './customers/customers.service.js';
export { BankTransfer } from './expected/bank-transfer.entity.js';
export {
  BankTransfersService,
  dueOfOrderSql,
  expectTransfer,
  isOfOrderSql,
  orderOfSql,
  payerNameSql,
  receivedOfOrderSql,
  transferDayOf,
  type TransferInstructions,
} from './expected/bank-transfers.service.js';
export { takesTransfersSql, transferTimes, transferTimesOf, type TransferTimes } from './expected/transfer-times.js';
export { ArrivedMoneyService } from './matching/arrived-money.service.js';
export { BankEntriesService } from './matching/bank-entries.service.js';
export { OrderedRefundsService } from './refunds/ordered-refunds.service.js';
export { RefundOrder } from './refunds/refund-order.entity.js';
export type { CsvField } from './statements/bank-csv.js';
export { BankEntry } from './statements/bank-entry.entity.js';
export { entryFindings, entryStates } from './statements/entry-states.js';
export { erasePayersOf, erasePayersWithoutOrder, isMoneyOpenSql, payersSql } from './statements/payers.js';
export { StatementUploadsService } from './uploads/statement-uploads.service.js';
export { TransfersModule, transferEntities } from './transfers.module.js';
