import { randomUUID } from 'node:crypto';
import { In, IsNull, Not } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { JobsService } from '#jobs';
import { partSql, type OrderPart } from '#orders';
import type { Tx } from '#tenancy';
import { fromCents, grouped, sumOf, toCents } from '#kernel';
import { inLockingOrder, lockCheckout } from './checkout-rows.js';
import { columnsOf, insertPayment, type DuePart } from './new-payment.js';
import { closeCheckoutJob } from './payment-jobs.js';
import { Payment } from './payment.entity.js';
import { paymentStatesBefore, type PaymentStatus, type VenueMethod } from './payment-states.js';
import { PaymentSubjects } from './payment-subjects.js';
import { giftCard } from '../providers/gift-card-provider.js';
import { PaymentAccountMissing } from '../providers/payment-errors.js';

/** An account that a payment can be made with. */
export interface PayableAccount {
  readonly id: string;
  /** Name of its provider. */
  readonly provider: string;
  /** The smallest sum that the provider charges, decimal text. */
  readonly minimum: string;
}

/** The payments of one checkout that are pending. */
export interface BegunPayments {
  /** Of the first payment; the provider's events name it. */
  readonly paymentId: string;
  /** What it was begun with. */
  readonly provider: string;
  readonly accountId: string | null;
  readonly parts: readonly DuePart[];
  /** Whether the checkout is already open. */
  readonly isOpen: boolean;
}

/** Payments of the current tenant, at the venue and online. `RefundsService` writes the refunds. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly subjects: PaymentSubjects,
  ) {}

  /**
   * Records a payment at the venue; method `offered` records that none was required.
   * @param amount decimal text
   * @returns the payment's id
   */
  async recordAtVenue(tx: Tx, subject: OrderPart, amount: string, method: VenueMethod): Promise<string> {
    return insertPayment(tx, { subject, provider: 'venue', method, status: 'paid', amount });
  }

  /**
   * Records a payment that arrived on the bank account of the venue.
   * @param amount decimal text
   * @param entryId the entry of a statement, which has the account that a refund goes to; absent: staff saw it themselves
   */
  async recordTransfer(tx: Tx, subject: OrderPart, amount: string, entryId?: string): Promise<string> {
    return insertPayment(tx, {
      subject,
      provider: 'transfer',
      method: 'transfer',
      status: 'paid',
      amount,
      providerPayment: entryId ?? null,
    });
  }

  /**
   * Records pending payments for the current amounts, one for each subject that is due, before their checkout is opened. While they are
   * pending, single tickets cannot be cancelled. Returns the existing payments if a checkout of these subjects and amounts is open, with
   * whatever account, or was begun with one of these accounts; gives up those that were begun with others.
   * @param accounts a new payment has the first one that charges the sum
   * @param how a page is opened, a kept means of payment is charged, or a card reader is asked: pending payments of one sort exclude those
   *   of the others, and a reader also its own
   * @returns undefined when nothing is due, or a bank processes a payment of one of the subjects, or an excluded one is pending
   * @throws PaymentAccountMissing when there is no account to begin a payment with
   */
  async begin(
    tx: Tx,
    subjects: readonly OrderPart[],
    accounts: readonly PayableAccount[],
    how: 'page' | 'unattended' | { readonly readerId: string } = 'page',
  ): Promise<BegunPayments | undefined> {
    const due: DuePart[] = [];
    for (const subject of inLockingOrder(subjects)) {
      // Locks the subject first: waits for running cancellations of tickets; later ones find this payment.
      const amount = await this.subjects.amountDue(tx, subject);
      if (amount !== undefined) due.push({ subject, amount });
    }
    if (toCents(sumOf(due)) === 0) return undefined;
    const underWay = await tx.find(Payment, {
      where: due.map(({ subject }) => ({
        ...rowOf(subject),
        kind: 'payment' as const,
        status: In(['pending', 'processing']),
      })),
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    const known = underWay.filter(({ provider }) => provider !== giftCard);
    const withCards = underWay.filter(({ provider }) => provider === giftCard);
    const parts = due.map(({ subject, amount }) => {
      const reserved = sumOf(withCards.filter((payment) => isFor(payment, subject)));
      return { subject, amount: fromCents(toCents(amount) - toCents(reserved)) };
    });
    const sum = toCents(sumOf(parts));
    if (sum === 0) return undefined;
    const unattended = how === 'unattended';
    const readerId = typeof how === 'object' ? how.readerId : null;
    if (known.length > 0 && readerId !== null) return undefined;
    if (known.some(({ status, method, ...row }) => status === 'processing' || method === 'reader' || row.unattended !== unattended))
      return undefined;
    const usable = known.filter((payment) => payment.checkoutUrl !== null || accounts.some((account) => isWith(payment, account)));
    const begun = await this.pendingCheckout(tx, usable, parts, subjects);
    if (begun)
      return { paymentId: begun.id, provider: begun.provider, accountId: begun.accountId, parts, isOpen: begun.reference !== null };
    const account = accounts.find(({ minimum }) => sum >= toCents(minimum)) ?? accounts[0];
    if (!account) throw new PaymentAccountMissing();
    // No page was opened for them, and none will be.
    const givenUp = known.filter((payment) => !usable.includes(payment)).map(({ id, checkoutId }) => checkoutId ?? id);
    for (const id of new Set(givenUp)) await this.notOpened(tx, id);
    const { id: accountId, provider } = account;
    const paymentId = randomUUID();
    const checkoutId = parts.length > 1 ? paymentId : null;
    const method = readerId === null ? 'online' : 'reader';
    const common = { provider, accountId, method, status: 'pending', checkoutId, unattended } as const;
    for (const [index, part] of parts.entries())
      await insertPayment(tx, { ...(index === 0 && { id: paymentId, readerId }), ...part, ...common });
    if (withCards.length > 0)
      await tx.query('update payment set checkout_id = $2 where id = any($1)', [withCards.map(({ id }) => id), paymentId]);
    return { paymentId, provider, accountId, parts, isOpen: false };
  }

  /**
   * The first payment of a pending checkout of these parts. An open one may also pay others of the subjects: what was due when the caller
   * read it is not due any more when another request opened their checkout meanwhile.
   * @param pending payments of the parts
   */
  private async pendingCheckout(
    tx: Tx,
    pending: readonly Payment[],
    parts: readonly DuePart[],
    subjects: readonly OrderPart[],
  ): Promise<Payment | undefined> {
    for (const [id, rows] of grouped(pending, ({ id: own, checkoutId }) => checkoutId ?? own)) {
      const isWhole = parts.every(({ subject, amount }) => rows.some((row) => isFor(row, subject) && row.amount === amount));
      const all = isWhole ? await this.ofCheckout(tx, id) : [];
      const first = all.find((row) => row.id === id);
      const others = all.filter((row) => rows.every((one) => one.id !== row.id));
      const isOpenFor =
        first?.reference !== null && others.every((row) => row.status === 'pending' && subjects.some((one) => isFor(row, one)));
      if (first && (others.length === 0 || isOpenFor)) return first;
    }
    return undefined;
  }

  /** Whether a reservation has a payment that is pending or processed by a bank. */
  isUnderWay(tx: Tx, reservationId: string): Promise<boolean> {
    return tx.existsBy(Payment, { reservationId, status: In(['pending', 'processing']) });
  }

  /** Whether a bank processes a payment of a reservation. */
  isProcessed(tx: Tx, reservationId: string): Promise<boolean> {
    return tx.existsBy(Payment, { reservationId, status: 'processing' });
  }

  /** Whether gift cards pay a part of one of these already. */
  async hasGiftCards(tx: Tx, subjects: readonly OrderPart[]): Promise<boolean> {
    const where = subjects.map((subject) => ({ ...rowOf(subject), provider: giftCard, status: 'pending' as const }));
    return tx.existsBy(Payment, where);
  }

  /** The payment that has this reference at its provider; null: the tenant has none. */
  ofReference(tx: Tx, provider: string, reference: string): Promise<Payment | null> {
    return tx.findOneBy(Payment, { provider, reference });
  }

  /** The payments of a checkout, by id, without those with gift cards. @param id of its first payment @returns empty: there is none */
  ofCheckout(tx: Tx, id: string): Promise<Payment[]> {
    return tx.find(Payment, {
      where: [
        { id, kind: 'payment' },
        { checkoutId: id, kind: 'payment', provider: Not(giftCard) },
      ],
      order: { id: 'ASC' },
    });
  }

  /**
   * Stores the checkout of payments. If one of them was given up meanwhile, schedules closing the checkout.
   * @param checkoutUrl null: it has no page
   * @returns whether none was given up
   */
  async opened(tx: Tx, id: string, reference: string, checkoutUrl: string | null): Promise<boolean> {
    await lockCheckout(tx, id);
    const [rows] = await tx.query<[{ status: PaymentStatus }[], number]>(
      `update payment set reference = case when id = $1 then $2 else reference end, checkout_url = $3::text
       where (id = $1 or checkout_id = $1) and kind = 'payment' and provider <> '${giftCard}' returning status`,
      [id, reference, checkoutUrl],
    );
    const isGivenUp = rows.some(({ status }) => status === 'failed');
    if (isGivenUp) await this.jobs.add(tx, closeCheckoutJob, id);
    return !isGivenUp;
  }

  /** Stores the provider's id of a payment that is not made yet. @param id of the first payment */
  async named(tx: Tx, id: string, providerPayment: string): Promise<void> {
    await lockCheckout(tx, id);
    await tx.query(
      `update payment set provider_payment = coalesce(provider_payment, $2)
       where (id = $1 or checkout_id = $1) and kind = 'payment' and provider <> '${giftCard}'`,
      [id, providerPayment],
    );
  }

  /** Marks the payments of a checkout as failed that the provider did not open; the next attempt is a new payment. */
  async notOpened(tx: Tx, id: string): Promise<void> {
    await lockCheckout(tx, id);
    await tx.query(
      `update payment set status = 'failed', reader_fault = case when reader_id is not null then coalesce(reader_fault, 'failed') end
       where (id = $1 or checkout_id = $1) and kind = 'payment' and provider <> '${giftCard}' and status = 'pending'
         and checkout_url is null and not exists (select from payment first where first.id = $1 and first.method = 'reader'
           and first.reference is not null)`,
      [id],
    );
  }

  /**
   * Marks the pending payments of a part of an order as failed and schedules closing their checkouts. What else such a checkout
   * was to pay ends with it.
   */
  async giveUpPending(tx: Tx, subject: OrderPart): Promise<void> {
    const [condition, id] = partSql(subject);
    const [rows] = await tx.query<[{ checkout: string; isAsked: boolean }[], number]>(
      `update payment set status = 'failed' where ${condition} and status = 'pending'
       returning coalesce(checkout_id, id) as checkout, checkout_url is not null or method = 'reader' as "isAsked"`,
      [id],
    );
    for (const { checkout, isAsked } of rows) if (isAsked) await this.jobs.add(tx, closeCheckoutJob, checkout);
  }

  /**
   * Changes the state of payments with one conditional update. The caller has locked their subjects.
   * @param more.onlyFrom allowed current states; default: those in `paymentTransitions`
   * @returns the ids of those whose current state allows the transition
   */
  async move(
    tx: Tx,
    ids: readonly string[],
    to: 'processing' | 'paid' | 'failed',
    more: { readonly onlyFrom?: readonly PaymentStatus[]; readonly providerPayment?: string; readonly readerFault?: string } = {},
  ): Promise<string[]> {
    const [rows] = await tx.query<[{ id: string }[], number]>(
      `update payment set status = $2, paid_at = coalesce(paid_at, case when $2 = 'paid' then (select now()) end),
         provider_payment = coalesce(provider_payment, $4), reader_fault = coalesce(reader_fault, $5)
       where id = any($1) and kind = 'payment' and status = any($3) returning id`,
      [ids, to, more.onlyFrom ?? paymentStatesBefore(to), more.providerPayment ?? null, more.readerFault ?? null],
    );
    return rows.map(({ id }) => id);
  }
}

/** The conditions of these columns. The order of a reservation or a membership may not be named yet. */
function rowOf(subject: OrderPart) {
  const { reservationId, membershipId, orderId } = columnsOf(subject);
  return orderId === null
    ? { reservationId: reservationId ?? IsNull(), membershipId: membershipId ?? IsNull() }
    : { orderId, reservationId: IsNull(), membershipId: IsNull() };
}

function isFor(payment: Payment, subject: OrderPart): boolean {
  const { reservationId, membershipId, orderId } = columnsOf(subject);
  const isSame = payment.reservationId === reservationId && payment.membershipId === membershipId;
  return isSame && (orderId === null || payment.orderId === orderId);
}

/** Older programs do not say which account of the provider a payment has: they know one. */
function isWith({ provider, accountId }: Payment, account: PayableAccount): boolean {
  return accountId === account.id || (accountId === null && provider === account.provider);
}
