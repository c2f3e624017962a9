export { ibanWords, TransferAccountService } from './account/transfer-account.service.js';
export { BankTransfer } from './expected/bank-transfer.entity.js';
export {
  BankTransfersService,
  dueOfOrderSql,
  expectTransfer,
  isOfOrderSql,
  orderOfSql,
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
