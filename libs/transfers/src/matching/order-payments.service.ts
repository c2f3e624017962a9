import { fromCents, toCents } from '#kernel';
import { lockOnAccount, PaymentsService, PaymentSubjects, shareOnAccount, type LockedSubject } from '#payments';
import type { OrderPart } from '#orders';
import type { Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { orderOfSql, receivedOfOrderSql } from '../expected/bank-transfers.service.js';

/** A part of an order that awaits its payment. */
interface DuePart {
  readonly part: OrderPart;
  /** Decimal text. */
  readonly amount: string;
  readonly subject: LockedSubject;
}

/** An order whose parts are locked. */
export interface LockedOrder {
  readonly orderId: string;
  readonly parts: readonly DuePart[];
  /** What is missing, in cents. */
  readonly missing: number;
  /** It is sold already, and paid in whatever parts arrive. */
  readonly isOnAccount: boolean;
}

/** The parts of orders `$1` that may await their payment; memberships first, because tickets may require them. */
const partsSql = `select part, "orderId" from (
    select 1 as rank, id, json_build_object('membershipId', id) as part, cart_id as "orderId" from membership where cart_id = any($1)
    union all select 2, id, json_build_object('reservationId', id), ${orderOfSql('reservation')} from reservation
      where (cart_id = any($1) or id = any($1) and cart_id is null) and not is_draft
    union all select 3, id, json_build_object('orderId', id), id from orders
      where id = any($1) and exists (select from order_line line where line.order_id = orders.id
        and line.reservation_id is null and line.membership_id is null)) parts
  order by rank, id`;

/** Pays orders with what arrived on the bank account, like every other payment: through the ledger and the subjects of payments. */
@Injectable()
export class OrderPaymentsService {
  constructor(
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
  ) {}

  /** Locks the parts of orders, in the order of all changes. Who comes second sees what the first one paid. */
  async lock(tx: Tx, orderIds: readonly string[]): Promise<LockedOrder[]> {
    const rows = await tx.query<{ part: OrderPart; orderId: string }[]>(partsSql, [orderIds]);
    const locked = await this.subjects.lock(
      tx,
      rows.map(({ part }) => part),
    );
    const parts: (DuePart & { orderId: string })[] = [];
    for (const [index, { part, orderId }] of rows.entries()) {
      const subject = locked[index];
      const amount = subject?.isAwaitingPayment ? await this.subjects.amountDue(tx, part) : undefined;
      if (subject && amount !== undefined) parts.push({ part, amount, subject, orderId });
    }
    const orders: LockedOrder[] = [];
    for (const orderId of orderIds) {
      const open = await lockOnAccount(tx, orderId);
      if (open !== undefined) {
        orders.push({ orderId, parts: [], missing: Math.max(0, open), isOnAccount: true });
        continue;
      }
      const own = parts.filter((part) => part.orderId === orderId);
      const [row] = await tx.query<{ received: string }[]>(`select ${receivedOfOrderSql('$1')}::text as received`, [orderId]);
      const due = own.reduce((sum, { amount }) => sum + toCents(amount), 0);
      orders.push({ orderId, parts: own, missing: own.length === 0 ? 0 : due - toCents(row?.received ?? '0'), isOnAccount: false });
    }
    return orders;
  }

  /**
   * Books money for locked orders; an order for which nothing is missing any more is paid.
   * @param cents what arrived; what no order needs is left
   * @returns what is left, in cents
   * @throws an error that `PaymentSubjects.attempt` handles, when places are sold meanwhile
   */
  async book(tx: Tx, entryId: string, orders: readonly LockedOrder[], cents: number): Promise<number> {
    let left = cents;
    for (const { orderId, parts, missing, isOnAccount } of orders) {
      const taken = Math.min(left, missing);
      if (taken <= 0) continue;
      left -= taken;
      await tx.query(
        `insert into bank_share (entry_id, order_id, amount) values ($1, $2, $3)
         on conflict (entry_id, order_id) do update set amount = bank_share.amount + excluded.amount`,
        [entryId, orderId, fromCents(taken)],
      );
      if (isOnAccount) await this.payOnAccount(tx, orderId, taken, entryId);
      else if (taken === missing) await this.pay(tx, orderId, parts, entryId);
    }
    return left;
  }

  /** Pays an order of which staff know that its money arrived. @returns false: nothing of it is to be paid */
  async payUnseen(tx: Tx, orderId: string): Promise<boolean> {
    const [order] = await this.lock(tx, [orderId]);
    if (order?.isOnAccount && order.missing > 0) await this.payOnAccount(tx, orderId, order.missing);
    if (order?.isOnAccount) return order.missing > 0;
    if (!order || order.parts.length === 0) return false;
    await this.pay(tx, orderId, order.parts);
    return true;
  }

  /**
   * Decides about money that arrived for an order before: pays the order when nothing is missing any more, and has the surplus paid back,
   * which is all of it when the order does not await its payment any more.
   * @throws an error that `PaymentSubjects.attempt` handles, when places are sold meanwhile
   */
  async settleArrived(tx: Tx, orderId: string): Promise<void> {
    const [order] = await this.lock(tx, [orderId]);
    const shares = await tx.query<{ entryId: string; amount: string }[]>(
      `select share.entry_id as "entryId", share.amount::text as amount
       from bank_share share join bank_entry entry on entry.id = share.entry_id
       where share.order_id = $1 and share.used_at is null order by entry.created_at, entry.id for update of share, entry`,
      [orderId],
    );
    const received = shares.reduce((sum, { amount }) => sum + toCents(amount), 0);
    const due = order?.parts.reduce((sum, { amount }) => sum + toCents(amount), 0) ?? 0;
    if (!order || shares.length === 0 || received < due) return;
    let surplus = received - due;
    // The latest money is the surplus.
    while (surplus > 0) {
      const last = shares.at(-1);
      if (!last) break;
      const back = Math.min(surplus, toCents(last.amount));
      await giveBack(tx, orderId, { entryId: last.entryId, cents: back, isAll: back === toCents(last.amount) });
      surplus -= back;
      if (back === toCents(last.amount)) shares.pop();
    }
    if (due > 0) await this.pay(tx, orderId, order.parts, shares.at(-1)?.entryId);
  }

  /** Books what arrived of an order before it was put on account, in the transaction that does that. */
  async useArrived(tx: Tx, orderId: string): Promise<void> {
    const shares = await tx.query<{ entryId: string; amount: string }[]>(
      `select entry_id as "entryId", amount::text as amount from bank_share where order_id = $1 and used_at is null
       order by entry_id for update`,
      [orderId],
    );
    let open = (await lockOnAccount(tx, orderId)) ?? 0;
    for (const { entryId, amount } of shares) {
      const cents = Math.min(Math.max(0, open), toCents(amount));
      open -= cents;
      await this.recordShares(tx, orderId, cents, entryId);
      // What is too much is settled like everything that no order needs.
      if (cents < toCents(amount)) await giveBack(tx, orderId, { entryId, cents: toCents(amount) - cents, isAll: cents === 0 });
    }
    await markUsed(tx, orderId);
  }

  /** Pays a part of a locked order on account. */
  private async payOnAccount(tx: Tx, orderId: string, cents: number, entryId?: string): Promise<void> {
    await this.recordShares(tx, orderId, cents, entryId);
    await markUsed(tx, orderId);
  }

  private async recordShares(tx: Tx, orderId: string, cents: number, entryId?: string): Promise<void> {
    for (const { subject, amount } of await shareOnAccount(tx, orderId, cents))
      await this.payments.recordTransfer(tx, subject, amount, entryId);
  }

  private async pay(tx: Tx, orderId: string, parts: readonly DuePart[], entryId?: string): Promise<void> {
    for (const { part, amount, subject } of parts) {
      await this.payments.giveUpPending(tx, part);
      if (toCents(amount) > 0) await this.payments.recordTransfer(tx, part, amount, entryId);
      await subject.paid();
    }
    await markUsed(tx, orderId);
  }
}

/** What arrived of an order is in the ledger. */
async function markUsed(tx: Tx, orderId: string): Promise<void> {
  await tx.query('update bank_share set used_at = (select now()) where order_id = $1 and used_at is null', [orderId]);
}

/** Notes that something of an entry, which no order needs any more, is to be paid back. */
async function giveBack(
  tx: Tx,
  orderId: string,
  { entryId, cents, isAll }: { readonly entryId: string; readonly cents: number; readonly isAll: boolean },
): Promise<void> {
  const key = [entryId, orderId];
  await (isAll
    ? tx.query('delete from bank_share where entry_id = $1 and order_id = $2', key)
    : tx.query('update bank_share set amount = amount - $3 where entry_id = $1 and order_id = $2', [...key, fromCents(cents)]));
  await tx.query(
    `update bank_entry set state = 'refund_due', finding = $4, excess = excess + $3,
       suggested_order_id = coalesce(suggested_order_id, $2) where id = $1`,
    [...key, fromCents(cents), isAll ? 'paid' : 'over'],
  );
}
