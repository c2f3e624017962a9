import { retryOnDeadlock } from '#kernel';
import { PaymentSubjects, SubjectUnavailable } from '#payments';
import { ScheduledTasks, TenantDb } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { mostSettledOrders } from '../bounds.js';
import { dueOfOrderSql } from '../expected/bank-transfers.service.js';
import { OrderPaymentsService } from './order-payments.service.js';

/**
 * Decides about money that arrived in part for orders that changed since: they are cancelled, over, paid in another way, or cost less. It
 * looks at the orders from time to time, so that nothing that changes orders has to know transfers.
 */
@Injectable()
export class ArrivedMoneyService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly orders: OrderPaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('settle part payments of bank transfers', () => this.settle());
  }

  /** Pays the orders for which nothing is missing any more, and has the money paid back that no order needs. */
  async settle(): Promise<void> {
    const decided = await this.db.transaction((tx) =>
      tx.query<{ orderId: string }[]>(
        `select order_id as "orderId"
         from (select order_id, sum(amount) as received from bank_share where used_at is null group by order_id) arrived
         where received >= ${dueOfOrderSql('arrived.order_id')} order by order_id limit ${mostSettledOrders}`,
      ),
    );
    for (const { orderId } of decided) {
      try {
        await this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction((tx) => this.orders.settleArrived(tx, orderId))));
      } catch (error) {
        // Its places are sold: it is cancelled soon, and then its money is to be paid back.
        if (!(error instanceof SubjectUnavailable)) throw error;
      }
    }
  }
}
