import { fromCents, isUuid, RefusedInput, retryOnDeadlock, toCents } from '#kernel';
import { putOnAccount } from '#orders';
import { lockOnAccount, PaymentsService, PaymentSubjects, shareOnAccount, SubjectUnavailable } from '#payments';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { isOfOrderSql } from '../expected/bank-transfers.service.js';
import { newReference } from '../expected/transfer-reference.js';
import { texts } from '../locales/transfers.texts.js';
import { OrderPaymentsService } from '../matching/order-payments.service.js';
import { Customer } from './customer.entity.js';

/** How a customer paid at the venue or to its account. */
export const accountMethods = ['transfer', 'cash', 'card'] as const;
export type AccountMethod = (typeof accountMethods)[number];

/** Orders on account: sold to a customer, valid at once, and paid later, in whatever parts. */
@Injectable()
export class AccountOrdersService {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly orders: OrderPaymentsService,
  ) {}

  /**
   * Puts an order that awaits its payment on the account of a customer: it is sold at once. What arrived of it is kept.
   * @param orderId of reservations
   * @returns `gone`: it does not await its payment as a whole (any more); `late`: its places are sold
   * @throws RefusedInput on `customerId`
   */
  async bill(orderId: string, customerId: string): Promise<'billed' | 'gone' | 'late'> {
    const work = async (tx: Tx): Promise<'billed' | 'gone'> => {
      const locked = await this.lockWhole(tx, orderId);
      if (!locked) return 'gone';
      for (const { part, subject } of locked) {
        await this.payments.giveUpPending(tx, part);
        await subject.paid();
      }
      await billTo(tx, orderId, customerId);
      await this.orders.useArrived(tx, orderId);
      return 'billed';
    };
    try {
      return await this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction(work)));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      return 'late';
    }
  }

  /**
   * Records what a customer paid of an order on account, as staff saw it.
   * @param amount decimal text
   * @throws RefusedInput on `amount`: nothing, or more than is open
   */
  async record(orderId: string, { amount, method }: { readonly amount: string; readonly method: AccountMethod }): Promise<void> {
    const cents = toCents(amount);
    const work = async (tx: Tx): Promise<void> => {
      const open = isUuid(orderId) ? ((await lockOnAccount(tx, orderId)) ?? 0) : 0;
      if (!(cents > 0) || cents > open)
        throw new RefusedInput('amount', texts.localized('customers.amount', { open: fromCents(Math.max(0, open)) }));
      for (const share of await shareOnAccount(tx, orderId, cents))
        await (method === 'transfer'
          ? this.payments.recordTransfer(tx, share.subject, share.amount)
          : this.payments.recordAtVenue(tx, share.subject, share.amount, method));
    };
    await retryOnDeadlock(() => this.db.transaction(work));
  }

  /** Locks the reservations of an order of which all that is not cancelled awaits its payment. @returns undefined: that is not so */
  private async lockWhole(tx: Tx, orderId: string) {
    const rows = await tx.query<{ id: string; isLive: boolean }[]>(
      `select id, status <> 'C' as "isLive" from reservation where ${isOfOrderSql('reservation', '$1')} and not is_draft order by id`,
      [orderId],
    );
    const parts = rows.filter(({ isLive }) => isLive).map(({ id }) => ({ reservationId: id }));
    const subjects = await this.subjects.lock(tx, parts);
    const locked = parts.flatMap((part, index) => {
      const subject = subjects[index];
      return subject?.isAwaitingPayment ? [{ part, subject }] : [];
    });
    for (const { part } of locked) if (await this.payments.isProcessed(tx, part.reservationId)) return undefined;
    const others = await tx.query<unknown[]>(
      `select 1 from order_line where order_id = $1 and reservation_id is null group by order_id having sum(quantity) > 0`,
      [orderId],
    );
    return locked.length > 0 && locked.length === parts.length && others.length === 0 ? locked : undefined;
  }
}

/**
 * Makes a placed order one of a customer, in the transaction that sells it.
 * @throws RefusedInput on `customerId` when there is none, or it buys nothing any more
 */
export async function billTo(tx: Tx, orderId: string, customerId: string): Promise<void> {
  const customer = isUuid(customerId) ? await tx.findOneBy(Customer, { id: customerId, disabled: false }) : null;
  if (!customer || !(await putOnAccount(tx, orderId, customer.id)))
    throw new RefusedInput('customerId', texts.localized('customers.unknown'));
  await tx.query(
    `insert into bank_transfer (order_id, reference, due_on) values ($1, $2, ((select now()) at time zone $3)::date + $4::int)
     on conflict (order_id) do update set due_on = excluded.due_on, reminded_at = null`,
    [orderId, newReference(), currentTenant().timeZone, customer.paymentDays],
  );
}
