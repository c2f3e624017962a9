import { fromCents, isUuid, RefusedInput, retryOnDeadlock, toCents } from '#kernel';
import { putOnAccount, type OrderPart } from '#orders';
import { accountOrderOf, lockOnAccount, PaymentsService, PaymentSubjects, shareOnAccount, SubjectUnavailable } from '#payments';
import { currentTenant, ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { MailsService } from '#tickets';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isISO8601 } from 'class-validator';
import { mostInstalments, remindedWithin } from '../bounds.js';
import { isOfOrderSql } from '../expected/bank-transfers.service.js';
import { newReference } from '../expected/transfer-reference.js';
import { texts } from '../locales/transfers.texts.js';
import { OrderPaymentsService } from '../matching/order-payments.service.js';
import { Customer } from './customer.entity.js';
import { instalmentsOf, instalmentsSql, type Instalment } from '../expected/instalments.js';

/** How a customer paid at the venue or to its account. */
export const accountMethods = ['transfer', 'cash', 'card'] as const;
export type AccountMethod = (typeof accountMethods)[number];

/** What is to be paid of an order on account. */
interface AccountBill {
  readonly orderId: string;
  readonly customer: Customer;
  /** What was sold and not cancelled. */
  readonly lines: { readonly name: string; readonly quantity: number; readonly amount: string }[];
  /** Those of which something is open. */
  readonly instalments: readonly Instalment[];
}

/** Orders on account: sold to a customer, valid at once, and paid later, in whatever parts. */
@Injectable()
export class AccountOrdersService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly orders: OrderPaymentsService,
    private readonly mails: MailsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('remind customers', () => this.remind());
  }

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
      await this.billTo(tx, orderId, customerId);
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

  /**
   * Makes a placed order one of a customer, in the transaction that sells it, and mails what is to be paid.
   * @throws RefusedInput on `customerId` when there is none, or it buys nothing any more
   */
  async billTo(tx: Tx, orderId: string, customerId: string): Promise<void> {
    const customer = isUuid(customerId) ? await tx.findOneBy(Customer, { id: customerId, disabled: false }) : null;
    if (!customer || !(await putOnAccount(tx, orderId, customer.id)))
      throw new RefusedInput('customerId', texts.localized('customers.unknown'));
    await tx.query(
      `insert into bank_transfer (order_id, reference, due_on) values ($1, $2, ((select now()) at time zone $3)::date + $4::int)
       on conflict (order_id) do update set due_on = excluded.due_on, reminded_at = null`,
      [orderId, newReference(), currentTenant().timeZone, customer.paymentDays],
    );
    await this.askToPay(tx, orderId);
  }

  /** What is to be paid of the order of something. @returns undefined: it is not on account */
  billOf(part: OrderPart): Promise<AccountBill | undefined> {
    return this.db.transaction(async (tx) => {
      const orderId = await accountOrderOf(tx, part);
      if (orderId === undefined) return undefined;
      const [billed] = await tx.query<{ id: string }[]>('select customer_id as id from orders where id = $1', [orderId]);
      const customer = await tx.findOneByOrFail(Customer, { id: (billed as { id: string }).id });
      const instalments = (await instalmentsOf(tx, orderId)).filter(({ open }) => toCents(open) > 0);
      const lines = await tx.query<AccountBill['lines']>(
        `select concat_ws(' · ', event.name, case when product.name = price.name then price.name else line.name end) as name,
           sum(quantity)::int as quantity, sum(line.amount)::text as amount
         from order_line line left join event on event.id = line.event_id left join price on price.id = line.price_id
           left join product on product.id = price.product_id
         where order_id = $1 and effective_at is not null group by 1, unit_amount having sum(quantity) > 0
         order by 1, 3`,
        [orderId],
      );
      return { orderId, customer, instalments, lines };
    });
  }

  /** Reminds customers of orders of which something is open after a last day, once for each of these days. */
  async remind(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [due] = await tx.query<[{ orderId: string }[], number]>(
        `update bank_transfer set reminded_at = (select now())
         where order_id in (select id from orders where customer_id is not null) and due_on < ((select now()) at time zone $1)::date
           and due_on + make_interval(months => instalments) >= ((select now()) at time zone $1)::date - ${remindedWithin}
           and exists (select from (${instalmentsSql('bank_transfer.order_id')}) one
             where open > 0 and one.due_on < ((select now()) at time zone $1)::date
               and one.due_on >= ((select now()) at time zone $1)::date - ${remindedWithin}
               and coalesce((reminded_at at time zone $1)::date <= one.due_on, true))
         returning order_id as "orderId"`,
        [currentTenant().timeZone],
      );
      for (const { orderId } of due) await this.askToPay(tx, orderId);
    });
  }

  /** Mails to the customer what is to be paid. */
  private async askToPay(tx: Tx, orderId: string): Promise<void> {
    const [first] = await tx.query<{ reservationId: string | null; membershipId: string | null; recipient: string }[]>(
      `select reservation_id as "reservationId", membership_id as "membershipId", customer.email as recipient
       from orders join customer on customer.id = customer_id join order_line on order_id = orders.id
       where orders.id = $1 and (reservation_id is not null or membership_id is not null) order by 1, 2 limit 1`,
      [orderId],
    );
    if (!first) return;
    const { reservationId, membershipId, recipient } = first;
    const part = reservationId !== null ? { reservationId } : membershipId !== null ? { membershipId } : {};
    await this.mails.add(tx, 'on-account', { ...part, recipient });
  }

  /**
   * Says in how many equal parts an order on account is due, a month apart.
   * @param from the last day of the first one, ISO date
   * @returns false: it is not on account @throws RefusedInput on `count` or `from`
   */
  async divide(orderId: string, { count, from }: { readonly count: number; readonly from: string }): Promise<boolean> {
    if (!Number.isInteger(count) || count < 1 || count > mostInstalments)
      throw new RefusedInput('count', texts.localized('customers.count', { most: mostInstalments }));
    if (!/^20\d{2}-\d{2}-\d{2}$/.test(from) || !isISO8601(from, { strict: true }))
      throw new RefusedInput('from', texts.localized('customers.from'));
    const [rows] = await this.db.transaction((tx) =>
      tx.query<[unknown[], number]>(
        `update bank_transfer set instalments = $2, due_on = $3::date, reminded_at = null
         where order_id = $1 and exists (select from orders where id = $1 and customer_id is not null) returning order_id`,
        [orderId, count, from],
      ),
    );
    return rows.length > 0;
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
