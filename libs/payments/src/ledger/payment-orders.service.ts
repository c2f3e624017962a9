import { Injectable, type OnModuleInit } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import { ScheduledTasks, TenantDb } from '#tenancy';

/** SQL: the order of a reservation or a membership; null when its lines are not written yet. */
export const orderSql = (reservationId: string, membershipId: string): string =>
  `(select line.order_id from order_line line
    where line.reservation_id = ${reservationId} or line.membership_id = ${membershipId} limit 1)`;

/** Payments of one transaction. */
const step = 500;

/** Names the orders of payments that were recorded before orders were written, imported, or made by an older program during a rollout. */
@Injectable()
export class PaymentOrdersService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('name orders of payments', () => this.run());
  }

  /** Names those of the current tenant, in small transactions. */
  async run(): Promise<void> {
    while ((await retryOnDeadlock(() => this.nameSome())) === step);
  }

  /** @returns the number of payments whose order was named */
  private nameSome(): Promise<number> {
    return this.db.transaction(async (tx) => {
      const [, count] = await tx.query<[unknown[], number]>(
        `with found as (
           select payment.id, line.order_id from payment
           cross join lateral ${orderSql('payment.reservation_id', 'payment.membership_id')} line
           where payment.order_id is null and line.order_id is not null order by payment.id limit $1 for no key update of payment)
         update payment set order_id = found.order_id from found where found.id = payment.id`,
        [step],
      );
      return count;
    });
  }
}
