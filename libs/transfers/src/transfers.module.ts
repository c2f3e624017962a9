import { PaymentsModule } from '#payments';
import { TicketsModule } from '#tickets';
import { Module } from '@nestjs/common';
import { TransferAccount } from './account/transfer-account.entity.js';
import { TransferAccountService } from './account/transfer-account.service.js';
import { AccountOrdersService } from './customers/account-orders.service.js';
import { Customer } from './customers/customer.entity.js';
import { CustomersService } from './customers/customers.service.js';
import { BankTransfer } from './expected/bank-transfer.entity.js';
import { BankTransfersService } from './expected/bank-transfers.service.js';
import { ArrivedMoneyService } from './matching/arrived-money.service.js';
import { BankEntriesService } from './matching/bank-entries.service.js';
import { OrderPaymentsService } from './matching/order-payments.service.js';
import { OrderedRefundsService } from './refunds/ordered-refunds.service.js';
import { RefundOrder } from './refunds/refund-order.entity.js';
import { BankEntry, BankShare, BankStatement } from './statements/bank-entry.entity.js';
import { StatementUploadsService } from './uploads/statement-uploads.service.js';

export const transferEntities = [TransferAccount, BankTransfer, BankStatement, BankEntry, BankShare, RefundOrder, Customer];

const shared = [
  TransferAccountService,
  BankTransfersService,
  ArrivedMoneyService,
  BankEntriesService,
  OrderedRefundsService,
  StatementUploadsService,
  CustomersService,
  AccountOrdersService,
];

@Module({
  imports: [PaymentsModule, TicketsModule],
  providers: [...shared, OrderPaymentsService],
  exports: shared,
})
export class TransfersModule {}
