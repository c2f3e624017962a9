import { Injectable } from '@nestjs/common';
import { JobsService } from '#jobs';
import type { OrderPart } from '#orders';
import { TenantDb, type Tx } from '#tenancy';
import { actorColumns, fromCents, toCents } from '#kernel';
import { accountOrderOf, openOf, refundable } from './account-orders.js';
import { refundJob } from './payment-jobs.js';
import { isPaidBackByHand, paidBackByHandSql } from '../providers/paid-back-by-hand.js';
import type { RefundMethod, RefundReason } from './payment-states.js';
import { givenBackSql, inheritedSql, lockCheckout } from './checkout-rows.js';
import { Payment } from './payment.entity.js';
import { giftCard } from '../providers/gift-card-provider.js';

/** How staff paid out a refund by hand. */
export interface Settlement {
  readonly method: RefundMethod;
  readonly userId: string;
  /** For example the number of a transfer. */
  readonly note?: string;
}

/** A refund that this process requests from the provider. */
export interface ClaimedRefund {
  readonly id: string;
  readonly paymentId: string;
  /** The provider and the account of the payment. */
  readonly provider: string;
  readonly accountId: string | null;
  /** The provider's id of the payment; null when it never sent one. */
  readonly providerPayment: string | null;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** From 1. */
  readonly attempt: number;
  /** What the provider has given back of the checkout with other refunds, as far as it is known; decimal text. */
  readonly settledBefore: string;
}

/** Duration of a claim: longer than the provider's timeout, and shorter than a job lease, so that the job's next owner can claim. */
const claimSeconds = 25;

/**
 * Refunds of the current tenant. Each is a row of the ledger, due from the cancellation on, and settled once, by the provider or by hand.
 * Methods that add rows lock the payment first, so that refunds never exceed the payment.
 */
@Injectable()
export class RefundsService {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Adds refunds for everything paid and not refunded yet. Online payments are refunded automatically, payments at the venue by hand.
   * @returns whether anything is to refund
   */
  async refundAll(tx: Tx, subject: OrderPart, note?: string, reason: RefundReason = 'cancelled'): Promise<boolean> {
    const left = await refundable(tx, subject);
    const parts = left.map(({ id, cents }) => ({ id, amount: fromCents(cents) }));
    return (await this.add(tx, parts, reason, note)) > 0;
  }

  /**
   * Adds refunds for a part of what was paid, latest payments first.
   * @param amount decimal text
   * @returns false when less than `amount` is refundable; what is left is refunded nevertheless
   */
  async refundPart(tx: Tx, subject: OrderPart, amount: string, note?: string, reason: RefundReason = 'cancelled'): Promise<boolean> {
    let missing = toCents(amount);
    const parts = [];
    for (const { id, cents } of await refundable(tx, subject)) {
      const taken = Math.min(cents, missing);
      if (taken > 0) parts.push({ id, amount: fromCents(taken) });
      missing -= taken;
    }
    await this.add(tx, parts, reason, note);
    return missing === 0;
  }

  /**
   * What would be paid back of an order on account if something of it were cancelled now.
   * @param amount of what is cancelled, decimal text
   * @returns the payments of the whole order, and the most that is paid back of them; undefined: it is not on account
   */
  backOnAccount(part: OrderPart, amount: string): Promise<{ payments: Payment[]; most: string } | undefined> {
    return this.db.transaction(async (tx) => {
      const orderId = await accountOrderOf(tx, part);
      if (orderId === undefined) return undefined;
      const most = fromCents(Math.max(0, toCents(amount) - (await openOf(tx, orderId))));
      return { payments: await tx.find(Payment, { where: { orderId }, order: { createdAt: 'ASC' } }), most };
    });
  }

  /** Adds a refund for a payment that arrived too late or twice. */
  async refundLate(tx: Tx, paymentId: string): Promise<void> {
    const payment = await tx.findOne(Payment, { where: { id: paymentId }, lock: { mode: 'for_no_key_update' } });
    // The free part of an order that was paid with others.
    if (payment && toCents(payment.amount) > 0) await this.add(tx, [{ id: paymentId, amount: payment.amount }], 'late');
  }

  /**
   * Records that staff paid out refunds by hand: of payments at the venue, or when the provider failed. Each refund is settled only once,
   * even with concurrent calls.
   * @returns the ids settled by this call; the others were settled before, or the provider is still to refund them
   */
  settleByHand(ids: readonly string[], { method, userId, note }: Settlement): Promise<string[]> {
    return this.db.transaction(async (tx) => {
      const [rows] = await tx.query<[{ id: string }[], number]>(
        `update payment set status = 'refunded', refunded_at = (select now()), refunded_by = $2, refunded_method = $3, refunded_note = $4
         where id = any($1) and ${byHandSql('payment')} returning id`,
        [ids, userId, method, note || null],
      );
      return rows.map(({ id }) => id);
    });
  }

  /**
   * Names due refunds of transfers with the references under which they are ordered at the bank. The condition lets one of several orders
   * have each.
   * @returns those that this call named
   */
  async ordered(tx: Tx, references: ReadonlyMap<string, string>): Promise<string[]> {
    const [rows] = await tx.query<[{ id: string }[], number]>(
      `update payment set refund_reference = given.reference from unnest($1::uuid[], $2::text[]) as given (id, reference)
       where payment.id = given.id and payment.provider = 'transfer' and payment.status = 'refund_due' and payment.refund_reference is null
       returning payment.id`,
      [[...references.keys()], [...references.values()]],
    );
    return rows.map(({ id }) => id);
  }

  /** Records that a refund left the account. @param amount decimal text @returns false: none waits with this reference */
  async transferred(tx: Tx, reference: string, amount: string): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `update payment set status = 'refunded', refunded_at = (select now()), refunded_method = 'transfer'
       where refund_reference = $1 and amount = $2 and provider = 'transfer' and status = 'refund_due' returning id`,
      [reference, amount],
    );
    return rows.length > 0;
  }

  /** Schedules new requests to the provider at once. @returns the number of these refunds that are due and online */
  retry(ids: readonly string[]): Promise<number> {
    return this.db.transaction(async (tx) => {
      const due = await tx.query<{ id: string }[]>(
        `select id from payment where id = any($1) and status = 'refund_due' and not ${paidBackByHandSql('payment')}`,
        [ids],
      );
      for (const { id } of due) await this.jobs.add(tx, refundJob, id);
      return due.length;
    });
  }

  /** Schedules all due online refunds without a request in the last six hours, so that no refund is lost after an error. */
  retryForgotten(): Promise<void> {
    return this.db.transaction(async (tx) => {
      const due = await tx.query<{ id: string }[]>(
        `select id from payment where status = 'refund_due' and not ${paidBackByHandSql('payment')}
           and coalesce(asked_until, created_at) < now() - interval '6 hours' order by created_at limit 1000`,
      );
      for (const { id } of due) await this.jobs.add(tx, refundJob, id);
    });
  }

  /**
   * Claims due online refunds for 25 seconds, during which no other process requests them and staff cannot settle them by hand.
   * @param id of a refund, or of a payment for all its refunds
   * @returns `busy`: others are claimed by another process
   */
  claim(id: string): Promise<{ claimed: ClaimedRefund[]; busy: boolean }> {
    return this.db.transaction(async (tx) => {
      const [claimed] = await tx.query<[ClaimedRefund[], number]>(
        `update payment set attempts = payment.attempts + 1, asked_until = (select now() + interval '${claimSeconds} seconds')
         from payment paid where paid.id = payment.refund_of and (payment.id = $1 or payment.refund_of = $1)
           and payment.status = 'refund_due' and not ${paidBackByHandSql('payment')}
           and coalesce(payment.asked_until <= (select now()), true)
         returning payment.id, paid.id as "paymentId", paid.provider, paid.account_id as "accountId",
           paid.provider_payment as "providerPayment", payment.amount, payment.currency, payment.attempts as attempt,
           ${givenBackSql('paid', 'payment')} as "settledBefore"`,
        [id],
      );
      const asked = await tx.query<unknown[]>(
        `select 1 from payment where (id = $1 or refund_of = $1) and status = 'refund_due' and asked_until > now() and not (id = any($2))`,
        [id, claimed.map((refund) => refund.id)],
      );
      return { claimed, busy: asked.length > 0 };
    });
  }

  /** Records that the provider made the refund. @param reference the provider's id of the refund, if known */
  async settledOnline(id: string, reference?: string): Promise<void> {
    await this.db.transaction((tx) =>
      tx.query(
        `update payment set status = 'refunded', refunded_at = coalesce(refunded_at, (select now())),
           refunded_method = coalesce(refunded_method, 'online'), refund_reference = coalesce(refund_reference, $2),
           refund_trouble = null, asked_until = (select now())
         where id = $1 and (status = 'refund_due' or status = 'refunded' and refunded_by is null)`,
        [id, reference ?? null],
      ),
    );
  }

  /** Stores why the request failed and ends the claim; staff see it and may settle the refund by hand. */
  async troubled(id: string, trouble: string): Promise<void> {
    await this.db.transaction((tx) =>
      tx.query(`update payment set refund_trouble = $2, asked_until = (select now()) where id = $1 and status = 'refund_due'`, [
        id,
        trouble.slice(0, 500),
      ]),
    );
  }

  /**
   * Records the total that the provider reports as refunded of a checkout. Adds refund rows for the part without one: it was refunded on
   * the provider's own pages. For several payments of one checkout it counts for the first ones that are not fully refunded.
   * @param checkoutId of the first payment
   * @param refunded total, decimal text
   * @param whole the checkout is fully refunded; settles all due refunds
   */
  async reportedByProvider(tx: Tx, checkoutId: string, refunded: string, whole: boolean): Promise<void> {
    const ids = (await lockCheckout(tx, checkoutId)).map(({ id }) => id);
    if (whole)
      await tx.query(
        `update payment set status = 'refunded', refunded_at = (select now()), refunded_method = 'online', refund_trouble = null
         where refund_of = any($1) and status = 'refund_due'`,
        [ids],
      );
    const parts = await this.unknownRefunds(tx, ids, refunded);
    await tx.query(
      `insert into payment (kind, refund_of, ${inheritedSql()}, method, status, amount, reason, refunded_at, refunded_method)
       select 'refund', paid.id, ${inheritedSql('paid')}, paid.method, 'refunded', part.amount, 'provider', now(), 'online'
       from unnest($1::uuid[], $2::numeric[]) as part (id, amount) join payment paid on paid.id = part.id`,
      [parts.map(({ id }) => id), parts.map(({ amount }) => amount)],
    );
  }

  /** Distributes what the provider refunded beyond the known online refunds over locked payments. */
  private async unknownRefunds(tx: Tx, ids: readonly string[], refunded: string): Promise<{ id: string; amount: string }[]> {
    const rows = await tx.query<{ id: string; amount: string; known: string }[]>(
      `select id, amount, (select coalesce(sum(amount), 0) from payment refund where refund.refund_of = payment.id
         and (refund.status = 'refund_due' or refund.status = 'refunded' and refund.refunded_method = 'online')) as known
       from payment where id = any($1) and status = 'paid' order by id`,
      [ids],
    );
    let unknown = toCents(refunded) - rows.reduce((sum, { known }) => sum + toCents(known), 0);
    const parts = [];
    for (const [index, { id, amount, known }] of rows.entries()) {
      const isLast = index === rows.length - 1;
      const taken = isLast ? unknown : Math.min(unknown, Math.max(0, toCents(amount) - toCents(known)));
      if (taken > 0) parts.push({ id, amount: fromCents(taken) });
      unknown -= Math.max(0, taken);
    }
    return parts;
  }

  /** Records that a bank returned a refund to the provider: adds a new due refund, which staff settle or retry. */
  async sentBack(tx: Tx, reference: string, trouble: string): Promise<void> {
    const [rows] = await tx.query<[{ id: string }[], number]>(
      `update payment set status = 'refund_failed' where kind = 'refund' and refund_reference = $1 and status = 'refunded' returning id`,
      [reference],
    );
    await tx.query(
      `insert into payment (kind, refund_of, ${inheritedSql()}, method, status, amount, reason, note, by_user_id, by_key_id, refund_trouble,
         attempts, asked_until)
       select 'refund', refund_of, ${inheritedSql()}, method, 'refund_due', amount, reason, note, by_user_id, by_key_id, $2, 1, now()
       from payment where id = any($1)`,
      [rows.map(({ id }) => id), trouble.slice(0, 500)],
    );
  }

  private async add(
    tx: Tx,
    parts: readonly { readonly id: string; readonly amount: string }[],
    reason: RefundReason,
    note?: string,
  ): Promise<number> {
    if (parts.length === 0) return 0;
    // What was paid with a gift card is on the card again at once.
    const isMade = `paid.provider = '${giftCard}'`;
    const rows = await tx.query<{ id: string; provider: string }[]>(
      `insert into payment (kind, refund_of, ${inheritedSql()}, method, status, amount, reason, note, by_user_id, by_key_id, refunded_at,
         refunded_method)
       select 'refund', paid.id, ${inheritedSql('paid')}, paid.method, case when ${isMade} then 'refunded' else 'refund_due' end,
         part.amount, $3, $4, $5, $6, case when ${isMade} then now() end, case when ${isMade} then '${giftCard}' end
       from unnest($1::uuid[], $2::numeric[]) as part (id, amount) join payment paid on paid.id = part.id returning id, provider`,
      [parts.map(({ id }) => id), parts.map(({ amount }) => amount), reason, note ?? null, ...actorColumns()],
    );
    for (const { id, provider } of rows) if (!isPaidBackByHand(provider) && provider !== giftCard) await this.jobs.add(tx, refundJob, id);
    return rows.length;
  }
}

/** SQL: whether a refund may be settled by hand: paid at the venue, or the provider failed and no process requests it now. */
export const byHandSql = (row: string): string =>
  `(${row}.status = 'refund_due' and (${paidBackByHandSql(row)} or ${row}.refund_trouble is not null)
    and coalesce(${row}.asked_until <= (select now()), true))`;
